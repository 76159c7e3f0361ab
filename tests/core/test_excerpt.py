"""The shown part of an event: nothing lost but what is said to be left out, pasted text told apart."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memgardend.core.excerpt import Part, excerpt, joined
from support.dreaming import event

spans = st.lists(st.tuples(st.integers(0, 70), st.integers(0, 70)), max_size=6)
texts = st.text(st.sampled_from("ab \n>字"), max_size=60)


def pasted_of(marks: list[tuple[int, int]], length: int) -> set[int]:
    return {at for start, end in marks for at in range(start, min(end, length))}


@given(texts, spans)
def test_whole_texts_come_back_with_their_pasted_characters(
    text: str, marks: list[tuple[int, int]]
) -> None:
    parts = excerpt(event(1, text, pasted=tuple(marks)))
    again, shown = joined(parts, "…")
    assert again == text
    assert pasted_of(list(shown), len(text)) == pasted_of(marks, len(text))
    assert all(part.text for part in parts)


@given(texts, spans, st.integers(0, 70))
def test_long_texts_keep_head_and_tail(
    text: str, marks: list[tuple[int, int]], keep_chars: int
) -> None:
    parts = excerpt(event(1, text, pasted=tuple(marks)), keep_chars)
    gaps = [part.omitted for part in parts if part.omitted]
    assert gaps == ([len(text) - keep_chars] if len(text) > keep_chars else [])
    if gaps:
        place = next(number for number, part in enumerate(parts) if part.omitted)
        head = "".join(part.text for part in parts[:place])
        tail = "".join(part.text for part in parts[place + 1 :])
        assert text.startswith(head) and text.endswith(tail)
        assert len(tail) <= len(head) + 1 and len(head + tail) == keep_chars
        kept = [*range(len(head)), *range(len(text) - len(tail), len(text))]
        own = "".join(text[at] for at in kept if at not in pasted_of(marks, len(text)))
        assert own == "".join(part.text for part in parts if not part.pasted)


def test_secrets_are_masked_in_typed_and_in_pasted_parts() -> None:
    secret = "sk-ant-" + "abcDEF123456" * 4
    text = f"> {secret}\nand {secret}"
    parts = excerpt(event(1, text, pasted=((0, len(secret) + 3),)))
    assert [part.pasted for part in parts] == [True, False]
    assert all(secret not in part.text and "masked" in part.text for part in parts)


def test_what_is_left_out_is_named_in_the_joined_text() -> None:
    parts = (Part("head"), Part("", omitted=9), Part("tail", pasted=True))
    assert joined(parts, "[…]") == ("head[…]tail", ((7, 11),))
