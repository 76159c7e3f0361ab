"""What doctor says of a service: its state, what will go wrong later, and its model in its own environment."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import pytest

from memgardend.config.load import load
from memgardend.daemon.check import FAILED, OK, WARNING, Check
from memgardend.daemon.garden import Workspace
from memgardend.daemon.units.checks import check_service
from memgardend.daemon.units.install import apply, plan_install
from memgardend.daemon.units.look import installed
from memgardend.daemon.units.needs import Needs
from memgardend.daemon.units.place import Place, user_place

RUNNING = {
    "ActiveState": "active",
    "SubState": "running",
    "MainPID": "0",
    "StatusText": "1 workspaces",
    "UnitFileState": "enabled",
    "WatchdogUSec": "2min",
    "NeedDaemonReload": "no",
}
LINGER = "it ends when you log out"


@dataclass
class Desk:
    """A person with a workspace, a service, and a systemctl that says what a test tells it to."""

    home: Path

    @property
    def environ(self) -> dict[str, str]:
        """The person's shell."""
        return {"HOME": str(self.home), "PATH": f"{self.home}/shell:{os.defpath}"}

    @property
    def place(self) -> Place:
        """Where the service lies."""
        return user_place(self.environ)

    def program(self, folder: str, name: str, text: str) -> Path:
        """Put a program into a folder."""
        file = self.home / folder / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(text)
        file.chmod(0o755)
        return file

    def systemctl(self, **shown: str) -> None:
        """Let systemctl show these properties."""
        lines = "\n".join(f"{name}={value}" for name, value in shown.items())
        self.program("shell", "systemctl", f"#!/bin/sh\ncat <<'END'\n{lines}\nEND\n")

    def install(self, *path: str) -> None:
        """Install the service with this PATH."""
        needs = Needs((*path, *os.defpath.split(":")), (), {}, (), (), True)
        apply(plan_install(self.place, needs, ["/bin/true"], force=False))

    def checks(self, model: str = "{preset: offline}") -> list[Check]:
        """What doctor finds, lingering aside, which is this machine's."""
        root = self.home / "work"
        root.mkdir(exist_ok=True)
        (root / "memgarden.yaml").write_text(f"locale: en\nmodel: {model}\n")
        workspace = Workspace(root, load(root / "memgarden.yaml"), named=True)
        found = check_service(workspace, self.environ)
        return [one for one in found if one.detail != LINGER]


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    """A person without a service."""
    return Desk(tmp_path)


def test_no_service_is_fine(desk: Desk) -> None:
    [found] = desk.checks()
    assert (found.level, found.detail) == (OK, "none is installed: you or cron start memgardend")
    assert installed(desk.environ) is None


def test_a_running_service_and_its_model_are_fine(desk: Desk) -> None:
    desk.install()
    desk.systemctl(**RUNNING)
    state, model = desk.checks()
    assert (state.level, model.level) == (OK, OK)
    assert state.detail == "memgardend.service is active, pid 0: 1 workspaces"
    assert model.name == "service model"


@pytest.mark.parametrize(
    ("shown", "level", "said", "typed"),
    [
        (
            {"ActiveState": "inactive"},
            WARNING,
            "memgardend.service does not run",
            "systemctl --user enable --now memgardend.service",
        ),
        (
            {"ActiveState": "failed", "Result": "exit-code", "NRestarts": "3"},
            FAILED,
            "memgardend.service is failed: exit-code, 3 restarts",
            "journalctl --user -u memgardend.service -n 20",
        ),
        (
            {"NeedDaemonReload": "yes"},
            WARNING,
            "memgardend.service has changed since systemd read it",
            "systemctl --user daemon-reload",
        ),
        (
            {"UnitFileState": "disabled"},
            WARNING,
            "memgardend.service does not start by itself",
            "systemctl --user enable memgardend.service",
        ),
        (
            {"WatchdogUSec": "0"},
            WARNING,
            "memgardend.service has no watchdog: a daemon that hangs stays so",
            "memgardend install systemd",
        ),
    ],
)
def test_each_trouble_has_a_remedy(
    desk: Desk, shown: dict[str, str], level: str, said: str, typed: str
) -> None:
    desk.install()
    desk.systemctl(**(RUNNING | shown))
    assert Check("service", level, said, typed) in desk.checks()


def test_a_systemd_that_does_not_answer_is_said(desk: Desk) -> None:
    desk.install()
    desk.program("shell", "systemctl", "#!/bin/sh\necho 'Failed to connect to bus' >&2\nexit 1\n")
    state = desk.checks()[0]
    assert state.level == WARNING
    assert state.detail.endswith("its systemd does not answer: Failed to connect to bus")


def test_a_model_that_only_the_shell_finds_fails_in_the_service(desk: Desk) -> None:
    desk.systemctl(**RUNNING)
    desk.program("shell", "my-model", "")
    desk.install()
    model = desk.checks("{command: [my-model]}")[-1]
    assert (model.level, model.detail) == (FAILED, "not_found: my-model: no such program")


def test_a_model_whose_interpreter_only_the_shell_finds_fails_in_the_service(desk: Desk) -> None:
    desk.systemctl(**RUNNING)
    desk.program("models", "my-model", "#!/usr/bin/env my-node\n")
    desk.program("shell", "my-node", "")
    desk.install(f"{desk.home}/models")
    model = desk.checks("{command: [my-model]}")[-1]
    assert model.level == FAILED
    assert model.detail.startswith("not_found: my-model: needs my-node, which is not on the PATH")

    desk.install(f"{desk.home}/models", f"{desk.home}/shell")
    assert desk.checks("{command: [my-model]}")[-1].level == OK


@pytest.mark.parametrize(("calls", "level"), [("no-such-node", FAILED), ("true", OK)])
def test_a_known_model_is_started_in_the_service(desk: Desk, calls: str, level: str) -> None:
    desk.systemctl(**RUNNING)
    desk.program("models", "claude", f'#!/bin/sh\n[ "$1" = --version ] && exec {calls}\nexit 9\n')
    desk.install(f"{desk.home}/models")
    model = desk.checks("{preset: claude}")[-1]
    assert model.level == level
    assert level == OK or "no-such-node" in model.detail


def test_values_that_the_service_lacks_are_named_with_the_file_to_fill_in(desk: Desk) -> None:
    desk.systemctl(**RUNNING)
    desk.install()
    missing = Check(
        "service", FAILED, "KEY is not set in the service", f"$EDITOR {desk.place.env_file}"
    )
    settings = "{command: [sh], env: [KEY, CREDENTIALS_DIRECTORY]}"
    assert missing in desk.checks(settings)
    desk.place.env_file.write_text("KEY=value\n")
    assert missing not in desk.checks(settings)


def test_the_environment_of_a_running_service_is_read_from_its_process(desk: Desk) -> None:
    desk.systemctl(**(RUNNING | {"MainPID": str(os.getpid())}))
    desk.install("/nowhere")
    state, model = desk.checks("{command: [sh]}")
    assert state.level == model.level == OK
