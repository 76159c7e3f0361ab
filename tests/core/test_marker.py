"""Our own prompts are known by signature, not by their words."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memgardend.core.clean import clean, clean_line
from memgardend.core.marker import has_own_marker, make_marker
from memgardend.core.mask import mask

KEY = b"k" * 32


@given(st.text(), st.text(), st.text(), st.text(), st.text())
def test_a_marker_is_one_line_and_is_found_in_any_text(
    run: str, window: str, name: str, before: str, after: str
) -> None:
    marker = make_marker(KEY, run, window, name)
    assert len(marker.splitlines()) == 1
    assert has_own_marker(before + marker + after, KEY)
    assert not has_own_marker(before + marker + after, b"other")


def test_long_names_are_cut_and_the_marker_still_holds() -> None:
    marker = make_marker(KEY, "r" * 5000, "窗" * 5000, "\ud800")
    assert has_own_marker(marker, KEY)
    assert len(marker) < 600


FORGED: dict[str, Callable[[str], str]] = {
    "signature": lambda marker: marker.replace("sig=", "sig=0"),
    "round": lambda marker: marker.replace("round=atomic", "round=topic"),
    "window": lambda marker: marker.replace("window=w", "window=x"),
    "cut": lambda marker: marker[:-4] + "]",
}


@pytest.mark.parametrize("forge", FORGED.values(), ids=FORGED.keys())
def test_a_forged_marker_does_not_count(forge: Callable[[str], str]) -> None:
    assert not has_own_marker(forge(make_marker(KEY, "r", "w", "atomic")), KEY)


def test_masking_leaves_a_marker_valid() -> None:
    marker = make_marker(KEY, "019AB3dE6gH9jK2mN5pQ8sT1vW4yZ7", "claude-code:550e8400", "atomic")
    assert has_own_marker(mask(f"text\n{marker}\ntext"), KEY)


def test_clean_text_is_safe_to_store_and_to_show() -> None:
    assert clean("a\r\nb\x00\x1b[31mred\x1b[0m\ud800\x07") == "a\nbred\ufffd"
    assert clean_line(" a\n b\tc ") == "a b c"


@given(st.text(st.characters(codec=None)))
def test_clean_text_can_be_encoded_and_is_stable(text: str) -> None:
    assert clean(clean(text)) == clean(text)
    clean(text).encode()
