"""Quotes: a model's copy is found whatever does not matter about it, and nothing else is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memgardend.core.fold import fold
from memgardend.core.judgement import Refused
from memgardend.core.operations import QuoteRef
from memgardend.core.quotes import Found, ShownEvents, find_quote, locate
from memgardend.core.records import Event
from memgardend.core.words import Refusal, Role
from support.dreaming import event

TEXT = "Please use port 8080 for the API, and never restart it by hand."


COPIES = {
    "verbatim": (TEXT, "use port 8080 for the API", "use port 8080 for the API"),
    "white_space": ("use  port\n 8080 now", "use port 8080 now", "use  port\n 8080 now"),
    "quotes": ("it\u2019s \u201cport 80\u201d", "it's \"port 80", "it\u2019s \u201cport 80"),
    "dashes": ("port 80 \u2014 not 90", "port 80 -- not 90", "port 80 \u2014 not 90"),
    "emphasis": ("use **port 8080** _now_ ", "use port 8080 now", "use **port 8080** _now"),
    "code_span": ("run `make test` now", "run make test now", "run `make test` now"),
    "list_marks": ("- one thing\n- two", "one thing two", "one thing\n- two"),
    "heading_mark": ("## A heading\ntext", "A heading text", "A heading\ntext"),
    "link": (
        "see [the guide](http://x.y) first",
        "see the guide first",
        "see [the guide](http://x.y) first",
    ),
    "number_that_is_no_list": ("the version 3. is final", "3. is final.", None),
    "number_inside_a_line": ("the version 3. is the last", "3. is the last", "3. is the last"),
    "full_width": ("\uff55\uff53\uff45 port 8080", "use port 8080", "\uff55\uff53\uff45 port 8080"),
    "combining_marks": ("cafe\u0301 at noon", "caf\u00e9 at noon", "cafe\u0301 at noon"),
    "line_break_beside_cjk": ("以后端口都用\n9090", "端口都用9090", "端口都用\n9090"),
    "wrapped_in_quotes": (TEXT, '"use port 8080 for"', "use port 8080 for"),
    "ellipsis": (TEXT, "use port … for the API", "use port 8080 for the API"),
    "dots": (TEXT, "use port...[...] for the API", "use port 8080 for the API"),
    "dots_of_the_text": ("wait... the port is 80", "wait... the port", "wait... the port"),
    "short_whole_turn": ("yes", "yes", "yes"),
    "short_whole_turn_folded": ("**yes**", "yes", "yes"),
    "eleven_characters": (TEXT, "port 8080 f", None),
    "twelve_characters": (TEXT, "port 8080 fo", "port 8080 fo"),
    "another_value": (TEXT, "use port 9090 for the API", None),
    "another_case": (TEXT, "Use Port 8080 For The API", None),
    "parts_out_of_order": (TEXT, "by hand … use port 8080", None),
    "tiny_parts": (TEXT, "P…l…e…a…s…e…u", None),
    "one_tiny_part": (TEXT, "use port 8080 … by", None),
    "only_an_ellipsis": (TEXT, "…", None),
    "empty": (TEXT, "", None),
}


@pytest.mark.parametrize(("text", "quote", "span"), COPIES.values(), ids=COPIES)
def test_a_quote_gives_our_own_span(text: str, quote: str, span: str | None) -> None:
    found = find_quote(quote, text)
    assert (text[slice(*found)] if found else None) == span


def test_parts_are_found_as_close_together_as_they_stand() -> None:
    text = "the port is 8080. " + "filler " * 40 + "the port is 9090 now, said Ann"
    found = find_quote("the port is\u2026said Ann", text)
    assert found and text[slice(*found)] == "the port is 9090 now, said Ann"


@pytest.mark.parametrize("length", [6, 5])
def test_six_cjk_characters_are_enough(length: int) -> None:
    text = "\u7528\u6237\u559c\u6b22\u6df1\u8272\u4e3b\u9898\u754c\u9762"
    assert bool(find_quote(text[:length], text)) == (length == 6)


@given(st.text(), st.text(), st.text(min_size=20).filter(lambda text: len(fold(text).text) >= 12))
def test_any_copied_passage_is_found(before: str, after: str, quote: str) -> None:
    text = f"{before} {quote} {after}"
    assert find_quote(quote, text) or fold(text).text.find(fold(quote).text) < 0


@given(st.text(alphabet="ab*_`-#> \n\t.\u2026\u201c\u2014\u4e2d\u0301[]()1é", max_size=60))
def test_folding_maps_every_character_into_the_text(text: str) -> None:
    folded = fold(text)
    assert len(folded.text) == len(folded.starts) == len(folded.ends)
    assert all(
        0 <= start < end <= len(text) for start, end in zip(folded.starts, folded.ends, strict=True)
    )
    assert list(folded.starts) == sorted(folded.starts)


@given(st.text(alphabet="ab*_`- \n\t.\u201c\u2014é", max_size=60))
def test_folding_twice_is_folding_once(text: str) -> None:
    once = fold(text, line_marks=False).text
    assert fold(once, line_marks=False).text == once


def at(found: Found | Refused) -> tuple[int, str] | Refusal:
    if isinstance(found, Refused):
        assert len(found.detail) > 15
        return found.word
    return found.event.seq, found.quote


SHOWN: dict[str, Event] = {
    "e1": event(1, "We deploy on Fridays only."),
    "e2": event(2, "The port is 8080. We deploy on Fridays only.", Role.ASSISTANT),
    "e3": event(3, "Remembered: the port is 7070.", Role.OWN),
    "e4": event(4, "Yesterday the port was 6060.", Role.REPLAY),
    "e5": event(5, "ok"),
    "e6": event(6, "ok"),
    "e7": event(7, "long " * 600),
    "e8": event(8, "> tabs over spaces\nalways tabs over spaces", pasted=((0, 18),)),
    "e9": event(9, "fine by me"),
}


@pytest.mark.parametrize(
    ("cited", "quote", "expected"),
    [
        pytest.param("e1", "deploy on Fridays", (1, "deploy on Fridays"), id="where_it_was_cited"),
        pytest.param(
            "e2", "deploy on Fridays", (2, "deploy on Fridays"), id="the_cited_one_of_two"
        ),
        pytest.param("e5", "The port is 8080", (2, "The port is 8080"), id="wrong_event_corrected"),
        pytest.param("", "The port is 8080", (2, "The port is 8080"), id="no_event_named"),
        pytest.param(
            "e99", "The port is 8080", (2, "The port is 8080"), id="unknown_event_corrected"
        ),
        pytest.param("e5", "deploy on Fridays", Refusal.QUOTE_AMBIGUOUS, id="in_two_others"),
        pytest.param("e1", "deploy on Mondays", Refusal.QUOTE_NOT_FOUND, id="nowhere"),
        pytest.param("e99", "deploy on Mondays", Refusal.UNKNOWN_EVENT, id="nowhere_and_no_event"),
        pytest.param("e1", "Fridays", Refusal.QUOTE_TOO_SHORT, id="too_short"),
        pytest.param("e5", "ok", (5, "ok"), id="whole_short_turn"),
        pytest.param("e1", "fine by me", (9, "fine by me"), id="whole_short_turn_elsewhere"),
        pytest.param("e1", "ok", Refusal.QUOTE_AMBIGUOUS, id="whole_short_turn_of_two"),
        pytest.param("e3", "the port is 7070", Refusal.OWN_TEXT, id="own_text"),
        pytest.param("e1", "the port is 7070", Refusal.OWN_TEXT, id="own_text_cited_as_human"),
        pytest.param("e4", "the port was 6060", Refusal.REPLAYED, id="replay"),
        pytest.param("e7", "long " * 500, Refusal.TOO_LONG, id="too_long"),
        pytest.param("e7", "long " * 9000, Refusal.TOO_LONG, id="far_too_long"),
        pytest.param("e8", "tabs over spaces", (8, "tabs over spaces"), id="typed_and_pasted"),
    ],
)
def test_quotes_are_located_among_the_shown_events(
    cited: str, quote: str, expected: tuple[int, str] | Refusal
) -> None:
    assert at(locate(QuoteRef(cited, quote), ShownEvents(SHOWN))) == expected


def test_the_typed_place_of_a_quote_is_preferred_to_the_pasted_one() -> None:
    found = locate(QuoteRef("e8", "tabs over spaces"), ShownEvents(SHOWN))
    assert isinstance(found, Found) and not found.pasted and found.start > 18


HOSTILE = {
    "marks": "\u0301" * 32_000,
    "brackets": "[" * 32_000,
    "links": "[a](" * 8_000,
    "quote_marks": "> " * 16_000,
    "list_marks": "- " * 16_000,
    "wide_ligatures": "\ufdfa" * 8_000,
    "ticks": "`" * 32_000,
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_events_are_searched(text: str) -> None:
    assert find_quote("this is not in there", text) is None
    assert find_quote("\u2026".join(["part"] * 4000), text) is None
