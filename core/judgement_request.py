"""The JSON form of what a model is asked outside of dreams: to make cards of a stretch of text."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from memgardend.core.checks.form import MAX_CHARS, MAX_KEYWORDS
from memgardend.core.mask import mask
from memgardend.core.request_schema import REQUEST_SCHEMA_VERSION
from memgardend.core.times import local, rfc3339

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import tzinfo

    from memgardend.core.editorial.material import SpokenTurn
    from memgardend.core.words import CallPurpose


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """What is to be judged, and by which yardstick. `cards`: those that a new one may take the place of."""

    turns: Sequence[SpokenTurn]
    policy: str
    keep_specifics: bool = False
    max_cards: int | None = None
    cards: Sequence[Mapping[str, Any]] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """Where it is judged. `at`: now; `window`: the conversation it comes from, or a word for what it is."""

    purpose: CallPurpose
    run: str
    locale: str
    at: int
    zone: tzinfo
    max_prompt_chars: int
    window: str
    source: str
    title: str | None = None
    project: str | None = None
    assistant: str = ""
    person: str = ""


def judgement_request(setting: Setting, judged: Judged, prompt: str) -> str:
    """The question as one JSON object; `prompt` is the same as text."""
    return json.dumps(
        {
            "schema": REQUEST_SCHEMA_VERSION,
            "purpose": setting.purpose,
            "run": setting.run,
            "locale": setting.locale,
            "round": None,
            "seal": rfc3339(setting.at),
            "names": {"assistant": setting.assistant, "person": setting.person},
            "window": {
                "id": setting.window,
                "source": setting.source,
                "title": mask(setting.title) if setting.title else None,
                "project": setting.project,
            },
            "events": [_event(n, one, setting) for n, one in enumerate(judged.turns, start=1)],
            "memories": [],
            "projects": [],
            "limits": {
                "max_prompt_chars": setting.max_prompt_chars,
                **{f"{name}_chars": limit for name, limit in MAX_CHARS.items()},
                "keywords": MAX_KEYWORDS,
            },
            "problems": [],
            "prompt": prompt,
            "judgement": {
                "policy": judged.policy,
                "keep_specifics": judged.keep_specifics,
                "max_cards": judged.max_cards,
                "cards": [_card(one) for one in judged.cards],
            },
        },
        ensure_ascii=False,
    )


def _event(number: int, turn: SpokenTurn, setting: Setting) -> dict[str, Any]:
    known = turn.at is not None
    return {
        "handle": f"e{number}",
        "at": rfc3339(turn.at or 0) if known else None,
        "local": local(turn.at or 0, setting.zone).isoformat(timespec="seconds") if known else None,
        "role": turn.role,
        "tool": turn.tool,
        "text": turn.text,
        "pasted": turn.pasted,
        "shown": True,
    }


def _card(card: Mapping[str, Any]) -> dict[str, str]:
    return {name: mask(str(card.get(name) or "")) for name in ("id", "summary", "content")}
