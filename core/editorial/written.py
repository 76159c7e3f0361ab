"""A card that somebody asked for in so many words: it is not judged, only held against the gate."""

from __future__ import annotations

from memgardend.core.clean import clean, clean_line
from memgardend.core.editorial.cards import Card
from memgardend.core.editorial.results import ErrorWord, Failure
from memgardend.core.editorial.text_gate import TextGate
from memgardend.core.mask import mask

SUMMARY_CHARS = 40
"""A text up to this length is its own summary; of a longer one the first 38 characters and an ellipsis."""
CUT_CHARS = 38
_GATE = TextGate()


def written_card(
    text: str, *, summary: str = "", bucket: str = "", gate: TextGate = _GATE
) -> Card | Failure:
    """The card of a text that is to be kept as it is, or why none can be made of it."""
    content = mask(clean(text)).strip()
    if not content:
        return Failure(ErrorWord.EMPTY_TEXT)
    line = clean_line(mask(summary)) or clean_line(content)
    if not summary.strip() and len(line) > SUMMARY_CHARS:
        line = f"{line[:CUT_CHARS]}…"
    problem = gate.problem("summary", line) or gate.problem("content", content)
    if problem:
        return Failure(ErrorWord.INVALID_CARD_CONTENT, problem)
    return Card(summary=line, content=content, bucket=gate.bucket(bucket))
