"""Events, memories and plans in few words, for tests of what a dream is shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta, timezone
from functools import cache
from typing import Any

from memgardend.config.packs import Pack
from memgardend.core.plan import Plan, PlanLimits, make_plan
from memgardend.core.prompt import PromptSettings, frame_chars
from memgardend.core.records import Event, Memory, Project, Window
from memgardend.core.scope import Scope
from memgardend.core.words import Layer, Role

NOON = 1_796_126_400_000  # 2026-12-01T12:00:00Z
ZONE = timezone(timedelta(hours=8), "Asia/Shanghai")
FENCE = "q7fZk2Lw9xTb4Nc1"
MARKER = "memgardend signed line of a test"
ALPHA = Project(id="p-alpha", name="alpha")
BETA = Project(id="p-beta", name="beta")
WINDOW = Window(
    id="claude-code:w1",
    source="claude-code",
    native_id="w1",
    project=ALPHA.id,
    title="Ports and tabs",
)


@cache
def pack(locale: str) -> Callable[[str], str]:
    """A built-in pack, each slot read once."""
    return cache(Pack(locale).slot)


slots = pack("en")


def settings(max_prompt_chars: int = 60_000, *, locale: str = "en", **names: str) -> PromptSettings:
    return PromptSettings(zone=ZONE, locale=locale, max_prompt_chars=max_prompt_chars, **names)


def event(seq: int, text: str, role: Role = Role.HUMAN, **fields: Any) -> Event:
    """An event of the test window, a minute after the one before it."""
    at = fields.pop("at", NOON + seq * 60_000)
    return Event(
        window=WINDOW.id,
        seq=seq,
        native_id=f"n{seq}",
        at=at,
        received_at=at,
        role=role,
        text=text,
        **fields,
    )


def memory(name: str, content: str, layer: Layer = Layer.FACT, **fields: Any) -> Memory:
    """An active memory of project alpha that is known as of an hour before noon."""
    return Memory(
        **{
            "id": f"memory-{name}",
            "layer": layer,
            "content": content,
            "scope": Scope.of(ALPHA.id),
            "keywords": ("kept",),
            "created_at": NOON - 3_600_000,
            "updated_at": NOON - 3_600_000,
            "as_of": NOON - 3_600_000,
            **fields,
        }
    )


def limits(max_prompt_chars: int = 60_000, **changed: int) -> PlanLimits:
    guide = frame_chars(slots, WINDOW, (ALPHA, BETA), settings(max_prompt_chars))
    return PlanLimits(
        **{
            "max_prompt_chars": max_prompt_chars,
            "guide_chars": guide,
            "related_limit": 40,
            "rules_review_ms": 0,
            **changed,
        }
    )


def plan(
    events: Sequence[Event],
    *,
    window: Window = WINDOW,
    prelude: Sequence[Event] = (),
    touched: Sequence[Memory] = (),
    related: Sequence[Memory] = (),
    panoramas: Mapping[str, Sequence[Memory]] | None = None,
    within: PlanLimits | None = None,
    now: int = NOON + 86_400_000,
    before: Plan | None = None,
    due_through: int | None = None,
) -> Plan:
    """What a dream of the test window would be shown."""
    return make_plan(
        window,
        events,
        prelude,
        touched,
        related,
        panoramas or {},
        within or limits(),
        now,
        "en",
        before=before,
        due_through=due_through,
    )
