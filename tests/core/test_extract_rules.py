"""What the English rules keep of a sentence, and what they leave alone."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memgardend.core.extract.notice import notice
from memgardend.core.extract.request import Turn
from memgardend.core.fold import weight

ROOT = Path(__file__).parents[2]
LABELLED = ROOT / "tests" / "labelled"


def kept(text: str, pasted: tuple[tuple[int, int], ...] = ()) -> list[tuple[str, str]]:
    found = notice(Turn(handle="e1", text=text, pasted=pasted))
    return [(one.kind, one.content) for one in found]


KEPT: dict[str, tuple[str, list[tuple[str, str]]]] = {
    "an opener goes": (
        "ok so, the gateway listens on port 4100",
        [("fact", "The gateway listens on port 4100.")],
    ),
    "a remark before a correction goes": (
        "That's wrong. The limit is 12, not 20.",
        [("fact", "The limit is 12, not 20.")],
    ),
    "an announcement of a change goes": (
        "No, the staging port has changed: the gateway listens on port 4200 now.",
        [("fact", "The gateway listens on port 4200 now.")],
    ),
    "a change that is told stays": (
        "The staging port has changed to 4200, and the gateway needs it.",
        [("fact", "The staging port has changed to 4200, and the gateway needs it.")],
    ),
    "a wish to remember goes": (
        "Please remember that our office is in Graz.",
        [("fact", "Our office is in Graz.")],
    ),
    "names keep their case": (
        "libfoo2 is pinned at 0.9.1",
        [("fact", "libfoo2 is pinned at 0.9.1")],
    ),
    "a path gets no full stop": (
        "the report is at /srv/out/q3.pdf",
        [("fact", "The report is at /srv/out/q3.pdf")],
    ),
    "each sentence for itself": (
        "We decided to ship weekly. I prefer tea. What time is it?",
        [("decision", "We decided to ship weekly."), ("preference", "I prefer tea.")],
    ),
    "a short sentence is quoted with its turn": ("I hate YAML.", [("preference", "I hate YAML.")]),
    "a lesson": (
        "It turned out that the cache key lacked the tenant.",
        [("correction", "It turned out that the cache key lacked the tenant.")],
    ),
    "a rule that begins like an exclamation": (
        "Always answer in German.",
        [("rule", "Always answer in German.")],
    ),
    "a rule under a condition": (
        "If a test is flaky, never just rerun it.",
        [("rule", "If a test is flaky, never just rerun it.")],
    ),
}

LEFT = {
    "a pledge for oneself": "I should try that out next time.",
    "an order that limits another": "Don't touch previous sessions though",
    "a question": "Do we always squash?",
    "a question without its mark": "how do we always squash",
    "a condition": "if the port is 80 it fails",
    "an unreal case": "Suppose the port is 80.",
    "a hedge": "Maybe we should always squash.",
    "hearsay": "The vendor says the limit is 500.",
    "a joke": "we always deploy on Friday, haha",
    "an order for now": "set the limit to 500",
    "an order about this": "don't touch this one",
    "an order for each of something": "put the logo into the footer of every page",
    "praise": "The new page is great!",
    "a state of the moment": "the build is broken again",
    "thanks": "thanks, I like it",
    "news with thanks": "The domain is renewed, thanks.",
    "words of others in quotation marks": '"We always win and never lose a match."',
    "a masked secret": "The token is [masked] on staging, port 90.",
    "a gap": "The port is 80 […] on staging.",
}


@pytest.mark.parametrize("name", KEPT)
def test_kept(name: str) -> None:
    text, expected = KEPT[name]
    assert kept(text) == expected


@pytest.mark.parametrize("name", LEFT)
def test_left(name: str) -> None:
    assert kept(LEFT[name]) == []


def test_what_was_pasted_is_not_said() -> None:
    text = "The port is 4100.\nThe port is 4200."
    assert kept(text, pasted=((18, len(text)),)) == [("fact", "The port is 4100.")]


@given(st.text(max_size=400))
def test_any_text_is_read_and_every_quote_is_verbatim(text: str) -> None:
    for one in notice(Turn(handle="e1", text=text)):
        assert one.quote in text
        assert len(one.quote) >= 12 or one.quote == text.strip()


WORDS = st.sampled_from(
    [
        *(
            "I",
            "we",
            "you",
            "the",
            "our",
            "always",
            "never",
            "prefer",
            "use",
            "is",
            "on",
            "port",
            "8080",
        ),
        *("not", ",", ".", "!", "?", "if", "because", "/etc/x", "don't", "from", "now"),
    ]
)


@given(st.lists(WORDS, min_size=5, max_size=40))
def test_every_kept_text_stands_in_what_was_said(parts: list[str]) -> None:
    text = " ".join(parts)
    for one in notice(Turn(handle="e1", text=text)):
        assert one.content.rstrip(".").lower() in text.lower()


def quality() -> ModuleType:
    """The judge of bench/, which is no package."""
    path = ROOT / "bench" / "offline_quality.py"
    spec = importlib.util.spec_from_file_location("offline_quality", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("locale", ["en", "zh-Hans"])
def test_the_labelled_turns_hold_the_floors(locale: str) -> None:
    judge = quality()
    cases = judge.read_cases(LABELLED / f"{locale}.jsonl")
    figures = judge.measure(cases)

    assert len(cases) >= 200
    assert figures.precision >= 0.9
    assert figures.recall >= 0.7
    assert figures.kind_accuracy >= 0.9


def test_no_labelled_turn_stands_in_the_code() -> None:
    code = "\n".join(
        path.read_text(encoding="utf-8") for path in (ROOT / "core" / "extract").rglob("*.py")
    )
    judge = quality()
    for labelled in LABELLED.glob("*.jsonl"):
        for case in judge.read_cases(labelled):
            assert weight(case.text) < 25 or case.text not in code
