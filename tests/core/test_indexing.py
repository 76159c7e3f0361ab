"""What of a memory is indexed, and under which version."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace

import pytest

from memgardend.core.impacts import Surface
from memgardend.core.indexing import index_terms, index_version
from memgardend.core.records import Memory
from memgardend.core.words import Layer

TEXTS = (
    "Running caches: the staging port is 8080, not 9090.",
    "Don't raise the limit from five to 10 MB before 30 November 2026 (issue 4, v1.2.3)!",
    "Run `make test` in config/app.yaml; server A prefers tabs over spaces.",
    "端口从 8080 改成 9090，不要再用缓存。",
    "给API限流，现在部署到 B",
)


def memory(content: str, title: str | None = None) -> Memory:
    return Memory(id="m", layer=Layer.FACT, content=content, title=title, keywords=("one", "two"))


def test_terms_are_worth_what_their_fields_are() -> None:
    text = index_terms(memory("redis port, port 9090", "The redis"), "en", ["the port"])
    terms = text.terms
    assert terms["redi"][Surface.CUES] > terms["on"][Surface.CUES] > 0
    assert terms["port"][Surface.CUES] == 0 < terms["9090"][Surface.WHOLE]
    assert terms["port"][Surface.WHOLE] > terms["9090"][Surface.WHOLE] > 0
    assert terms["two"][Surface.WHOLE] == terms["two"][Surface.CUES] > 0
    assert (text.said, text.frame) == (3, 2)


def test_a_word_that_stands_twice_among_the_cues_is_worth_more() -> None:
    terms = index_terms(memory("it runs", "redis port redis"), "en").terms
    assert terms["redi"][Surface.CUES] > terms["port"][Surface.CUES]


def test_the_context_counts_less() -> None:
    text = index_terms(replace(memory("redis"), as_of=1_700_000_000_000), "en", ["port"])
    redis, port = text.terms["redi"], text.terms["port"]
    assert redis[Surface.WHOLE] > port[Surface.WHOLE] > port[Surface.CUES] == 0
    assert {"14", "novemb", "2023"} <= set(text.terms)


def test_characters_and_identifiers_are_terms_beside_tokens() -> None:
    text = index_terms(memory("给 v1.2"), "zh-Hans")
    assert {"给", "v1", "2", "v1.2", "≈1.2"} <= set(text.terms)
    assert text.terms["≈1.2"] == (0, 0)


@pytest.mark.timeout(20)  # a quadratic pattern would need minutes
def test_a_long_word_is_soon_read() -> None:
    assert "7" * 500_000 in index_terms(memory("7" * 500_000), "en").terms


def test_the_rules_have_a_name_for_each_language() -> None:
    assert index_version("en-GB") == index_version("en")
    assert index_version("zh-Hans") == index_version("de") != index_version("en")


def test_the_terms_of_a_text_change_only_with_their_version() -> None:
    """Who changes what texts say raises one of the versions of index_version first, and then this."""
    terms = [
        index_terms(memory(text), locale, TEXTS).terms for text in TEXTS for locale in ("en", "zh")
    ]
    digest = hashlib.sha256(json.dumps(terms, sort_keys=True).encode()).hexdigest()
    assert (index_version("en"), digest[:16]) == (
        "2.91b0e658+tok2.281f6fae+like1:en",
        "bf847f659808c51f",
    )
