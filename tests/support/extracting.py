"""What the offline consolidator answers to a conversation, asked exactly as a dream asks."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from memgardend.core.extract import consolidate, parse_request
from memgardend.core.pasted import pasted_spans
from memgardend.core.plan import view_of
from memgardend.core.prompt import Asking
from memgardend.core.records import Event, Memory
from memgardend.core.words import RoundName
from support import dreaming
from support.dreaming import ALPHA, BETA, FENCE, MARKER, WINDOW, event, plan
from support.prompts import requested


def turns(*texts: str) -> list[Event]:
    """Human turns, a minute apart."""
    return [event(seq, text, pasted=pasted_spans(text)) for seq, text in enumerate(texts, 1)]


def request(
    events: Sequence[Event],
    memories: Sequence[Memory] = (),
    round_name: RoundName = RoundName.ATOMIC,
    prelude: Sequence[Event] = (),
    locale: str = "en",
) -> str:
    """The request exactly as a dream sends it."""
    dream = plan(events, touched=memories, prelude=prelude)
    shown = view_of(dream, [*prelude, *events], memories)
    return requested(
        Asking(
            dreaming.slots,
            round_name,
            dream,
            shown,
            WINDOW,
            (ALPHA, BETA),
            dreaming.settings(locale=locale),
            FENCE,
            MARKER,
        ),
        "dream-1.1",
    )


def answer(*args: Any, **options: Any) -> dict[str, Any]:
    """The whole answer, as it is read from the command."""
    said = consolidate(parse_request(request(*args, **options)))
    return json.loads(json.dumps(said))  # type: ignore[no-any-return]


def operations(*args: Any, **options: Any) -> list[dict[str, Any]]:
    """The operations of the answer."""
    return answer(*args, **options)["operations"]  # type: ignore[no-any-return]
