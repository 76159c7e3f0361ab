"""What a model is asked when a stretch of conversation or material is to become cards."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from memgardend.core.clean import clean_line
from memgardend.core.editorial.buckets import words_of
from memgardend.core.editorial.index import names_in_use
from memgardend.core.editorial.policies import CapturePolicy, get_policy
from memgardend.core.editorial.prompt_data import fenced, people
from memgardend.core.editorial.wording import LOCALES, capture, yardsticks
from memgardend.core.editorial.wording.locale_words import Bucket
from memgardend.core.editorial.wording.shape import SHAPE, TEMPLATES
from memgardend.core.template import fill

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memgardend.core.editorial.results import CaptureRequest
    from memgardend.core.editorial.wording.locale_words import LocaleWords

NAMES_SHOWN = 60
"""Buckets, or threads, in use that a prompt lists."""


def build_capture_prompt(
    *,
    window: str,
    locale: str,
    ai_name: str = "",
    user_name: str = "",
    naming_rule: str = "",
    buckets: str = "",
    threads: str = "",
    identity: str = "",
    cards: str = "",
    policy: CapturePolicy | str | None = None,
    material_kind: str = "",
    host_note: str = "",
    max_cards: int | None = None,
    locales: Mapping[str, LocaleWords] = LOCALES,
) -> str:
    """The prompt: English instructions, with the buckets and examples of the garden's locale.

    `window` is the rendered text to be judged; `buckets`, `threads`, `cards` and `identity` are shown as they
    are; secrets in them are masked. `naming_rule` and `host_note` are the host's own words, and `max_cards`
    lowers the policy's limit. The same arguments give the same prompt.
    Raises UnknownBucketLocaleError and UnknownPolicyError.
    """
    words = words_of(locale, locales)
    yardstick = get_policy(policy)
    shown = {
        "existing buckets": buckets,
        "existing threads": threads,
        "existing cards": cards or "(none: every card is an `add`)",
        "who the two are": identity,
        "to be judged": window,
    }
    fence, material = fenced(shown)
    who = people(words, ai_name=ai_name, user_name=user_name, naming_rule=naming_rule)
    values = prompt_values(yardstick, words, who, material_kind) | {"fence": fence}
    values["limit"] = _limit(allowed_cards(yardstick, max_cards))
    sections = [
        yardsticks.FRAMINGS[yardstick.name],
        capture.DATA,
        capture.YARDSTICK,
        capture.STEPS,
        _fields(yardstick),
        capture.LANGUAGE,
        capture.NAMES,
        capture.FORBIDDEN,
    ]
    if host_note.strip():
        values["note"] = host_note.strip()
        sections.append(capture.HOST_NOTE)
    told = [fill(section, values, "capture") for section in (*sections, capture.COMMON_BUCKETS)]
    return "\n\n".join([*told, material, fill(capture.REPLY, values, "capture")])


def prompt_of(
    request: CaptureRequest,
    policy: CapturePolicy,
    index: str,
    locales: Mapping[str, LocaleWords] = LOCALES,
) -> str:
    """The prompt of a request, with the existing cards as they are to be shown.

    Buckets and threads that the host does not render are those that the existing cards use most.
    """
    existing = request.existing_cards or ()
    return build_capture_prompt(
        window=request.window,
        locale=request.locale,
        ai_name=request.ai_name,
        user_name=request.user_name,
        naming_rule=request.naming_rule,
        buckets=request.buckets or _names(existing, "bucket"),
        threads=request.threads or _names(existing, "threads"),
        identity=request.identity,
        cards=index,
        policy=policy,
        material_kind=request.material_kind,
        host_note=request.host_note,
        max_cards=request.max_cards,
        locales=locales,
    )


def allowed_cards(policy: CapturePolicy, max_cards: int | None) -> int | None:
    """The lower of the policy's limit and the request's; None where neither sets one."""
    limits = [limit for limit in (policy.max_cards, max_cards) if limit is not None]
    return min(limits, default=None)


def prompt_templates(words: LocaleWords) -> tuple[str, ...]:
    """The texts of the prompt that no card may copy: those of the JSON shape, and of the example."""
    return (*TEMPLATES, words.example_summary, words.example_content)


def prompt_values(
    policy: CapturePolicy, words: LocaleWords, who: Mapping[str, str], material_kind: str
) -> dict[str, str]:
    """What the sections of a prompt name: the two people, and the words of policy and locale."""
    kind = f" ({clean_line(material_kind)})" if material_kind.strip() else ""
    values = {
        **who,
        "kind": kind,
        "restraint": yardsticks.RESTRAINT,
        "one_off": words.one_off,
        "lasting": words.lasting,
        "partial_date": words.partial_date,
        "own_words": words.own_words,
        "language": words.language,
        "buckets": words.separator.join(words.buckets.values()),
        "preference": capture.PREFER_MERGE if policy.prefers_merge else capture.PREFER_ADD,
        "example": _example(words),
        "shape": SHAPE,
    }
    measure = yardsticks.SPECIFICS if policy.keeps_specifics else yardsticks.YARDSTICKS[policy.name]
    return values | {"yardstick": fill(measure, values, "yardstick")}


def _fields(policy: CapturePolicy) -> str:
    date = [capture.DATE_FIELD] if policy.keeps_dates else []
    return "\n".join([capture.FIELDS, *date, capture.OPTIONAL_FIELDS, capture.EXAMPLE])


def _names(cards: Sequence[Mapping[str, Any]], field: str) -> str:
    return "\n".join(f"- {clean_line(name)}" for name in names_in_use(cards, field)[:NAMES_SHOWN])


def _limit(allowed: int | None) -> str:
    if allowed is None:
        return capture.NO_LIMIT
    return fill(capture.LIMIT, {"allowed": str(allowed)}, "limit")


def _example(words: LocaleWords) -> str:
    card = {
        "action": "add",
        "target_id": None,
        "type": "event",
        "summary": words.example_summary,
        "content": words.example_content,
        "retrieval_cues": words.example_cues,
        "bucket": words.buckets[Bucket.WORK],
        "threads": [words.example_thread],
        "importance": 0.9,
        "importance_level": 5,
        "pulse": 0.6,
    }
    return json.dumps(card, ensure_ascii=False)
