"""Our own prompts are known by signature, not by their words."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memgardend.core.clean import clean, clean_line
from memgardend.core.marker import Extent, make_marker, own_parts
from memgardend.core.mask import mask

KEY = b"k" * 32


@given(st.text(), st.text(), st.text(), st.text(), st.text())
def test_a_marker_is_one_line_and_is_found_in_any_text(
    run: str, window: str, name: str, before: str, after: str
) -> None:
    marker = make_marker(KEY, run, window, name)
    assert len(marker.splitlines()) == 1
    assert own_parts(before + marker + after, KEY)
    assert not own_parts(before + marker + after, b"other")


def test_long_names_are_cut_and_the_marker_still_holds() -> None:
    marker = make_marker(KEY, "r" * 5000, "窗" * 5000, "\ud800")
    assert own_parts(marker, KEY)
    assert len(marker) < 600


FORGED: dict[str, Callable[[str], str]] = {
    "signature": lambda marker: marker.replace("sig=", "sig=0"),
    "round": lambda marker: marker.replace("round=atomic", "round=topic"),
    "window": lambda marker: marker.replace("window=w", "window=x"),
    "cut": lambda marker: marker[:-4] + "]",
}


@pytest.mark.parametrize("forge", FORGED.values(), ids=FORGED.keys())
def test_a_forged_marker_does_not_count(forge: Callable[[str], str]) -> None:
    assert not own_parts(forge(make_marker(KEY, "r", "w", "atomic")), KEY)


def test_masking_leaves_a_marker_valid() -> None:
    marker = make_marker(KEY, "019AB3dE6gH9jK2mN5pQ8sT1vW4yZ7", "claude-code:550e8400", "atomic")
    assert own_parts(mask(f"text\n{marker}\ntext"), KEY)


M = make_marker(KEY, "r", "w", "atomic")
OTHER = make_marker(KEY, "r", "w", "topic")
PARTS: dict[str, tuple[str, list[tuple[str, Extent]]]] = {
    "a prompt": (f"{M}\n# Tend\n{M}\n", [(f"{M}\n# Tend\n{M}", Extent.WHOLE)]),
    "a prompt in JSON": (rf'{{"prompt": "{M}\n\n{M}"}}', [(rf"{M}\n\n{M}", Extent.WHOLE)]),
    "its beginning": (f"see:\n> {M}\n> # Tend", [(f"{M}\n> # Tend", Extent.BEGINNING)]),
    "a mention": (f"what is {M}?\nI prefer tabs.", [(M, Extent.MENTION)]),
    "one inside another": (f"{M}\n{OTHER}\n{M}", [(f"{M}\n{OTHER}\n{M}", Extent.WHOLE)]),
    "one after another": (f"a {M} b {OTHER}", [(M, Extent.MENTION), (OTHER, Extent.MENTION)]),
}


@pytest.mark.parametrize(("text", "expected"), PARTS.values(), ids=PARTS.keys())
def test_our_part_of_a_text_ends_where_our_prompt_ends(
    text: str, expected: list[tuple[str, Extent]]
) -> None:
    parts = own_parts(text, KEY)
    assert [(text[part.start : part.end], part.extent) for part in parts] == expected


def test_clean_text_is_safe_to_store_and_to_show() -> None:
    assert clean("a\r\nb\x00\x1b[31mred\x1b[0m\ud800\x07") == "a\nbred\ufffd"
    assert clean("a\x0bb\x0cc\x85d\re") == "a\nb\nc\nd\ne"
    assert clean_line(" a\n b\tc ") == "a b c"


@given(st.text(st.characters(codec=None)))
def test_clean_text_can_be_encoded_and_is_stable(text: str) -> None:
    assert clean(clean(text)) == clean(text)
    clean(text).encode()
