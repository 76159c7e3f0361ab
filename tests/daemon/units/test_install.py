"""Files of the service: what is written, what is taken back, and what a person wrote stays."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from memgardend.config.load import load
from memgardend.core.errors import MemgardendError, UsageError
from memgardend.daemon.registry import Registry
from memgardend.daemon.units.install import (
    Action,
    apply,
    missing_values,
    plan_install,
    plan_removal,
    require_systemd,
)
from memgardend.daemon.units.needs import (
    Needs,
    find_needs,
    interpreter,
    may_vanish,
    missing_interpreter,
    reachable,
)
from memgardend.daemon.units.place import Place

ARGV = ["/opt/bin/memgardend", "run"]
NEEDS = Needs(("/opt/bin",), (), {}, ("KEY",), (), True)


def place_in(folder: Path, *, system: bool = False, user: str = "mira") -> Place:
    return Place(system, user, folder / "home", folder / "units", folder / "config")


def install(place: Place, needs: Needs = NEEDS, *, force: bool = False) -> list[Action]:
    steps = plan_install(place, needs, ARGV, force=force)
    apply(steps)
    return [step.action for step in steps]


def uninstall(place: Place, *, force: bool = False) -> list[Action]:
    steps = plan_removal(place, force=force)
    apply(steps)
    return [step.action for step in steps]


def files_in(folder: Path) -> list[str]:
    return sorted(str(file.relative_to(folder)) for file in folder.rglob("*") if file.is_file())


@pytest.mark.parametrize("system", [False, True])
def test_uninstall_leaves_what_was_there_before(tmp_path: Path, system: bool) -> None:
    place = place_in(tmp_path, system=system)
    assert install(place) == [Action.WRITTEN] * 3
    wants = place.units / "default.target.wants"
    wants.mkdir()
    (wants / place.unit).symlink_to(place.unit_file)
    assert install(place) == [Action.UNCHANGED] * 3

    assert uninstall(place) == [Action.REMOVED] * 4

    assert files_in(tmp_path) == []
    assert not place.drop_in.parent.exists()
    assert list(wants.iterdir()) == []
    assert uninstall(place) == [Action.ABSENT] * 3


def test_units_are_for_all_to_read_and_values_for_the_person_alone(tmp_path: Path) -> None:
    place = place_in(tmp_path)
    install(place)
    files = (place.unit_file, place.drop_in, place.env_file)
    assert [stat.S_IMODE(file.stat().st_mode) for file in files] == [0o644, 0o644, 0o600]


def test_ours_is_brought_up_to_date(tmp_path: Path) -> None:
    place = place_in(tmp_path)
    install(place)
    moved = Needs(("/new/bin",), (), {}, ("KEY", "OTHER"), (), True)
    assert install(place, moved) == [Action.UNCHANGED, Action.UPDATED, Action.UPDATED]
    assert "PATH=/new/bin" in place.drop_in.read_text()


def test_a_unit_changed_by_hand_is_not_overwritten_unsaid(tmp_path: Path) -> None:
    place = place_in(tmp_path)
    install(place)
    mine = place.unit_file.read_text() + "# mine\n"
    place.unit_file.write_text(mine)

    with pytest.raises(UsageError, match="changed by hand") as caught:
        install(place)
    assert "systemctl --user edit memgardend.service" in (caught.value.hint or "")
    assert place.unit_file.read_text() == mine
    assert uninstall(place)[1] is Action.KEPT

    assert install(place, force=True)[0] is Action.REPLACED
    assert place.unit_file.with_name("memgardend.service.old").read_text() == mine
    assert "# mine" not in place.unit_file.read_text()


def test_a_changed_unit_goes_when_it_is_said_to(tmp_path: Path) -> None:
    place = place_in(tmp_path)
    install(place)
    place.unit_file.write_text("# mine\n")
    assert uninstall(place, force=True)[1] is Action.REMOVED


def test_what_was_filled_in_stays(tmp_path: Path) -> None:
    place = place_in(tmp_path)
    assert missing_values(place, NEEDS) == ["KEY"]
    install(place)
    place.env_file.write_text("KEY=secret\n")
    assert missing_values(place, NEEDS) == []
    assert install(place, force=True)[2] is Action.KEPT
    assert uninstall(place, force=True)[2] is Action.KEPT
    assert place.env_file.read_text() == "KEY=secret\n"


def test_files_of_others_beside_the_drop_in_stay(tmp_path: Path) -> None:
    place = place_in(tmp_path)
    install(place)
    other = place.drop_in.parent / "override.conf"
    other.write_text("[Service]\n")
    uninstall(place)
    assert files_in(place.units) == ["memgardend.service.d/override.conf"]


def test_the_template_stays_while_another_user_needs_it(tmp_path: Path) -> None:
    mira, noor = (place_in(tmp_path, system=True, user=name) for name in ("mira", "noor"))
    install(mira)
    install(noor)
    assert uninstall(mira)[1] is Action.KEPT
    assert uninstall(noor)[1] is Action.REMOVED


def test_a_folder_that_cannot_be_written_is_said_plainly(tmp_path: Path) -> None:
    (tmp_path / "units").write_text("a file")
    with pytest.raises(MemgardendError, match="units"):
        install(place_in(tmp_path))


def test_without_systemd_there_is_cron(tmp_path: Path) -> None:
    require_systemd(tmp_path)
    with pytest.raises(MemgardendError, match="does not run this machine") as caught:
        require_systemd(tmp_path / "missing")
    assert (caught.value.hint or "").startswith("crontab -e")


def test_the_path_holds_models_and_their_interpreters_in_the_persons_order(tmp_path: Path) -> None:
    shell, models, node, empty = (tmp_path / name for name in ("shell", "models", "node", "empty"))
    for folder, name, text in (
        (models, "claude", "#!/usr/bin/env -S node --quiet\n"),
        (node, "node", ""),
        (shell, "mine", "#!/bin/sh\n"),
        (models, "unknown", ""),
    ):
        folder.mkdir(exist_ok=True)
        (folder / name).write_text(text)
        (folder / name).chmod(0o755)
    empty.mkdir()
    work = tmp_path / "work"
    register(
        work, tmp_path / "state", "model: {command: [mine], env: [KEY, CREDENTIALS_DIRECTORY]}"
    )
    register(tmp_path / "broken", tmp_path / "state", "model: {command: [none]}")
    (tmp_path / "broken/memgarden.yaml").write_text("locale: [")
    path = f"{node}:.:{empty}:/usr/bin:{models}:{shell}"
    environ = {"PATH": path, "CODEX_HOME": "/codex", "SECRET": "x"}

    needs = find_needs(place_in(tmp_path), environ, Registry(tmp_path / "state"))

    usual = ("/usr/local/bin", "/bin")
    assert needs.path == (str(node), "/usr/bin", str(models), str(shell), *usual)
    assert set(needs.programs) >= {f"{models}/claude", f"{node}/node", f"{shell}/mine"}
    assert (needs.names, needs.carried) == (("KEY",), {"CODEX_HOME": "/codex"})
    assert needs.tends


def test_a_system_service_may_write_homes_and_workspaces_and_takes_no_shell_settings(
    tmp_path: Path,
) -> None:
    place = place_in(tmp_path, system=True)
    register(place.home / "work", tmp_path / "state", "")
    register(tmp_path / "srv", tmp_path / "state", "")
    needs = find_needs(place, {"CODEX_HOME": "/root"}, Registry(tmp_path / "state"))
    assert needs.writable == (place.home, tmp_path / "srv")
    assert needs.carried == {}


@pytest.mark.parametrize(
    ("first_line", "named"),
    [
        (b"#!/usr/bin/env node\n", "node"),
        (b"#!/usr/bin/env -S node --flag\n", "node"),
        (b"#!/usr/bin/env A=1 node\n", "node"),
        (b"#! /opt/python -P\n", "/opt/python"),
        (b"#!\n", None),
        (b"\x7fELF", None),
        (b"", None),
    ],
)
def test_interpreters(tmp_path: Path, first_line: bytes, named: str | None) -> None:
    script = tmp_path / "script"
    script.write_bytes(first_line)
    assert interpreter(script) == named


def test_an_interpreter_that_the_path_lacks_is_named(tmp_path: Path) -> None:
    script = tmp_path / "model"
    script.write_text("#!/usr/bin/env interpreter-of-mine\n")
    script.chmod(0o755)
    assert missing_interpreter("model", str(tmp_path)) == "interpreter-of-mine"
    interpreter_file = tmp_path / "interpreter-of-mine"
    interpreter_file.write_text("")
    interpreter_file.chmod(0o755)
    assert missing_interpreter("model", str(tmp_path)) is None
    assert missing_interpreter("absent", str(tmp_path)) is None


def test_a_program_behind_a_closed_folder_cannot_be_reached(tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o700)
    owner = closed.stat().st_uid
    assert reachable(closed / "program", owner)
    assert not reachable(closed / "program", owner + 1)


@pytest.mark.parametrize(
    ("program", "environ", "vanishes"),
    [
        ("/home/mira/.cache/uv/archive-v0/x/bin/memgardend", {}, True),
        ("/var/cache/mira/bin/memgardend", {"XDG_CACHE_HOME": "/var/cache/mira"}, True),
        ("/home/mira/.local/bin/memgardend", {}, False),
    ],
)
def test_a_program_in_a_cache_may_vanish(
    program: str, environ: dict[str, str], vanishes: bool
) -> None:
    assert may_vanish(Path(program), Path("/home/mira"), environ) == vanishes


def register(root: Path, state: Path, settings: str) -> None:
    """A workspace with these settings."""
    root.mkdir(parents=True)
    file = root / "memgarden.yaml"
    file.write_text(f"locale: en\n{settings}\n")
    Registry(state).register(root, load(file), 0)
