"""The one tokeniser: what memories are indexed by, and what queries are matched with."""

from __future__ import annotations

TOKENIZER_VERSION = "1"


def tokenize(text: str, locale: str) -> list[str]:
    """The tokens of a text, in order, repeated as often as they stand there."""
    raise NotImplementedError


def query_tokens(text: str, locale: str) -> list[str]:
    """The tokens of a query: as `tokenize`, but lone CJK characters are kept when there is nothing else."""
    raise NotImplementedError
