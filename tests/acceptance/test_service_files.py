"""`install systemd` and `uninstall systemd` as a person types them; tests/systemd runs what they write."""

from __future__ import annotations

from support.commandline import COMMAND, CommandLine


def test_a_rehearsal_shows_the_files_and_writes_none(registered: CommandLine) -> None:
    document = registered.ok("install", "systemd", "--dry-run", "--json").json()

    units = registered.home / "config/systemd/user"
    assert [(one["path"], one["action"]) for one in document["files"]] == [
        (f"{units}/memgardend.service", "written"),
        (f"{units}/memgardend.service.d/10-install.conf", "written"),
        (f"{registered.home}/config/memgardend/service.env", "written"),
    ]
    unit, drop_in, _ = (one["text"] for one in document["files"])
    assert f"\nExecStart={COMMAND} run\n" in unit
    assert f"\nEnvironment=XDG_STATE_HOME={registered.home}/state\n" in drop_in
    assert document["next"][:2] == [
        "systemctl --user daemon-reload",
        "systemctl --user enable --now memgardend.service",
    ]
    assert not units.exists()


def test_the_screen_says_it_line_by_line(registered: CommandLine) -> None:
    registered.configure("locale: en\nmodel: {command: [sh], env: [MY_KEY]}\n")
    lines = registered.ok("install", "systemd", "--dry-run").out.splitlines()
    env_file = f"{registered.home}/config/memgardend/service.env"
    assert f"{env_file}: would be written" in lines
    assert f"Values for MY_KEY belong into {env_file}" in lines
    after = lines.index("Next, type:")
    assert lines[after + 1] == f"  $EDITOR {env_file}"


def test_a_service_without_a_workspace_would_not_stay(command: CommandLine) -> None:
    document = command.ok("install", "systemd", "--dry-run", "--json").json()
    assert document["next"][0] == "memgardend init"


def test_nothing_to_uninstall_is_said(registered: CommandLine) -> None:
    lines = registered.ok("uninstall", "systemd").out.splitlines()
    assert [line.rpartition(": ")[2] for line in lines] == ["was not there"] * 3


def test_whose_service_it_is_must_be_said(registered: CommandLine) -> None:
    for arguments, hint in (
        (["--system"], "memgardend install systemd --system --user NAME"),
        (["--user", "mira"], "memgardend install systemd --system --user mira"),
        (["--system", "--user", "nobody-of-that-name"], "getent passwd"),
    ):
        result = registered.run("install", "systemd", "--dry-run", *arguments)
        assert (result.code, result.err.splitlines()[-1]) == (2, f"try: {hint}")
