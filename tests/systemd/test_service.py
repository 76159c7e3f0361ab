"""The service on a real systemd: it starts, reloads, is brought back, and goes without leaving anything."""

from __future__ import annotations

import json

import pytest

from support.machine import INSTALLED, PERSON, Machine, until
from support.service import WORK, Unit, dreams, push, running

SETTINGS = """\
locale: en
sources: []
model: {command: [/opt/model], env: [MODEL_KEY]}
dream: {suppress_windows: []}
"""
SLEEP = "sleep 777"
MODEL = f"""\
#!/bin/sh
# The first time it hangs, and leaves a grandchild in a session of its own.
cat > /dev/null
unshare --user true 2> /dev/null && : > "$HOME/sandbox"
if [ ! -e "$HOME/asked" ]; then
    : > "$HOME/asked"
    setsid {SLEEP} &
    exec {SLEEP}
fi
python3 -c 'import ctypes, os; os.nice(1)' || exit 3
if command -v node > /dev/null; then
    node -e 'for (let i = 0, sum = 0; i < 1e6; i++) sum += i' || exit 4
fi
echo '{{"operations": [], "questions": [], "summary": "nothing"}}'
"""
REGISTRY = f"/home/{PERSON}/.local/state/memgardend/registry.json"


@pytest.fixture(scope="module")
def unit(machine: Machine) -> Unit:
    """The system's service for the person, installed by our own command, with one conversation to dream."""
    machine.write("/opt/model", MODEL, mode=0o755)
    machine.person("mkdir", WORK)
    machine.write(f"{WORK}/memgarden.yaml", SETTINGS)
    machine.memgardend("init", "--yes", "-w", WORK)
    push(machine, "mail-1", "Always answer in British English.")
    machine.run(INSTALLED, "install", "systemd", "--system", "--user", PERSON)
    unit = Unit(machine, f"memgardend@{PERSON}.service", "/etc/systemd/system")
    unit.set(RestartSec="100ms")
    return unit


@pytest.mark.parametrize("name", ["memgardend.service", "memgardend@.service"])
def test_verify_has_nothing_to_say(machine: Machine, name: str) -> None:
    whose = ["--user"] if name == "memgardend.service" else []
    said = machine.run(
        "env",
        "XDG_RUNTIME_DIR=/tmp",
        "systemd-analyze",
        "verify",
        *whose,
        f"/opt/checkout/systemd/{name}",
    )
    assert said.stdout + said.stderr == ""  # it exits 0 for keys that it does not know


def test_the_template_is_well_guarded(unit: Unit) -> None:
    file = f"{unit.folder}/memgardend@.service"
    assert unit.machine.run("systemd-analyze", "verify", file).stderr == ""
    check = ["--offline=true", "--threshold=20", "--no-pager"]
    unit.machine.run("systemd-analyze", "security", *check, file)


def test_it_is_ready_dreams_and_after_a_kill_goes_on_where_it_was(unit: Unit) -> None:
    unit.set(RestartSec="1s")
    pid = unit.started()
    assert unit.show("ActiveState") == "active"
    assert "workspaces" in unit.show("StatusText")
    until(lambda: running(unit.machine, SLEEP) == 2, "the model and its grandchild run")

    unit.kill("KILL")
    until(lambda: unit.show("SubState") == "auto-restart", "it waits for its next start")
    assert running(unit.machine, SLEEP) == 0

    unit.replaced(pid)
    unit.set(RestartSec="100ms")
    until(lambda: dreams(unit.machine)[0]["state"] == "empty", "the dream is done")
    assert len(dreams(unit.machine)) == 1
    assert not (unit.machine.root / f"home/{PERSON}/sandbox").exists()


def test_reload_keeps_the_process_and_the_old_settings_if_the_new_are_broken(unit: Unit) -> None:
    pid = unit.started()
    unit.machine.write(f"{WORK}/memgarden.yaml", "locale: [\n")
    unit.ctl("reload", unit.name)
    until(lambda: "old settings kept" in unit.show("StatusText"), "it says so")
    unit.machine.write(f"{WORK}/memgarden.yaml", SETTINGS)
    unit.ctl("reload", unit.name)
    until(lambda: "old settings kept" not in unit.show("StatusText"), "it has read the new")
    assert unit.pid == pid


def test_a_loop_that_hangs_and_one_that_is_stopped_are_started_anew(unit: Unit) -> None:
    unit.set(RestartSec="1s", WatchdogSec="2s")
    unit.ctl("restart", unit.name)
    pid, registry = unit.pid, unit.machine
    registry.run("mv", REGISTRY, f"{REGISTRY}.good")
    registry.person("mkfifo", REGISTRY)  # whoever opens it hangs, as on a dead network disk
    unit.ctl("reload", unit.name, ok=False)  # waits for the end of the reload, or of the daemon
    until(lambda: unit.show("Result") == "watchdog", "the watchdog bites")
    registry.run("mv", f"{REGISTRY}.good", REGISTRY)
    pid = unit.replaced(pid)
    log = registry.out("journalctl", "--unit", unit.name, "--output=cat")
    assert "Fatal Python error: Aborted" in log

    unit.kill("STOP")
    unit.replaced(pid)
    unit.set(RestartSec="100ms")


def test_it_stops_at_once_and_leaves_nothing(unit: Unit) -> None:
    unit.machine.run("rm", f"/home/{PERSON}/asked")
    push(unit.machine, "mail-2", "I prefer tea to coffee.")
    unit.started()
    until(lambda: running(unit.machine, SLEEP) == 2, "the model runs")

    unit.ctl("stop", unit.name)

    assert (unit.show("ActiveState"), unit.show("Result")) == ("inactive", "success")
    assert running(unit.machine, SLEEP) == 0
    assert dreams(unit.machine)[0]["state"] == "pending"


def test_what_a_person_must_mend_is_not_tried_again(unit: Unit) -> None:
    registry = unit.machine
    unit.ctl("stop", unit.name)
    restarts = unit.show("NRestarts")
    registry.run("cp", "--preserve", REGISTRY, f"{REGISTRY}.good")
    registry.write(REGISTRY, "{", mode=0o600)
    unit.ctl("start", unit.name, ok=False)
    assert (unit.show("ActiveState"), unit.show("ExecMainStatus")) == ("failed", "78")
    assert (unit.show("SubState"), unit.show("NRestarts")) == (
        "failed",
        restarts,
    )  # not auto-restart
    registry.run("mv", f"{REGISTRY}.good", REGISTRY)


def test_doctor_tries_the_model_where_the_service_runs(unit: Unit) -> None:
    unit.started()
    doctor = unit.machine.memgardend("doctor", "--json", "-w", WORK, ok=False)
    checks = json.loads(doctor)["checks"]
    said = {one["name"]: one for one in checks if one["name"].startswith("service")}
    assert said["service model"]["level"] == "ok"
    details = [one["detail"] for one in checks]
    assert any("is active" in detail for detail in details)
    assert "MODEL_KEY is not set in the service" in details
    assert [detail for detail in details if "watchdog" in detail] == []

    unit.machine.write(f"/etc/memgardend/{PERSON}.env", "MODEL_KEY=secret\n", mode=0o600)
    unit.ctl("restart", unit.name)
    doctor = unit.machine.memgardend("doctor", "--json", "-w", WORK, ok=False)
    assert "MODEL_KEY" not in doctor


def test_uninstall_takes_back_what_install_wrote(unit: Unit) -> None:
    unit.started()
    folder = unit.machine.root / unit.folder.lstrip("/")
    (folder / f"{unit.name}.d" / "50-test.conf").unlink()
    unit.machine.run(INSTALLED, "uninstall", "systemd", "--system", "--user", PERSON)
    assert list(folder.rglob("*memgardend*")) == []
    assert (unit.machine.root / f"etc/memgardend/{PERSON}.env").exists()  # it was filled in
    unit.ctl("stop", unit.name)
    unit.ctl("daemon-reload")
    assert (unit.show("LoadState"), unit.show("ActiveState")) == ("not-found", "inactive")


def test_a_service_of_ones_own_lives_without_a_login(unit: Unit) -> None:
    machine = unit.machine
    unit.ctl("stop", unit.name, ok=False)
    machine.run("loginctl", "enable-linger", PERSON)
    until(
        lambda: machine.person("systemctl", "--user", "status", ok=False).returncode == 0,
        "it is up",
    )
    push(machine, "mail-3", "I prefer rye to wheat.")
    machine.memgardend("install", "systemd")
    machine.write(f"/home/{PERSON}/.config/memgardend/service.env", "MODEL_KEY=secret\n")
    own = Unit(machine, "memgardend.service", f"/home/{PERSON}/.config/systemd/user", own=True)
    own.ctl("daemon-reload")
    own.ctl("enable", "--now", own.name)
    assert own.show("ActiveState") == "active"
    until(lambda: {one["state"] for one in dreams(machine)} == {"empty"}, "all is dreamed")
    allowed = machine.person("unshare", "--user", "true", ok=False).returncode == 0
    assert (machine.root / f"home/{PERSON}/sandbox").exists() == allowed  # as in the person's shell

    doctor = json.loads(machine.memgardend("doctor", "--json", "-w", WORK))
    assert {one["level"] for one in doctor["checks"] if one["name"].startswith("service")} == {"ok"}

    machine.memgardend("uninstall", "systemd")
    own.ctl("stop", own.name)
    own.ctl("daemon-reload")
    assert (own.show("LoadState"), own.show("ActiveState")) == ("not-found", "inactive")
    assert list((machine.root / f"home/{PERSON}/.config").rglob("*memgardend.service*")) == []
