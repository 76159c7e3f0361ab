"""Turns out of text and messages: who says what."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memgardend.core.editorial.material import (
    MaterialError,
    SpokenTurn,
    rendered,
    turns_of_messages,
    turns_of_text,
)
from memgardend.core.editorial.wording import LOCALES
from memgardend.core.words import Role

H, A = Role.HUMAN, Role.ASSISTANT


@pytest.mark.parametrize(
    ("text", "turns"),
    [
        ("I like tea.", [(H, "I like tea.")]),
        ("User: hi\nAssistant: yes\nmore\nUser: bye", [(H, "hi"), (A, "yes\nmore"), (H, "bye")]),
        ("Notes of May.\nAI: yes", [(H, "Notes of May."), (A, "yes")]),
        ("**Human:** hi\n## Claude: yes", [(H, "hi"), (A, "yes")]),
        ("[2024-05-01 10:00] me: hi\n[10:01] ChatGPT: yes", [(H, "hi"), (A, "yes")]),
        ("用户：你好\n助手：好", [(H, "你好"), (A, "好")]),
        ("Mei: hi\nBasil: yes", [(H, "hi"), (A, "yes")]),
        ("the user: a word in a line", [(H, "the user: a word in a line")]),
        ("Users: many", [(H, "Users: many")]),
        ("User:\n\nAssistant: \n", []),
        ("password = hunter2hunter2", [(H, "password = [masked]")]),
    ],
)
def test_speakers_are_told_apart_by_what_begins_their_lines(
    text: str, turns: list[tuple[Role, str]]
) -> None:
    found = [(one.role, one.text) for one in turns_of_text(text, person="Mei", assistant="Basil")]
    if "masked" in text or "password" in text:
        assert "hunter2" not in found[0][1]
    else:
        assert found == turns


@given(st.text(st.sampled_from("User Assistant\n用户ab"), max_size=60))
def test_no_word_of_a_text_without_speakers_is_lost(text: str) -> None:
    said = "\n".join(one.text for one in turns_of_text(text))
    assert said.split() == text.split()


@given(st.text(st.sampled_from("User:Assistant \n用户：ab"), max_size=60))
def test_who_speaks_is_all_that_is_left_out_of_a_line(text: str) -> None:
    said = "\n".join(one.text for one in turns_of_text(text)).splitlines()
    lines = iter(text.splitlines())
    assert all(any(line.strip().endswith(part.strip()) for line in lines) for part in said)


def test_messages_are_one_a_line_with_the_roles_that_programs_use() -> None:
    lines = (
        '{"role": "user", "content": "hi", "at": "2026-12-01T10:00:00Z"}\n\n'
        '{"role": "assistant", "text": "yes", "at": "soon"}\n{"role": "tool", "text": "ok"}\n'
        '{"text": "no role"}'
    )
    turns = turns_of_messages(lines)
    assert turns is not None
    assert [(one.role, one.text) for one in turns] == [
        (H, "hi"),
        (A, "yes"),
        (Role.TOOL, "ok"),
        (H, "no role"),
    ]
    assert [one.at is None for one in turns] == [False, True, True, True]


def test_plain_text_is_no_list_of_messages_and_a_broken_list_says_where() -> None:
    assert turns_of_messages("I like tea.\n{}") is None
    assert turns_of_messages('{"a": 1}') is None
    assert turns_of_messages("") is None
    with pytest.raises(MaterialError, match="line 3"):
        turns_of_messages('{"text": "hi"}\n\nhello')


def test_a_model_reads_who_spoke_and_when_and_never_a_raw_role() -> None:
    turns = (
        SpokenTurn(role=H, text="hi", at=0),
        SpokenTurn(role=A, text="yes"),
        SpokenTurn(role=Role.TOOL, text="ok", tool="Bash"),
    )
    text = rendered(turns, words=LOCALES["en"], user_name="Mei")
    assert text == "[1970-01-01 00:00] Mei: hi\n\nThe assistant: yes\n\n(Bash): ok"
