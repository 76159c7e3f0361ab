"""The shared cases on capture, policies, language and naming: the values are theirs, the inputs are ours."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from memgardend.core.editorial.buckets import UnknownBucketLocaleError, bucket_list, converge_bucket
from memgardend.core.editorial.capture_parse import CapturedCard, parse_capture_cards
from memgardend.core.editorial.capture_prompt import build_capture_prompt
from memgardend.core.editorial.garden_language import decide_garden_language
from memgardend.core.editorial.naming import clean_name, rewrite_user_reference, speaker_label
from memgardend.core.editorial.policies import UnknownPolicyError, get_policy
from memgardend.core.editorial.results import ModelReply
from memgardend.core.editorial.text_gate import TextGate
from memgardend.core.editorial.wording import LOCALES
from memgardend.core.editorial.written import written_card
from memgardend.core.quote_repair import repair_quotes
from support.capturing import Captured, capture, reply, request, row, shared_cases

ITEMS = reply(*[row(f"Item {n} kept") for n in range(3)])
BAD = row(content="!!!")
BRACES = reply(row("Mei writes {braces} and }, and"))
ONE = reply(row())
BROKEN = '{"cards": [{"action": "add" "summary": "Mei eats nothing spicy"}]}'
CHINESE = LOCALES["zh-Hans"]
DATED = (
    ("conversation_capture", "2024-05-06"),
    ("history_import", "2024-05-06"),
    ("history_import", "2024-05-06T08:00:00+08:00"),
    ("history_import", None),
)


def parse(raw: str, policy: str | None = None, strict: bool = True) -> list[Any]:
    cards, error = parse_capture_cards(raw, policy, strict)
    return [cards, error]


def error_of(raw: str, policy: str | None = None, strict: bool = True) -> str | None:
    return parse_capture_cards(raw, policy, strict)[1]


def card(**fields: Any) -> CapturedCard:
    (made,), error = parse_capture_cards(reply(row(**fields)), fields.pop("policy", None))
    assert error is None
    return made


def summaries(cards: list[CapturedCard]) -> list[str]:
    return [one["summary"] for one in cards]


def raised(call: Callable[[], object]) -> str:
    with pytest.raises(ValueError) as caught:
        call()
    return type(caught.value).__name__


def too_many() -> object:
    """Sent back once with the reason; then the first are kept."""
    got = capture(request(), ITEMS, ITEMS)
    assert "at most 2" in got.reasks[0]
    assert got.summaries == ["Item 0 kept", "Item 1 kept"]
    return parse(ITEMS)


def counted(raw: str, strict: bool = True) -> int | None:
    cards, error = parse_capture_cards(raw, strict=strict)
    return len(cards) if error is None else None


def cues() -> list[object]:
    made = card(retrieval_cues=["a  b", 3, "a b", "c" * 200, "d", "e", "f", "g"])
    hints = made["retrieval_cues"]
    return [len(hints), hints[0], max(map(len, hints))]


def dates() -> list[str | None]:
    got = [
        parse_capture_cards(reply(row(occurred_at=at)), policy)[0][0].get("occurred_at")
        for policy, at in DATED
    ]
    return list(got)


def metadata() -> list[str | None]:
    bad: list[dict[str, Any]] = [{"occurred_at": "May"}, {"role": ["a"]}, {"is_sensitive": "yes"}]
    return [error_of(reply(row(**one)), "history_import") for one in bad]


def buckets_in_prompt() -> list[bool]:
    prompt = build_capture_prompt(window="Hello.", locale="en")
    unmarked = "\n".join(line for line in prompt.splitlines() if "[counter-example]" not in line)
    return ["Feelings & comfort" in prompt, bool(re.search("[一-鿿]", unmarked))]


def languages() -> list[list[str]]:
    said = (
        {"written": "two words", "locale": "en-GB"},
        {"written": "one two three four five six seven eight nine ten eleven twelve"},
        {"written": "seven words of this one and 八个汉字的一句话", "locale": "en"},
        {"written": "我今天在公园里看到两只猫"},
    )
    decided = [decide_garden_language(**one) for one in said]
    return [[one.locale, one.basis] for one in decided]


def names() -> list[str]:
    return [
        clean_name("user"),
        clean_name("Mei"),
        speaker_label("user", words=CHINESE),
        speaker_label("user", words=CHINESE, user_name="Mei"),
        speaker_label("assistant", words=CHINESE, ai_name="Io"),
    ]


def rewritten() -> list[str]:
    texts = ("用户喜欢爬山", "用户增长放缓", "The user wants quiet", "user growth is slow")
    return [rewrite_user_reference(text, "Mei") for text in texts]


def converged() -> list[str]:
    return [
        converge_bucket(" work", ["Work"], "en"),
        converge_bucket("健康/Health", [], "en"),
        converge_bucket("Work / 工作", [], "zh-Hans"),
        converge_bucket("Mom / Dad", ["Mom", "Dad"], "en"),
    ]


def importances(*rows: dict[str, Any]) -> list[float]:
    return [card(**one)["importance"] for one in rows]


def asked(*replies: str | ModelReply, **options: Any) -> tuple[Captured, int]:
    """A capture of two calls at most, and how many there were."""
    got = capture(request(), *replies, **options)
    return got, len(got.prompts)


def empty_once() -> list[object]:
    got, calls = asked("", ONE)
    return [got.result.error, len(got.summaries), calls, int(got.result.retried)]


def bad_target() -> list[object]:
    bad = row("Mei has moved", action="supersede")
    got, calls = asked(reply(bad, row("Good one")), reply(bad, row("Good one")))
    return [got.result.error, got.summaries, calls]


def cut_off() -> list[object]:
    got, calls = asked(ModelReply(text=ONE[:40], truncated=True), ONE)
    return [got.result.error, len(got.summaries), calls]


def written(*texts: str) -> list[object]:
    return [one if isinstance(one, str) else one["summary"] for one in map(written_card, texts)]


def content_in_trace() -> bool:
    trace = str(capture(request(), ONE).result.trace)
    return any(word in trace for word in ("Mei", "spicy", "stomach"))


CHECKS: dict[str, Callable[[], object]] = {
    "P01": lambda: [get_policy(None).name, get_policy("  ").name],
    "P02": lambda: raised(lambda: get_policy("conversation_captrue")),
    "P04": too_many,
    "P05": lambda: [summaries(parse(ITEMS, strict=False)[0]), parse(ITEMS, strict=False)[1]],
    "P06": lambda: len(parse(reply(*[row(f"Entry {n}") for n in range(12)]), "curated_archive")[0]),
    "C02": lambda: parse("There is nothing to keep."),
    "C03": lambda: counted(f"<think>{{a draft}}</think>Here:\n```json\n{reply(row())}\n```"),
    "C04": lambda: error_of(BRACES),
    "C07": lambda: error_of(BROKEN),
    "C08": lambda: repair_quotes(ITEMS, 0) == ITEMS,
    "C09": lambda: [error_of('[{"a": 1}]'), error_of('{"card": []}')],
    "C10": lambda: counted(reply(row(), row(action="noop"), row(action="annotate"))),
    "C11": lambda: [card(type="saga")["type"], card(type="quote")["type"]],
    "C13": lambda: importances({"importance": 99}, {"importance": "high"}),
    "C14": lambda: importances(
        {"importance": 0.1, "importance_level": 4},
        {"importance": 0.5, "importance_level": "5"},
        {"importance": 0.5, "importance_level": True},
    ),
    "C16": lambda: counted(reply(BAD, row()), strict=False),
    "C17": lambda: error_of(reply(BAD), strict=False),
    "C19": lambda: [
        TextGate().problem("content", text) for text in ("منفذ الواجهة مفتوح", "порт открыт")
    ],
    "C22": dates,
    "C23": metadata,
    "C24": cues,
    "C26": lambda: [
        raised(lambda: bucket_list("fr")),
        raised(lambda: build_capture_prompt(window="Salut.", locale="fr")),
    ],
    "C27": buckets_in_prompt,
    "N02": languages,
    "N03": names,
    "N04": rewritten,
    "I09": converged,
    "G01": lambda: [capture(request(locale=" ")).result.error, 0],
    "G02": empty_once,
    "G03": lambda: [(got := asked("Nothing to keep."))[0].result.error, got[1]],
    "G05": bad_target,
    "G08": cut_off,
    "G09": lambda: [(got := asked("", max_retries=0))[0].result.error, got[1]],
    "G13": content_in_trace,
    "G14": lambda: written("short", "y" * 60),
    "G15": lambda: written(" ", "!!!"),
}
AREAS = ("capture", "policy", "language", "naming")


@pytest.mark.parametrize("case", CHECKS)
def test_shared_case(case: str) -> None:
    found = CHECKS[case]()
    expected = shared_cases()[case]["expected"]
    assert found == expected


def test_no_shared_case_is_left_out() -> None:
    ours = {one for one, said in shared_cases().items() if said["area"] in AREAS}
    assert ours <= CHECKS.keys()


def test_the_exceptions_are_the_named_ones() -> None:
    assert issubclass(UnknownPolicyError, ValueError)
    assert issubclass(UnknownBucketLocaleError, ValueError)
