"""Captures in few words: cards of a reply, requests, and a model that says what it is told to."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from memgardend.core.editorial.asking import drive
from memgardend.core.editorial.capture import CaptureSession
from memgardend.core.editorial.results import CaptureRequest, CaptureResult, ModelReply

CASES = Path(__file__).parents[2] / "../shared/cases/memgarden-cases.json"
WINDOW = "Mei: I do not eat spicy food, it gives me a stomach ache.\nI: Noted."
EMPTY = '{"cards": []}'


@cache
def shared_cases() -> dict[str, dict[str, Any]]:
    """The shared cases by id; a test that wants them is skipped where they are not."""
    if not CASES.exists():
        pytest.skip("the shared cases are not beside this checkout")
    return {row["id"]: row for row in json.loads(CASES.read_text(encoding="utf-8"))}


def row(summary: str = "Mei eats nothing spicy", **fields: Any) -> dict[str, Any]:
    """A card as a model writes it."""
    content = f"{summary}, and says so each time somebody cooks."
    return {"action": "add", "summary": summary, "content": content, **fields}


def three_rows() -> list[dict[str, Any]]:
    """Three cards of three matters: one more than a conversation may bring."""
    return [row("Mei has a dog"), row("Mei lives in Lisbon"), row("Mei plays the cello")]


def reply(*rows: Mapping[str, Any] | object) -> str:
    """The reply that holds these cards."""
    return json.dumps({"cards": list(rows)}, ensure_ascii=False)


def stored(id: str, summary: str, **fields: Any) -> dict[str, Any]:
    """A card that a garden has."""
    return {"id": id, "summary": summary, **fields}


def request(**fields: Any) -> CaptureRequest:
    """A capture of a short English conversation."""
    return CaptureRequest(**{"window": WINDOW, "locale": "en", "user_name": "Mei", **fields})


@dataclass(frozen=True)
class Captured:
    """What a capture came to, and what the model was asked."""

    result: CaptureResult
    prompts: Sequence[str]
    session: CaptureSession

    @property
    def summaries(self) -> list[str]:
        return [card["summary"] for card in self.result.cards]

    @property
    def reasks(self) -> list[str]:
        """What was added to the prompt each time it went out again."""
        return [prompt[len(self.prompts[0]) :].strip() for prompt in self.prompts[1:]]


def capture(
    asked: CaptureRequest, *replies: str | ModelReply | Exception, **options: Any
) -> Captured:
    """Drive a capture with a model that gives these replies, in order, and is asked no more often."""
    session = CaptureSession(asked, **options)
    prompts: list[str] = []

    def ask(prompt: str) -> str | ModelReply:
        said = replies[len(prompts)]
        prompts.append(prompt)
        if isinstance(said, Exception):
            raise said
        return said

    drive(session, ask)
    assert session.result is not None
    assert len(prompts) == len(replies), "the model was asked less often than it was ready for"
    return Captured(session.result, prompts, session)
