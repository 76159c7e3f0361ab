"""Setting up, checking, copying and restoring a workspace."""

from __future__ import annotations

import json
import shlex

import pytest

from support.commandline import CommandLine


def test_init_writes_settings_and_registers_once(command: CommandLine) -> None:
    first = command.ok("init", "--locale", "en", "--json").json()
    assert [path.rpartition("/")[2] for path in first["wrote"]] == [
        "memgarden.yaml",
        ".gitignore",
        "schema.json",
    ]
    settings = (command.workspace / "memgarden.yaml").read_text("utf-8")
    assert settings.startswith("# yaml-language-server: $schema=./.memgarden/schema.json\n")
    (command.workspace / "memgarden.yaml").write_text(settings + "# mine\n", "utf-8")
    again = command.ok("init", "--json").json()
    assert (again["known_before"], again["locale"]) == (True, "en")
    assert again["next"][0] == "memgardend run --once"
    elsewhere = command.ok("init", "-w", str(command.workspace), "--json").json()
    assert elsewhere["next"][0] == f"memgardend run --once -w {command.workspace}"
    assert (command.workspace / "memgarden.yaml").read_text("utf-8").endswith("# mine\n")


def test_init_without_a_terminal_names_the_option(command: CommandLine) -> None:
    result = command.run("init")
    assert result.code == 2
    assert f"try: memgardend init --locale en -w {command.workspace}" in result.err
    assert not (command.workspace / "memgarden.yaml").exists()


def test_init_asks_before_a_cloned_model_command(command: CommandLine) -> None:
    command.configure("locale: en\nmodel: {command: [sh, -c, evil]}\n")
    refused = command.run("init")
    assert refused.code == 2
    assert "sh -c evil" in refused.err
    assert command.run("run", "--once").code == 78
    command.ok("init", "--yes")


def test_looking_creates_nothing(command: CommandLine) -> None:
    command.configure("locale: en\n")
    for line in ("status", "windows", "dreams", "memories", "doctor", "config show"):
        command.run(*line.split())
    assert sorted(path.name for path in command.home.rglob("*")) == ["memgarden.yaml", "work"]


def test_the_nearest_settings_upwards_are_found(registered: CommandLine) -> None:
    inner = registered.workspace / "a" / "b"
    inner.mkdir(parents=True)
    assert registered.run("status", "--json", cwd=inner).json()["workspace"] == str(
        registered.workspace
    )
    registered.extra["MEMGARDEND_WORKSPACE"] = str(registered.workspace)
    assert registered.run("status", cwd=registered.home).code == 0


@pytest.mark.parametrize("once", [["--once"], []])
def test_a_workspace_may_have_a_colon_in_its_name(command: CommandLine, once: list[str]) -> None:
    """The variable names one folder, also for `run`, whose -w may be given several times."""
    folder = command.home / "night: shift"
    command.extra["MEMGARDEND_WORKSPACE"] = str(folder)
    said = command.run("run", *once, cwd=command.home)
    assert said.code == (78 if once else 75)
    assert f"{folder}" in said.err
    assert "several" not in said.err


def test_a_workspace_that_is_gone_is_told_and_can_be_let_go(registered: CommandLine) -> None:
    gone = registered.home / "it is gone"
    gone.mkdir()
    registered.ok("init", "--locale", "en", "-w", str(gone))
    (gone / "memgarden.yaml").unlink()
    checks = registered.ok("doctor", "--json").json()["checks"]
    told = next(one for one in checks if one["name"] == "registry")
    assert told["detail"] == f"{gone} is registered, but gone"
    typed = shlex.split(told["hint"])
    assert typed == ["memgardend", "config", "unregister", "-w", str(gone)]
    assert registered.ok(*typed[1:]).out == f"Not registered any more: {gone}\n"
    again = registered.run(*typed[1:])
    assert (again.code, f"{gone} is not registered" in again.err) == (1, True)
    assert "registry" not in registered.ok("doctor").out


def test_every_mistake_has_its_line_column_and_caret(command: CommandLine) -> None:
    command.configure("locale: en\ndream:\n  idle_minute: 45\n  time_zone: Asia/Shanghi\n")
    result = command.run("config", "check")
    assert result.code == 78
    assert result.out == (
        "memgarden.yaml:3:3: error: unknown setting `idle_minute`\n"
        "   3 │   idle_minute: 45\n"
        "         ^\n"
        "       did you mean `idle_minutes`?\n"
        "memgarden.yaml:4:14: error: unknown time zone 'Asia/Shanghi'\n"
        "   4 │   time_zone: Asia/Shanghi\n"
        "                    ^\n"
        "       did you mean `Asia/Shanghai`?\n"
        "2 problems\n"
    )
    problems = command.run("config", "check", "--json").json()["problems"]
    assert [(one["line"], one["column"]) for one in problems] == [(3, 3), (4, 14)]


def test_settings_say_where_they_come_from(registered: CommandLine) -> None:
    registered.configure("locale: en\ndream: {idle_minutes: 45}\n")
    found = {
        one["key"]: (one["value"], one["origin"])
        for one in registered.ok("config", "show", "--json").json()["settings"]
    }
    assert found["dream.idle_minutes"] == (45, "memgarden.yaml:2")
    assert found["dream.check_minutes"] == (15, "default")


def test_schemas_are_json(command: CommandLine) -> None:
    assert "dream" in json.loads(command.ok("config", "schema").out)["properties"]
    assert {"request", "answer"} < set(command.ok("model", "schema").json())
    for word in ("config", "model"):  # JSON with the option that every command takes, or without
        assert command.ok(word, "schema", "--json").out == command.ok(word, "schema").out


def test_doctor_is_well_and_mends_permissions(registered: CommandLine) -> None:
    registered.push("mail", "I prefer tea to coffee.")
    registered.ok("doctor")
    store = registered.workspace / ".memgarden" / "memory.db"
    store.chmod(0o644)
    sick = registered.run("doctor", "--json")
    assert sick.code == 1
    failed = [one for one in sick.json()["checks"] if one["level"] == "failed"]
    assert [one["hint"] for one in failed] == ["memgardend doctor --fix"]
    registered.ok("doctor", "--fix")
    assert store.stat().st_mode & 0o777 == 0o600


def test_doctor_lists_the_failpoints(command: CommandLine) -> None:
    names = [
        one["name"] for one in command.ok("doctor", "--failpoints", "--json").json()["failpoints"]
    ]
    assert {"claim.before", "round.topic.answered", "commit.inside"} <= set(names)


def test_doctor_names_a_model_that_is_not_there(registered: CommandLine) -> None:
    registered.configure("locale: en\nmodel: {command: [no-such-model]}\n")
    registered.ok("config", "trust")
    result = registered.run("doctor")
    assert result.code == 1
    assert "✗ model" in result.out


def test_a_backup_brings_back_what_it_holds(registered: CommandLine) -> None:
    registered.push("mail", "I prefer tea to coffee.")
    registered.ok("dream", "mail")
    before = registered.ok("memories", "--json").json()
    copy = registered.ok("backup", "--json").json()["backup"]
    registered.push("more", "Never commit to main.")
    registered.ok("dream", "more")
    assert registered.ok("memories", "--json").json() != before
    registered.workspace.joinpath("notes.db").write_text("no store", "utf-8")
    assert "this wants a yes" not in registered.run("restore", "notes.db").err
    unsaid = registered.run("restore", copy)
    assert (unsaid.code, f"try: memgardend restore {copy} --yes" in unsaid.err) == (2, True)
    kept = registered.ok("restore", copy, "--yes", "--json").json()["kept"]
    assert registered.ok("memories", "--json").json() == before
    assert kept is not None
    registered.ok("doctor")


def test_skip_and_unskip_say_whether_they_changed_anything(registered: CommandLine) -> None:
    registered.push("mail", "I prefer tea to coffee.")
    assert registered.ok("skip", "mail", "--json").json()["changed"]
    assert not registered.ok("skip", "mail", "--json").json()["changed"]
    assert registered.ok("windows", "--json").json()["windows"][0]["state"] == "skipped"
    for line, says in (
        ("skip mail", "is skipped already"),
        ("unskip mail", "is no longer skipped"),
        ("unskip mail", "was not skipped"),
        ("windows --archive mail", "is archived"),
        ("windows --archive mail", "is archived already"),
        ("windows --unarchive mail", "is no longer archived"),
        ("windows --unarchive mail", "was not archived"),
    ):
        assert registered.ok(*line.split()).out == f"event:mail {says}.\n"
    assert registered.ok("windows", "--json").json()["windows"][0]["state"] == "due"


def test_the_model_can_be_tried(registered: CommandLine) -> None:
    assert registered.ok("model", "test", "--json").json()["outcome"] == "ok"
    registered.configure('locale: en\nmodel: {command: [sh, -c, "echo hello"]}\n')
    registered.ok("config", "trust")
    result = registered.run("model", "test", "--json")
    assert (result.code, result.json()["outcome"]) == (69, "unusable")


def test_versions(command: CommandLine) -> None:
    versions = command.ok("version", "--json").json()
    assert {"memgardend", "python", "sqlite", "tzdata"} < set(versions)


def test_ids_are_completed_and_trouble_is_silent(
    dreamed: CommandLine, command: CommandLine
) -> None:
    def complete(where: CommandLine, words: str) -> list[str]:
        where.extra |= {"_MEMGARDEND_COMPLETE": "complete_bash", "COMP_WORDS": words}
        where.extra["COMP_CWORD"] = str(len(words.split()) - 1)
        try:
            return where.ok().out.split()
        finally:
            where.extra.clear()

    assert complete(dreamed, "memgardend why mail-") == ["mail-2", "mail-1"]
    assert complete(dreamed, "memgardend skip event:mail-1") == ["event:mail-1"]
    assert complete(command, "memgardend why mail-") == []
