"""Text from outside can neither drive the terminal nor break a line."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from memgardend.daemon.screens.table import Cell, Column, facts, table
from memgardend.daemon.screens.text import (
    clean,
    clean_lines,
    dotted,
    fit,
    flow,
    lead,
    many,
    paragraph,
    wrap,
)

HOSTILE = {
    "colour": ("\x1b[31mred\x1b[0m", "red"),
    "cursor": ("a\x1b[2J\x1b[1;1Hb", "ab"),
    "title": ("\x1b]0;owned\x07title", "title"),
    "link": ("\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "link"),
    "clipboard without an end": ("a\x1b]52;c;aGk=", "a"),
    "device string": ("a\x1bPq#0\x1b\\b", "ab"),
    "eight-bit control": ("a\x9b31mb", "ab"),
    "charset": ("a\x1b(0b", "ab"),
    "bell and backspace": ("a\x07\x08b", "ab"),
    "line break": ("a\r\nb\tc", "a b c"),
    "right-to-left override": ("a\u202eb\u2066c", "abc"),
    "zero width": ("a\u200bb\ufeffc", "abc"),
    "markup is only text": ("[bold]x[/bold]", "[bold]x[/bold]"),
    "lone escape": ("a\x1b", "a"),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_hostile_text_becomes_plain(case: str) -> None:
    text, plain = HOSTILE[case]
    assert clean(text) == plain


@given(st.text())
def test_clean_text_holds_nothing_that_cannot_be_seen(text: str) -> None:
    assert not {unicodedata.category(char) for char in clean(text)} & {"Cc", "Cf", "Cs", "Zl", "Zp"}
    assert "\n" not in clean(text)


def test_lines_stay_lines() -> None:
    assert clean_lines("one\n\n\x1b[31mtwo\n  three ") == ["one", "two", "three"]


WORDS = st.text(alphabet=st.sampled_from("ab 漢字、—\u0301x"), max_size=60)


@given(WORDS, st.integers(8, 40))
def test_wrapped_lines_fit_and_lose_nothing(text: str, cells: int) -> None:
    text = clean(text)
    lines = wrap(text, cells)
    assert all(cell_len(line) <= cells for line in lines)
    assert "".join("".join(lines).split()) == "".join(text.split())


@given(WORDS, st.integers(1, 40))
def test_fitted_text_fits(text: str, cells: int) -> None:
    assert cell_len(fit(clean(text), cells)) <= cells


@given(st.lists(st.tuples(WORDS, WORDS, WORDS), max_size=4), st.integers(30, 80))
def test_a_table_never_leaves_its_width(rows: list[tuple[str, str, str]], width: int) -> None:
    columns = (Column("A", head=True), Column("B", optional=True), Column("C", least=6))
    cells = [[Cell(text) for text in row] for row in rows]
    lines = table(columns, cells, width)
    assert [line.plain for line in lines if cell_len(line.plain) > width] == []


@given(WORDS)
def test_a_pipe_gets_cells_whole(text: str) -> None:
    lines = table((Column("A"), Column("B", least=4)), [[Cell("x"), Cell(text * 3)]], None)
    assert clean(text * 3) in lines[1].plain


def test_a_long_value_goes_on_under_itself() -> None:
    lines = [line.plain for line in facts([("name", "one two three four")], 18)]
    assert lines == ["  name  one two", "        three four"]


def test_prose_is_indented_and_led() -> None:
    lines = paragraph("one two three", 10, indent=2, first="!")
    assert [line.plain for line in lines] == ["! one two", "  three"]


@pytest.mark.parametrize(
    ("count", "text"), [(0, "0 events"), (1, "1 event"), (2, "2 events"), (1234, "1,234 events")]
)
def test_many(count: int, text: str) -> None:
    assert many(count, "event") == text


def test_more_than_an_s() -> None:
    assert many(2, "memory", "memories") == "2 memories"


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("口, 境, 灯", ["口,", "境,", "灯"]),
        ("口，用。", ["口，", "用。"]),
        ("他说“端口”", ["他说", "“端", "口”"]),
    ],
)
def test_no_line_begins_with_what_closes_nor_ends_with_what_opens(
    text: str, lines: list[str]
) -> None:
    assert wrap(text, 4) == lines


@given(st.lists(WORDS.map(clean).filter(bool), max_size=6), st.integers(2, 40))
def test_parts_flow_within_the_width(parts: list[str], cells: int) -> None:
    lines = flow(parts, cells)
    assert all(cell_len(line) <= cells for line in lines)
    assert "".join("".join(lines).split()) == "".join("".join(parts).split())


def test_a_part_is_broken_only_where_it_is_longer_than_a_line() -> None:
    lines = [line.plain for line in dotted(["one", "two three", "", "four, five, six, seven"], 17)]
    assert lines == ["one · two three ·", "four, five, six,", "seven"]


def test_a_list_longer_than_a_line_is_broken_between_its_items() -> None:
    lines = [line.plain for line in dotted(["alpha one, beta two, gamma three"], 17)]
    assert lines == ["alpha one,", "beta two,", "gamma three"]


def test_a_sentence_longer_than_a_line_begins_where_there_is_room() -> None:
    lines = [line.plain for line in dotted(["ab", "one two three four"], 10)]
    assert lines == ["ab · one", "two three", "four"]


def test_a_command_to_type_stays_on_one_line() -> None:
    lines = [line.plain for line in lead("For the reason, try:", "memgardend why a8", 30)]
    assert lines == ["For the reason, try:", "memgardend why a8"]


def test_a_column_that_says_nothing_goes_first() -> None:
    columns = (Column("A", head=True), Column("B", optional=True), Column("EMPTY"))
    rows = [[Cell("aaaa"), Cell("bbbb"), Cell("-")]]
    assert [line.plain for line in table(columns, rows, 12)] == ["A     B", "aaaa  bbbb"]
