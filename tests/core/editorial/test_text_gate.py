"""The gate beyond single words: ids of any length, signals of a host, labels that are dropped."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memgardend.core.editorial.text_gate import (
    GENERIC_SIGNALS,
    NO_SIGNALS,
    LeakSignals,
    TextGate,
    closes_too_much,
    leaked_id,
)

UUID = "0192f0c1-7b6e-7c3a-9d0e-5f4a3b2c1d0e"


@pytest.mark.parametrize(
    ("text", "known", "leaks"),
    [
        (f"as {UUID} says", UUID, True),
        (f"as x{UUID.upper()} says", UUID, True),
        ("see card0001.", "card0001", True),
        ("seecard0001there", "card0001", True),
        ("see m_1.", "m_1", True),
        ("见m_1。", "m_1", True),
        ("m_12 is another", "m_1", False),
        ("team_1 won", "m_1", False),
        ("the m3 chip", "m3", True),
        ("the 4 seasons", "4", False),
        ("see [4]", "4", True),
        ("see #4", "4", True),
        ("the record of id 4", "4", True),
        ("编号：4", "4", True),
        ("a cat", "a", False),
        ("see [a]", "a", True),
        ("anything", "", False),
    ],
)
def test_an_id_of_any_length_leaks_where_it_is_one(text: str, known: str, leaks: bool) -> None:
    assert (leaked_id(text, [known]) == known) is leaks
    if leaks:
        gate = TextGate(ids=frozenset({known}))
        assert gate.problem("summary", text) == "summary_contains_card_id"
        assert gate.problem("content", text) == "content_contains_card_id"
        assert gate.bucket(text) == ""


def test_a_word_of_the_person_is_no_leak() -> None:
    assert leaked_id("Mei bought an m3", ["m3"], "I bought an m3 today") is None
    assert leaked_id("Mei bought an m3", ["m3"], "I bought an m30 today") == "m3"


SHOUT = re.compile("!!").search
STAR = re.compile(r"\*").search


@pytest.mark.parametrize(
    ("text", "signals", "problem"),
    [
        ("Mei <!!> tea", LeakSignals(strong=(SHOUT,)), "content_protocol_leak"),
        ("Mei <!!> tea", LeakSignals(weak=(SHOUT,)), None),
        ("Mei <!!> * tea", LeakSignals(weak=(SHOUT, STAR)), "content_protocol_leak"),
        ("Mei drinks tea", LeakSignals(strong=(SHOUT,), weak=(STAR,)), None),
        ('Mei drinks tea"}]', GENERIC_SIGNALS, None),
        ('Mei", "summary": "x"', GENERIC_SIGNALS, "content_protocol_leak"),
        ('Mei", "summary": "x"', NO_SIGNALS, None),
        ('settings = {"a": 1}', GENERIC_SIGNALS, None),
    ],
)
def test_one_strong_or_two_weak_signals(
    text: str, signals: LeakSignals, problem: str | None
) -> None:
    assert TextGate(signals=signals).problem("content", text) == problem


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        ('tea"}]', True),
        ('{"a": 1}', False),
        ("tea}]", False),
        ('["tea", 1', False),
        ('"tea",', False),
    ],
)
def test_the_end_of_a_reply_is_recognised(text: str, ends: bool) -> None:
    assert closes_too_much(text) is ends


def test_labels_are_dropped_for_less_than_texts_are_refused() -> None:
    gate = TextGate(signals=LeakSignals(weak=(STAR,), bucket_denylist=frozenset({"Inbox"})))
    assert [gate.bucket(name) for name in ("*a*", "inbox", "bucket", "…", 7, "Food")] == [
        "",
        "",
        "",
        "",
        "",
        "Food",
    ]
    assert gate.threads(["thread", "*", "Lisbon", " Lisbon ", 3, "y" * 99]) == ["Lisbon", "y" * 80]
    assert len(gate.threads([f"thread {n}" for n in range(20)])) == 8
    assert gate.cues(["none", "stomach", "*"]) == ["stomach"]
    assert TextGate().bucket('tea"}]') == ""


@given(st.text(max_size=80))
def test_no_text_breaks_the_gate(text: str) -> None:
    gate = TextGate(ids=frozenset({"m_1", "4", UUID}), templates=("one line",))
    problem = gate.problem("summary", text)
    assert problem is None or problem.startswith("summary_")
    assert gate.bucket(text) == "" or gate.bucket(gate.bucket(text)) == gate.bucket(text)
