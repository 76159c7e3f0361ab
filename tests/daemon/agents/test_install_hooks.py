"""Hooks in and out of settings as people have them: nothing of theirs is lost, and nothing of ours stays."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memgardend.core.errors import ConfigError
from memgardend.daemon.agents.hook_settings import (
    EVENTS,
    handlers_of,
    positions,
    with_hooks,
    without_hooks,
)
from memgardend.daemon.agents.install import (
    Change,
    Done,
    apply,
    installed_commands,
    plan_install,
    plan_removal,
)
from memgardend.daemon.agents.notes import Notes
from memgardend.daemon.agents.places import Agent, Place, place_of

COMMAND = "/opt/memgardend/bin/memgardend-hook claude-code"
OURS = {event: [COMMAND] for event in EVENTS}
CLAUDE = """{
    "$schema": "https://json.schemastore.org/claude-code-settings.json",
    "permissions": {"allow": ["Bash(npm run *)"], "deny": []},
    "model": "opus",
    "hooks": {
        "PreToolUse": [
            {"matcher": "Bash", "hooks": [{"type": "command", "command": "\\"$CLAUDE_PROJECT_DIR\\"/check.sh"}]}
        ],
        "Stop": [
            {"hooks": [{"type": "command", "command": "notify-send 'done'", "timeout": 5}]}
        ]
    },
    "statusLine": {"type": "command", "command": "~/.claude/line.sh"}
}"""
CODEX = """{"hooks":{"SessionStart":[{"matcher":"startup|resume","hooks":[{"type":"command","command":"a.py"}]}]}}
"""
SETTINGS = {
    "nothing": None,
    "empty": "",
    "blank": " \n",
    "an object": "{}\n",
    "spaces": "{ }",
    "hooks without events": '{"hooks": {}, "a": 1.50}',
    "events without hooks": '{\n\t"hooks": {\n\t\t"Stop": []\n\t}\n}\n',
    "claude": CLAUDE,
    "codex": CODEX,
    "comments": '{\n  // mine\n  "a": 1, /* x */\n}\n',
    "windows": CLAUDE.replace("\n", "\r\n"),
    "byte order mark": "\ufeff" + CLAUDE,
}
FORMATS = st.fixed_dictionaries(
    {
        "indent": st.sampled_from([None, 2, 4, "\t"]),
        "ensure_ascii": st.booleans(),
        "separators": st.sampled_from([None, (",", ":")]),
    }
)
HANDLERS = st.fixed_dictionaries(
    {"type": st.just("command"), "command": st.text(max_size=9)},
    optional={"timeout": st.integers(1, 9)},
)
GROUPS = st.fixed_dictionaries(
    {"hooks": st.lists(HANDLERS, min_size=1, max_size=2)}, optional={"matcher": st.text(max_size=5)}
)
DOCUMENTS = st.fixed_dictionaries(
    {},
    optional={
        "model": st.text(max_size=5),
        "hooks": st.dictionaries(
            st.sampled_from([*EVENTS, "PreToolUse"]),
            st.lists(GROUPS, min_size=1, max_size=2),
            min_size=1,
        ),
        "env": st.dictionaries(st.text(max_size=3), st.text(max_size=3), max_size=2),
    },
)


class Machine:
    """A settings file, and the notes of a user."""

    def __init__(self, folder: Path, text: str | None) -> None:
        self.place = Place(Agent.CLAUDE_CODE, folder / "claude" / "settings.json")
        self.notes = Notes(folder / "state")
        if text is not None:
            self.file.parent.mkdir()
            self.file.write_bytes(text.encode())

    @property
    def file(self) -> Path:
        return self.place.file

    @property
    def text(self) -> str | None:
        return self.file.read_bytes().decode() if self.file.exists() else None

    def install(self, command: str = COMMAND) -> Done:
        return self._do(plan_install(self.place, command, self.notes), install=True)

    def uninstall(self) -> Done:
        return self._do(plan_removal(self.place, self.notes), install=False)

    def _do(self, change: Change, *, install: bool) -> Done:
        apply(change, self.notes, install=install)
        return change.done


@pytest.mark.parametrize("text", SETTINGS.values(), ids=SETTINGS.keys())
def test_the_way_back_leads_to_every_byte(tmp_path: Path, text: str | None) -> None:
    machine = Machine(tmp_path, text)
    machine.install()
    assert installed_commands(machine.place) == OURS
    assert machine.install() is Done.UNCHANGED
    assert machine.uninstall() in (Done.RESTORED, Done.REMOVED)
    assert machine.text == text
    assert machine.uninstall() is Done.ABSENT
    assert machine.text == text
    assert machine.file.parent.exists() == (text is not None)
    assert not list((tmp_path / "state" / "agents").iterdir())


@given(DOCUMENTS, FORMATS)
def test_what_others_wrote_stays_in_the_text_too(
    document: dict[str, Any], how: dict[str, Any]
) -> None:
    text = json.dumps(document, **how)
    ours = with_hooks(text, COMMAND)
    assert handlers_of(ours) == OURS
    assert with_hooks(ours, COMMAND) == ours
    assert without_hooks(ours) == text
    said = json.loads(ours)
    for event, groups in document.get("hooks", {}).items():
        assert said["hooks"][event][: len(groups)] == groups
    assert {**said, "hooks": None} == {**document, "hooks": None}


def test_settings_that_changed_since_lose_only_what_is_ours(tmp_path: Path) -> None:
    machine = Machine(tmp_path, CLAUDE)
    machine.install()
    machine.file.write_text(str(machine.text).replace('"opus"', '"sonnet"'), "utf-8")
    assert machine.uninstall() is Done.UPDATED
    assert machine.text == CLAUDE.replace('"opus"', '"sonnet"')


def test_another_installation_takes_the_place_of_the_old_one(tmp_path: Path) -> None:
    machine = Machine(tmp_path, CODEX)
    machine.install("'/an old/memgardend-hook' claude-code")
    assert machine.install() is Done.UPDATED
    assert installed_commands(machine.place) == OURS
    assert machine.uninstall() is Done.RESTORED
    assert machine.text == CODEX


def test_a_matcher_that_somebody_gave_our_hook_goes_with_it() -> None:
    text = with_hooks("{}", COMMAND)
    document = json.loads(text)
    document["hooks"]["SessionStart"][0]["matcher"] = "startup"
    assert json.loads(without_hooks(json.dumps(document))) == {}


@pytest.mark.parametrize(
    ("text", "mistake"),
    [
        (b'{"model": "opus",\n  oops}', "line 2, column 3: a name in quotes is missing"),
        (b"[]", "the settings should be an object"),
        (b'{"hooks": []}', "`hooks` should be an object"),
        (b'{"hooks": {"Stop": {}}}', "`hooks.Stop` should be a list"),
        (b'{"a": "\xff"}', "not UTF-8 at byte 7"),
    ],
)
def test_broken_settings_are_refused_with_the_place(
    tmp_path: Path, text: bytes, mistake: str
) -> None:
    machine = Machine(tmp_path, "")
    machine.file.write_bytes(text)
    for plan in (machine.install, machine.uninstall):
        with pytest.raises(ConfigError, match=mistake) as caught:
            plan()
        assert str(machine.file) in str(caught.value)
    assert machine.file.read_bytes() == text


def test_a_link_and_a_mode_stay(tmp_path: Path) -> None:
    machine = Machine(tmp_path, None)
    real = tmp_path / "dotfiles.json"
    real.write_text("{}", "utf-8")
    real.chmod(0o640)
    machine.file.parent.mkdir()
    machine.file.symlink_to(real)
    machine.install()
    assert machine.file.is_symlink()
    assert installed_commands(machine.place)
    assert real.stat().st_mode & 0o777 == 0o640


def test_the_copy_is_private(tmp_path: Path) -> None:
    machine = Machine(tmp_path, CLAUDE)
    machine.install()
    note = machine.notes.file(machine.file)
    assert note.stat().st_mode & 0o777 == 0o600
    assert note.parent.stat().st_mode & 0o777 == 0o700


def damaged(note: Path) -> None:
    note.write_text("{", "utf-8")


@pytest.mark.parametrize("lose", [Path.unlink, damaged])
def test_without_the_copy_what_is_ours_still_goes(
    tmp_path: Path, lose: Callable[[Path], None]
) -> None:
    machine = Machine(tmp_path, CLAUDE)
    machine.install()
    lose(machine.notes.file(machine.file))
    assert machine.uninstall() is Done.UPDATED
    assert machine.text == CLAUDE


@pytest.mark.parametrize(
    ("agent", "environ", "folder", "file"),
    [
        ("claude-code", {}, None, "~/.claude/settings.json"),
        ("claude-code", {"CLAUDE_CONFIG_DIR": "/c"}, None, "/c/settings.json"),
        ("claude-code", {}, "/work", "/work/.claude/settings.local.json"),
        ("codex", {}, None, "~/.codex/hooks.json"),
        ("codex", {"CODEX_HOME": "/c"}, None, "/c/hooks.json"),
        ("codex", {"CODEX_HOME": "/c"}, "/work", "/work/.codex/hooks.json"),
    ],
)
def test_each_agent_has_its_place(
    agent: str, environ: dict[str, str], folder: str | None, file: str
) -> None:
    place = place_of(Agent(agent), environ, Path(folder) if folder else None)
    assert place.file == Path(file).expanduser()


@pytest.mark.parametrize(
    ("toml", "remark"),
    [
        (None, None),
        ('model = "gpt-5.4"\n', None),
        ("[features]\nhooks = false\n", "switches hooks off"),
        ("[features]\ncodex_hooks = false\n", "switches hooks off"),
        ("[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = 'command'\n", "has hooks, too"),
        ("[features\n", "cannot be read"),
    ],
)
def test_codex_s_other_settings_are_looked_at(
    tmp_path: Path, toml: str | None, remark: str | None
) -> None:
    place = place_of(Agent.CODEX, {"CODEX_HOME": str(tmp_path)})
    if toml is not None:
        place.config.write_text(toml, "utf-8")
    trust, *others = place.remarks()
    assert "/hooks" in trust
    assert [remark in one for one in others if remark] == ([True] if remark else [])


@pytest.mark.parametrize(
    "text",
    [
        '{\n  "hooks": { // ours\n    // nothing yet\n  },\n}\n',
        '{\n  "hooks": {\n    "Stop": [\n      // mine\n    ]\n  }\n}\n',
    ],
    ids=["in the hooks", "in an event"],
)
def test_a_comment_beside_our_hooks_alone_is_not_taken_out_with_them(text: str) -> None:
    left = without_hooks(with_hooks(text, COMMAND))
    assert handlers_of(left) == {}
    assert all(part in left for part in re.findall("// .*", text))


def test_ours_are_found_among_those_of_others() -> None:
    other = '{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "mine"}]}]}}'
    found = positions(with_hooks(other, COMMAND))
    assert found == [("Stop", 1, 0), ("SessionStart", 0, 0), ("UserPromptSubmit", 0, 0)]
