"""What the commands say about prompt packs: `config prompts`, `config check`, `doctor`, `init`."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from memgardend.config.packs import Pack
from memgardend.core.slots import SLOTS
from memgardend.daemon.cli.app import run_command
from memgardend.daemon.doctor import examine
from memgardend.daemon.registry import Registry, registry_dir


@dataclass
class Here:
    """A home with a workspace, in which commands run."""

    home: Path
    capture: pytest.CaptureFixture[str]

    @property
    def root(self) -> Path:
        return self.home / "work"

    @property
    def user(self) -> Path:
        return self.home / "config" / "memgardend" / "prompts"

    @property
    def own(self) -> Path:
        return self.root / ".memgarden" / "prompts"

    def write(self, folder: Path, slot: str, text: str, locale: str = "en") -> Path:
        file = folder / locale / f"{slot}.md"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
        return file

    def settings(self, text: str) -> None:
        (self.root / "memgarden.yaml").write_text(text, "utf-8")

    def register(self) -> None:
        assert self.run("init", "--locale", "en")[0] == 0

    def run(self, *arguments: str) -> tuple[int, str, str]:
        """Exit code, stdout and stderr of a command line."""
        try:
            code = run_command(arguments)
        except SystemExit as exit_:
            code = int(exit_.code or 0)
        out, err = self.capture.readouterr()
        return code, out, err

    def json(self, *arguments: str) -> Any:
        return json.loads(self.run(*arguments, "--json")[1])

    def origins(self, *arguments: str) -> dict[str, str]:
        slots = self.json("config", "prompts", *arguments)["slots"]
        return {one["slot"]: one["origin"] for one in slots}


@pytest.fixture
def here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Here:
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("config", "state", "cache"):
        monkeypatch.setenv(f"XDG_{name.upper()}_HOME", str(tmp_path / name))
    return Here(tmp_path, capsys)


def test_each_slot_says_where_it_comes_from(here: Here) -> None:
    here.register()
    here.write(here.user, "opening", "mine")
    here.write(here.user, "data", "mine {{fence}}")
    file = here.write(here.own, "data", "ours {{fence}}")
    origins = here.origins()
    assert list(origins) == list(SLOTS)
    assert {name: origin for name, origin in origins.items() if origin != "built-in"} == {
        "opening": "user",
        "data": "workspace",
    }
    slots = {one["slot"]: one for one in here.json("config", "prompts")["slots"]}
    assert slots["data"]["file"] == str(file)
    assert Path(slots["seal"]["file"]).read_text("utf-8") == Pack("en").slot("seal")


def test_overrides_of_a_workspace_count_only_when_it_is_registered_or_named(here: Here) -> None:
    here.settings("locale: en\n")
    here.write(here.own, "opening", "brought along")
    code, out, err = here.run("config", "prompts")
    assert (code, "workspace" in out) == (0, False)
    assert f"warning: {here.root} is not registered" in err
    assert here.origins("-w", str(here.root))["opening"] == "workspace"
    here.register()
    assert here.origins()["opening"] == "workspace"


def test_another_locale_can_be_looked_at(here: Here) -> None:
    assert set(here.origins().values()) == {"built-in"}
    assert "zh-Hans" in here.json("config", "prompts", "--locale", "zh-Hans")["slots"][0]["file"]
    assert set(here.origins("--locale", "fr").values()) == {"missing"}
    code, _, err = here.run("config", "prompts", "--locale", "zh")
    assert (code, "did you mean `zh-Hans`?" in err) == (2, True)


def test_check_names_file_line_and_a_way_out(here: Here) -> None:
    here.register()
    mine = here.write(here.user, "opening", "\n{{peson}}")
    ours = here.write(here.own, "data", "no fence")
    code, out, _ = here.run("config", "prompts", "--check")
    assert code == 78
    lines = out.splitlines()
    assert lines[0] == f"{ours}:1: error: missing placeholder {{{{fence}}}}"
    assert lines[2:] == [
        f"{mine}:2: error: unknown placeholder {{{{peson}}}}",
        "  try: did you mean {{person}}?",
        "2 problems",
    ]
    found = here.json("config", "prompts", "--check")["problems"]
    assert [(one["file"], one["line"]) for one in found] == [(str(ours), 1), (str(mine), 2)]


def test_check_without_a_mistake_names_the_packs(here: Here) -> None:
    for name in SLOTS:
        here.write(here.user, name, Pack("en").slot(name), "fr")
    code, out, _ = here.run("config", "prompts", "--check")
    assert (code, out) == (0, "✓ every slot is in order: en, fr, zh-Hans\n")


def test_check_wants_the_pack_of_the_settings(here: Here) -> None:
    here.settings("locale: fr\n")
    code, out, _ = here.run("config", "prompts", "--check")
    assert (code, "no prompt pack `fr`" in out) == (78, True)


def test_settings_without_a_pack_are_wrong_where_they_name_it(here: Here) -> None:
    here.settings("# mine\nlocale: fr\n")
    code, _, _ = here.run("config", "check")
    (problem,) = here.json("config", "check")["problems"]
    assert (code, problem["line"], problem["column"]) == (78, 2, 9)
    assert problem["message"] == "there is no prompt pack `fr`; there are en, zh-Hans"
    assert problem["hint"].startswith("mkdir -p ")
    here.settings("locale: en\n")
    assert here.run("config", "check")[0] == 0


def test_init_writes_nothing_without_a_pack(here: Here) -> None:
    code, _, err = here.run("init", "--locale", "fr")
    assert (code, "no prompt pack `fr`" in err) == (78, True)
    assert list(here.root.iterdir()) == []
    for name in SLOTS:
        here.write(here.own, name, Pack("en").slot(name), "fr")
    assert here.run("init", "--locale", "fr")[0] == 0


def test_doctor_looks_into_both_folders(here: Here) -> None:
    here.register()

    def prompts() -> list[tuple[str, str]]:
        found = examine(here.root, os.environ, named=False)
        return [(one.level, one.detail) for one in found if one.name == "prompts"]

    assert prompts() == [("ok", "the pack `en` is complete")]
    here.write(here.user, "opening", "mine")
    assert prompts() == [("ok", "the pack `en` is complete; yours: opening")]
    mine = here.write(here.user, "opening", "{{peson}}")
    ours = here.write(here.own, "data", "")
    assert prompts() == [
        ("failed", f"{ours}: it is empty: the prompt would lack this part"),
        ("failed", f"{mine}:1: unknown placeholder {{{{peson}}}}"),
    ]
    assert Registry(registry_dir()).is_registered(here.root)
