"""Every mistake in a prompt pack is found, with its place and a way out."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from memgardend.config.load import check
from memgardend.config.pack_check import check_packs, locale_problem
from memgardend.config.packs import Pack
from memgardend.config.prompting import room_problem
from memgardend.config.yaml_tree import Problem
from memgardend.core.slots import SLOTS
from support.dreaming import pack, slots


def write(folder: Path, slot: str, text: str, locale: str = "en") -> Path:
    file = folder / "prompts" / locale / f"{slot}.md"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return file


LABELS = slots("labels")
SLOT_FILES = ", ".join(f"{name}.md" for name in SLOTS)


def test_the_built_in_packs_have_no_mistake() -> None:
    assert check_packs() == []


def test_without_overrides_there_is_nothing_to_find(tmp_path: Path) -> None:
    assert check_packs(tmp_path / "workspace", tmp_path / "user", "zh-Hans") == []
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("slot", "text", "line", "message", "hint"),
    [
        pytest.param(
            "opening",
            "hello\n{{ peson }}",
            2,
            "unknown placeholder {{peson}}",
            "did you mean {{person}}?",
            id="misspelt placeholder",
        ),
        pytest.param(
            "opening",
            "{{problems}}",
            1,
            "unknown placeholder {{problems}}",
            "known: {{assistant}}, {{fence}}, {{person}}, {{seal}}, {{zone}}",
            id="placeholder of another slot",
        ),
        pytest.param(
            "data", "none", 1, "missing placeholder {{fence}}", "see how the", id="missing one"
        ),
        pytest.param("data", " \n", None, "it is empty", "rm ", id="empty"),
        pytest.param(
            "openning", "hello", None, "this is no slot", "did you mean opening.md?", id="slip"
        ),
        pytest.param("x", "hello", None, "this is no slot", f"slots: {SLOT_FILES}", id="no slot"),
        pytest.param(
            "labels",
            f"{LABELS}\nrole.human",
            LABELS.count("\n") + 2,
            "not a label: role.human",
            "write `name = text`",
            id="no label",
        ),
        pytest.param(
            "labels",
            f"role.human = you\n{LABELS}",
            LABELS.splitlines().index("role.human = human: {{person}}") + 2,
            "label `role.human` is said twice",
            "keep one; the other stands in line 1",
            id="label twice",
        ),
        pytest.param(
            "labels",
            LABELS.replace("event.known = ", "event.known = {{seal}} "),
            LABELS[: LABELS.index("event.known")].count("\n") + 1,
            "unknown placeholder {{seal}}",
            "known: {{assistant}}, {{fence}}, {{person}}, {{zone}}",
            id="placeholder that labels do not know",
        ),
        pytest.param(
            "labels",
            LABELS.replace("person = the person", "person = {{assistant}}'s friend"),
            3,
            "label `person` is the value of a placeholder",
            "write the word itself",
            id="placeholder in a value",
        ),
    ],
)
@pytest.mark.parametrize("place", ["workspace", "user"])
def test_a_mistake_in_an_override_is_found(
    tmp_path: Path, place: str, slot: str, text: str, line: int | None, message: str, hint: str
) -> None:
    workspace, user = tmp_path / "workspace", tmp_path / "user"
    folder = user if place == "user" else workspace / ".memgarden"
    file = write(folder, slot, text)
    (found,) = check_packs(workspace, user)
    assert (found.file, found.line) == (str(file), line)
    assert found.place == (str(file) if line is None else f"{file}:{line}")
    assert found.message.startswith(message)
    assert (found.hint or "").startswith(hint)


def test_the_words_of_the_tools_are_labels_of_their_own(tmp_path: Path) -> None:
    text = slots("tools").replace("remember.stored =", "remember.storred =")
    file = write(tmp_path, "tools", text)
    found = {(one.message, one.hint) for one in check_packs(tmp_path, tmp_path)}
    assert file.exists()
    assert {message for message, _ in found} == {
        "missing label `remember.stored`",
        "unknown label `remember.storred`",
    }


def test_labels_must_be_the_known_ones(tmp_path: Path) -> None:
    file = write(tmp_path, "labels", LABELS.replace("event.known =", "event.knwon ="))
    line = LABELS[: LABELS.index("event.known")].count("\n") + 1
    assert [(one.place, one.message, one.hint) for one in check_packs(user_dir=tmp_path)] == [
        (
            f"{file}:1",
            "missing label `event.known`",
            "add a line: event.known = already dreamed: context only",
        ),
        (f"{file}:{line}", "unknown label `event.knwon`", "did you mean event.known?"),
    ]


def test_hints_are_in_the_language_of_the_pack(tmp_path: Path) -> None:
    labels = pack("zh-Hans")("labels").replace("group.unset = ", "# ")
    write(tmp_path, "labels", labels, "zh-Hans")
    assert [one.hint for one in check_packs(user_dir=tmp_path)] == [
        "add a line: group.unset = 没有注明项目"
    ]


def test_a_folder_that_no_settings_can_name_is_found(tmp_path: Path) -> None:
    write(tmp_path, "seal", "{{seal}} {{zone}}", "zh-CN")
    assert [(one.file, one.message, one.hint) for one in check_packs(user_dir=tmp_path)] == [
        (
            str(tmp_path / "prompts" / "zh-CN"),
            "'zh-CN' is not a locale",
            "did you mean `zh-Hans`?",
        )
    ]


@pytest.mark.parametrize("name", ["opening.txt", "opening", "Opening.md", "notes"])
def test_a_file_that_nobody_reads_is_found(tmp_path: Path, name: str) -> None:
    file = write(tmp_path, "opening", "hello")
    file.rename(file.with_name(name))
    (found,) = check_packs(user_dir=tmp_path)
    assert (found.file, found.message) == (
        str(file.with_name(name)),
        "this is no slot, so it is not read",
    )


def test_a_file_beside_the_packs_is_found(tmp_path: Path) -> None:
    folder = write(tmp_path, "opening", "hello").parents[1]
    (folder / "seal.md").write_text("{{seal}} {{zone}}")
    (folder / ".DS_Store").write_text("")
    (folder / "en" / ".DS_Store").write_text("")
    assert [one.file for one in check_packs(user_dir=tmp_path)] == [str(folder / "seal.md")]


def test_an_unreadable_override_is_a_problem_among_others(tmp_path: Path) -> None:
    file = write(tmp_path, "opening", "")
    file.write_bytes(b"\xff\xfe")
    write(tmp_path, "data", "no fence")
    assert [one.file for one in check_packs(user_dir=tmp_path)] == [
        str(file.with_name("data.md")),
        str(file),
    ]


def test_a_pack_of_a_new_locale_must_be_whole(tmp_path: Path) -> None:
    write(tmp_path, "opening", "Bonjour", locale="fr")
    (found,) = check_packs(user_dir=tmp_path)
    names = [name for name in SLOTS if name != "opening"]
    assert (found.file, found.line) == (str(tmp_path / "prompts" / "fr"), None)
    assert found.message == f"slots are missing: {', '.join(names)}"
    command, _, _ = (found.hint or "").partition("  #")
    subprocess.run(["sh", "-c", command], check=True)
    assert check_packs(user_dir=tmp_path) == []


def test_the_pack_of_the_workspace_must_be_there(tmp_path: Path) -> None:
    (found,) = check_packs(tmp_path / "workspace", tmp_path, "fr")
    assert found.file == str(tmp_path / "prompts" / "fr")
    assert found.message == "there is no prompt pack `fr`; there are en, zh-Hans"


def test_settings_that_name_a_pack_nobody_has_are_wrong_at_their_locale(tmp_path: Path) -> None:
    text = "# mine\nlocale:  fr\n"
    (found,) = locale_problem(text, Pack("fr", None, tmp_path))
    assert found == Problem(
        2, 10, "there is no prompt pack `fr`; there are en, zh-Hans", found.hint
    )
    assert locale_problem("locale: en\n", Pack("en", None, tmp_path)) == []


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("locale: en\nmodel: {preset: claude, max_prompt_chars: 9000}\n", 43),
        ("locale: en\ndelegate: {model: {preset: claude, max_prompt_chars: 9000}}\n", 54),
        ("locale: en\nmodel: {preset: claude, max_prompt_chars: 19000}\n", 0),
        ("locale: en\n", 0),
    ],
)
def test_a_limit_that_the_prompts_do_not_fit_is_wrong_where_it_stands(
    text: str, column: int, tmp_path: Path
) -> None:
    config, problems = check(text)
    assert config is not None, problems
    found = room_problem(text, config, Pack("en", None, tmp_path))
    assert [(one.line, one.column) for one in found] == [(2, column)] * bool(column)
    assert all("set model.max_prompt_chars to " in (one.hint or "") for one in found)
