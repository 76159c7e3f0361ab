"""What of a memory is indexed, and under which version."""

from __future__ import annotations

import hashlib
import json

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


def test_where_terms_stand_and_how_often() -> None:
    text = index_terms(memory("redis port, port 9090", "The redis"), "en")
    counts = {"redi": (1, 0, 1, 0), "port": (0, 0, 2, 0), "9090": (0, 0, 1, 0)}
    assert text.terms == counts | {"on": (0, 0, 0, 1), "two": (0, 0, 0, 1)}
    assert (text.lengths, text.characters, text.said, text.frame) == ((1, 0, 4, 2), 0, 3, 2)


def test_characters_count_by_themselves_and_a_value_in_its_one_spelling() -> None:
    text = index_terms(memory("给 v1.2"), "zh-Hans")
    assert text.terms["给"] == (0, 0, 1, 0)
    assert text.terms["≈1.2"] == (0, 0, 0, 0)
    assert (text.lengths, text.characters) == ((0, 0, 2, 2), 1)


def test_the_rules_have_a_name_for_each_language() -> None:
    assert index_version("en-GB") == index_version("en")
    assert index_version("zh-Hans") == index_version("de") != index_version("en")


def test_the_terms_of_a_text_change_only_with_their_version() -> None:
    """Who changes what texts say raises LIKENESS_VERSION or TOKENIZER_VERSION first, and then this."""
    terms = [index_terms(memory(text), locale).terms for text in TEXTS for locale in ("en", "zh")]
    digest = hashlib.sha256(json.dumps(terms, sort_keys=True).encode()).hexdigest()
    assert (index_version("en"), digest[:16]) == ("1.1:en", "6e8f9f92bbe75af5")
