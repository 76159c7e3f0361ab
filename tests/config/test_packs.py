"""Prompt packs: who wins, what is read when, and every mistake in one."""

from __future__ import annotations

from pathlib import Path

import pytest

from memgardend.config.packs import Pack, PackProblem, check_packs, locales
from memgardend.core.errors import ConfigError
from memgardend.core.slots import SLOTS


def write(folder: Path, slot: str, text: str, locale: str = "en") -> Path:
    file = folder / locale / f"{slot}.md"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return file


def test_the_built_in_packs_hold_every_slot_and_no_mistake() -> None:
    assert check_packs() == []
    assert "en" in locales()
    for locale in locales():
        assert all(Pack(locale).slot(name).strip() for name in SLOTS)


def test_the_workspace_wins_over_the_user_and_the_user_over_the_built_in(tmp_path: Path) -> None:
    workspace, user = tmp_path / "workspace", tmp_path / "user"
    pack = Pack("en", workspace, user)
    built_in = pack.slot("opening")
    write(user / "prompts", "opening", "the user's")
    assert pack.slot("opening") == "the user's"
    write(workspace / ".memgarden" / "prompts", "opening", "the workspace's")
    assert pack.slot("opening") == "the workspace's"
    assert Pack("en").slot("opening") == built_in
    assert pack.slot("seal") == Pack("en").slot("seal")


def test_a_slot_is_read_at_each_use(tmp_path: Path) -> None:
    file = write(tmp_path / "prompts", "opening", "one")
    pack = Pack("en", user_dir=tmp_path)
    assert pack.slot("opening") == "one"
    file.write_text("two")
    assert pack.slot("opening") == "two"


@pytest.mark.parametrize(("locale", "slot"), [("xx", "opening"), ("en", "nonsense")])
def test_a_missing_slot_is_a_config_error_with_a_way_out(locale: str, slot: str) -> None:
    with pytest.raises(ConfigError, match=f"`{locale}` has no slot `{slot}`") as caught:
        Pack(locale).slot(slot)
    assert "memgardend doctor" in (caught.value.hint or "")


def test_an_unreadable_slot_is_a_config_error(tmp_path: Path) -> None:
    write(tmp_path / "prompts", "opening", "").write_bytes(b"\xff\xfe")
    with pytest.raises(ConfigError, match=r"cannot read the prompt text .*opening\.md"):
        Pack("en", user_dir=tmp_path).slot("opening")


@pytest.mark.parametrize(
    ("slot", "text", "problem"),
    [
        ("opening", "hello {{nobody}}", "unknown placeholder: nobody"),
        ("opening", "{{problems}}", "unknown placeholder: problems"),
        ("data", "no fence here", "missing placeholder: fence"),
        ("openning", "hello", f"no such slot; there are {', '.join(SLOTS)}"),
        ("labels", "role.human", "prompt slot `labels`, line 1: not a label: 'role.human'"),
    ],
    ids=["unknown placeholder", "one of another slot", "missing one", "unknown slot", "no label"],
)
def test_a_mistake_in_an_override_is_found(
    tmp_path: Path, slot: str, text: str, problem: str
) -> None:
    file = write(tmp_path / "prompts", slot, text)
    assert check_packs(user_dir=tmp_path) == [PackProblem(str(file), problem)]


def test_labels_must_be_the_known_ones(tmp_path: Path) -> None:
    text = Pack("en").slot("labels").replace("event.known =", "event.knwon =")
    file = write(tmp_path / ".memgarden" / "prompts", "labels", text)
    assert check_packs(workspace_dir=tmp_path) == [
        PackProblem(str(file), "unknown label: event.knwon"),
        PackProblem(str(file), "missing label: event.known"),
    ]


def test_a_pack_of_a_new_locale_must_be_whole(tmp_path: Path) -> None:
    write(tmp_path / "prompts", "opening", "Bonjour", locale="fr")
    problems = check_packs(user_dir=tmp_path)
    assert [one.text for one in problems] == [
        f"slot `{name}` is missing" for name in SLOTS if name != "opening"
    ]
    assert {one.path for one in problems} == {str(tmp_path / "prompts" / "fr")}


def test_an_unreadable_override_is_a_problem_among_others(tmp_path: Path) -> None:
    file = write(tmp_path / "prompts", "opening", "")
    file.write_bytes(b"\xff\xfe")
    write(tmp_path / "prompts", "data", "no fence")
    assert [one.path for one in check_packs(user_dir=tmp_path)] == [
        str(file),
        str(file.with_name("data.md")),
    ]


def test_without_overrides_there_is_nothing_to_find(tmp_path: Path) -> None:
    assert check_packs(tmp_path / "workspace", tmp_path / "user") == []
    assert list(tmp_path.iterdir()) == []
