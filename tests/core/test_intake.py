"""An event before it is stored."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memgardend.core.intake import LIMIT_CHARS, begins_as_own, take_in, take_in_window
from memgardend.core.marker import RECALL_RUN, make_marker
from memgardend.core.records import NewEvent, Window
from memgardend.core.words import Role

KEY = b"k" * 32


def _event(text: str, role: Role = Role.HUMAN, tool: str | None = None) -> NewEvent:
    return NewEvent(native_id="e1", at=1, role=role, text=text, tool=tool)


@given(st.text(st.characters(codec=None)), st.sampled_from(list(LIMIT_CHARS)))
def test_what_is_stored_is_short_safe_and_stays_as_it_is(text: str, role: Role) -> None:
    taken = take_in(_event(text, role), KEY)
    taken.text.encode()
    assert len(taken.text) <= LIMIT_CHARS[role]
    assert all(0 <= start < end <= len(taken.text) for start, end in taken.pasted)
    assert take_in(taken, KEY) == taken


MARKER = make_marker(KEY, "r", "w", "topic")


def test_a_marker_counts_wherever_it_stands_even_where_clipping_would_drop_it() -> None:
    text = "x " * 40_000 + MARKER + " y" * 40_000
    assert take_in(_event(text, Role.SCRIPT), KEY).role is Role.OWN
    assert take_in(_event(text, Role.TOOL, "Read"), KEY).role is Role.OWN


OUR_PROMPT = f"{MARKER}\n# Tend the memory\nNever keep secrets.\n{MARKER}\n"
QUOTED = {
    "a mention": (f"What is {MARKER}? I prefer tabs.", "What is [memgardend-own]? I prefer tabs."),
    "a whole prompt": (
        f"You asked:\n{OUR_PROMPT}I prefer tabs.",
        "You asked:\n\n> [a prompt of memgardend, left out]\n\nI prefer tabs.",
    ),
    "its beginning": (
        f"I prefer tabs.\n{MARKER}\n# Tend the memory\nNever keep",
        "I prefer tabs.\n\n> [the rest is of memgardend, left out]\n",
    ),
}


@pytest.mark.parametrize(("text", "stored"), QUOTED.values(), ids=QUOTED.keys())
def test_a_person_who_quotes_us_keeps_their_own_words(text: str, stored: str) -> None:
    taken = take_in(_event(text), KEY)
    assert (taken.role, taken.text) == (Role.HUMAN, stored)
    assert all("left out" in stored[start:end] for start, end in taken.pasted)
    assert take_in(taken, KEY) == taken


def test_a_turn_without_a_word_of_the_person_is_ours() -> None:
    assert take_in(_event(f"\n{OUR_PROMPT}\n"), KEY).role is Role.OWN
    assert take_in(_event(MARKER), KEY).role is Role.OWN


OWN_TOOLS = {
    "memory_search": True,
    "mcp__memgardend__memory_read": True,
    "memgardend": True,
    "Bash": False,
    "memo": False,
}


@pytest.mark.parametrize(("tool", "own"), OWN_TOOLS.items())
def test_results_of_our_tools_are_ours(tool: str, own: bool) -> None:
    assert (take_in(_event("x", Role.TOOL, tool), KEY).role is Role.OWN) == own


def test_a_secret_at_the_cut_is_masked_whole() -> None:
    secret = "sk-ant-" + "aB3dE6gH9jK2" * 4
    for start in range(15_900, 16_100, 7):
        taken = take_in(_event("x" * start + " " + secret + " " + "y" * 40_000), KEY)
        assert "aB3dE6" not in taken.text


def test_only_the_first_prompt_decides_whose_conversation_it_is() -> None:
    own, human = _event("x", Role.OWN), _event("x")
    notice = _event("x", Role.SYSTEM)
    assert begins_as_own([notice, own, human])
    assert not begins_as_own([human, own])
    assert not begins_as_own([notice])


def test_a_prompt_of_ours_that_a_command_wrapped_begins_a_conversation_of_ours() -> None:
    wrapped = take_in(_event(f"Answer in JSON.\n{OUR_PROMPT}"), KEY)
    mentioned = take_in(_event(f"Why do I see {MARKER}?"), KEY)
    assert begins_as_own([wrapped])
    assert not begins_as_own([mentioned, wrapped])


RECALLED = make_marker(KEY, RECALL_RUN, "w", "hits")


def test_an_answer_of_our_tools_makes_a_conversation_nobody_elses() -> None:
    answer = take_in(_event("the port is 8080", Role.TOOL, "memory_search"), KEY)
    assert not begins_as_own([answer, take_in(_event("What is the port?"), KEY)])


def test_what_our_command_printed_makes_a_conversation_nobody_elses() -> None:
    printed = take_in(_event("the port is 8080", Role.OWN, "Bash"), KEY)
    assert (printed.role, printed.recalled) == (Role.OWN, True)
    assert not begins_as_own([printed, take_in(_event("What is the port?"), KEY)])


@pytest.mark.parametrize("field", ["native_id", "tool"])
def test_names_are_cleaned_of_a_text_that_stays_as_it_is(field: str) -> None:
    unclean: dict[str, Any] = {field: "a\x1bb\n"}
    event = replace(_event("port 8080", Role.TOOL, "Read"), **unclean)
    assert "\x1b" not in str(getattr(take_in(event, KEY), field))


def test_a_short_text_of_a_tool_is_masked() -> None:
    taken = take_in(_event("password: correct7horse", Role.TOOL, "Read"), KEY)
    assert taken.text == "password: [masked]"


def test_what_was_recalled_into_a_conversation_is_ours_and_makes_it_nobody_elses() -> None:
    injected = take_in(_event(f"{RECALLED}\nFrom memory\n> the port is 8080\n{RECALLED}"), KEY)
    assert (injected.role, injected.asked_by_us) == (Role.OWN, False)
    assert not begins_as_own([injected, take_in(_event("What is the port?"), KEY)])
    assert begins_as_own([injected, take_in(_event(OUR_PROMPT), KEY)])


def test_a_message_that_something_recalled_was_put_into_keeps_the_persons_words() -> None:
    text = f"{RECALLED}\n> the port is 8080\n{RECALLED}\nWhat is the port?"
    taken = take_in(_event(text), KEY)
    assert taken.text == "\n> [recalled by memgardend, left out]\n\nWhat is the port?"
    assert (taken.role, taken.asked_by_us) == (Role.HUMAN, False)


def test_a_title_is_masked_and_cut() -> None:
    window = Window(id="s:w", source="s", native_id="w", title="token=abc12345\n" + "x" * 5000)
    title = take_in_window(window).title
    assert title is not None
    assert title.startswith("token=[masked] xxx")
    assert len(title) == 200
