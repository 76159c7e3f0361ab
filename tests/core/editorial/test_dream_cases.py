"""The shared cases on dreams: what the ancestor did right stays, what it did wrong is gone."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from memgardend.core.editorial.dream_render import DreamCaps, render_cards
from memgardend.core.editorial.fuse import Fuse
from memgardend.core.editorial.maintenance import MaintenanceSession
from memgardend.core.editorial.mutations import Supersede
from memgardend.core.editorial.seeds import (
    MaintenanceLedger,
    dream_idempotency_key,
    needs_review,
    seed_snapshot,
)
from support.consolidating import (
    NOTHING,
    card,
    committed,
    consolidate,
    garden,
    reply,
    request,
    result,
    row,
)

CASES = Path(__file__).parents[3] / "../shared/cases/memgarden-cases.json"


@cache
def shared() -> dict[str, dict[str, Any]]:
    if not CASES.exists():
        pytest.skip("the shared cases are not beside this checkout")
    return {one["id"]: one for one in json.loads(CASES.read_text(encoding="utf-8"))}


def key() -> list[object]:
    empty, snapshot = MaintenanceLedger(), seed_snapshot(garden(3))
    made = dream_idempotency_key(snapshot, empty)
    return [
        made == dream_idempotency_key(seed_snapshot(garden(3)), empty),
        made[:6],
        len(made),
        made == dream_idempotency_key(seed_snapshot(garden(4)), empty),
        made != dream_idempotency_key(snapshot, empty, {"zone": "UTC"}),
    ]


def fuse() -> list[bool]:
    return [
        Fuse().blows(*one) for one in ((9, 9), (10, 10), (80, 100), (10, 13), (81, 100), (8, 10))
    ]


def leak(identity: str, **fields: str) -> str:
    session = MaintenanceSession(request([card(identity)]))
    session.feed(reply(row(identity, result=result(**fields))))
    return str(session.next_prompt).rpartition("\n\n")[2]


def leaks() -> list[bool]:
    return [
        "summary_contains_card_id" in leak("m_1", summary="As m_1 says, a walk"),
        "content_contains_card_id" in leak("card0001", content="As card0001 says, a walk"),
        "contains_card_id" in leak("m_1", content="A walk by the river"),
    ]


def rows() -> list[list[object]]:
    cards = garden(30)
    ids = [one["id"] for one in cards]
    said = reply(
        row("c000", "c001"),
        row(*ids[2:], op="thicken"),
        row(),
        row("c000", rationale=""),
        row("c001", op="delete"),
    )
    made = consolidate(request(cards, fuse=Fuse(max_share=1)), said)
    return [[one["op"], len(one["card_ids"])] for one in made.consolidations]


def supersede() -> list[object]:
    (one,) = consolidate(request([card("a"), card("b")]), reply(row("a", "b"))).mutations
    assert isinstance(one, Supersede)
    source = one.card["source"]
    return [one.name, list(one.target_ids), source, str(one.consolidation_op), one.rationale]


def rendered() -> list[object]:
    def refused(**caps: Any) -> str:
        try:
            DreamCaps(**caps)
        except ValueError as error:
            return type(error).__name__
        return ""

    whole, none = DreamCaps(), DreamCaps(total_chars=10)
    shown = [len(render_cards(garden(70), caps).ids) for caps in (whole, none)]
    return [*shown, refused(total_chars=0), refused(cards=-1)]


def cut() -> list[list[str]]:
    lengths = ({"content": "x" * 5000}, {"content": "x" * 5001}, {"summary": "x" * 2001})
    return [list(render_cards([card("a", **one)], DreamCaps()).cut_ids) for one in lengths]


def unsafe() -> str | None:
    return consolidate(request(garden(2)), reply(row("nobody")), reply(row("nobody"))).error


def backlog() -> list[object]:
    first = request(garden(75))
    one = consolidate(first, NOTHING)
    second = committed(first, one)
    two = consolidate(second, NOTHING)
    third = committed(second, two)
    due = needs_review(third.cards, MaintenanceLedger.from_state(third.ledger)).needed
    return [one.trace["pending_remaining"], two.trace["pending_remaining"], due]


def edited() -> list[object]:
    first = request(garden(2))
    made = consolidate(first, NOTHING)
    ledger = MaintenanceLedger.from_state(committed(first, made).ledger)
    read = [{**one, "hits": 3} for one in garden(2)]
    edit = [{**one, "content": "edited"} for one in garden(1)]
    return [made.error, needs_review(read, ledger).needed, needs_review(edit, ledger).reason]


def own_output() -> list[bool]:
    first = request(garden(2))
    made = consolidate(first, reply(row("c000", "c001")))
    return [made.needed, consolidate(committed(first, made)).needed]


def unparsable() -> list[object]:
    made = consolidate(request(garden(1)), "I tidied everything.")
    return [made.error, dict(made.ledger or {})]


def too_small() -> list[object]:
    made = consolidate(request(garden(1), caps=DreamCaps(total_chars=10)))
    return [made.error, made.trace["model_calls"]]


def locale() -> list[object]:
    due = needs_review(garden(1), MaintenanceLedger()).needed
    try:
        request(garden(1), locale="")
    except ValueError as error:
        return [next(one.__name__ for one in type(error).mro() if one is ValueError), due]
    return [None, due]


def with_its_thread() -> list[object]:
    old = [card("oldtrip", threads=["trip"]), card("oldcat", threads=["cat"])]
    first = request(old)
    after = committed(first, consolidate(first, NOTHING))
    new = card("newone", threads=["trip"], summary="zzz", content="zzz")
    asked = request([*map(dict, after.cards), new], ledger=after.ledger)
    prompt = str(MaintenanceSession(asked).next_prompt)
    made = consolidate(asked, NOTHING)
    shown = ["newone", "oldtrip", "oldcat"]
    return [made.error, [one for one in shown if f"### card {one}\n" in prompt]]


def forty_of_forty() -> list[object]:
    ids = [one["id"] for one in garden(40)]
    made = consolidate(request(garden(40)), reply(row(*ids[:20]), row(*ids[20:])))
    return [made.error, len(made.mutations), made.ledger]


def sharing_a_target() -> list[object]:
    said = reply(row("card0001", "card0002"), row("card0001", "card0003"))
    made = consolidate(request([card(f"card000{n}") for n in (1, 2, 3)]), said)
    followed = [one["card_ids"] for one in made.consolidations]
    return [followed, made.trace["dropped_shared_targets"]]


SAME: dict[str, Callable[[], object]] = {
    "D04": key,
    "D07": rows,
    "D09": supersede,
    "D11": rendered,
    "D12": cut,
    "D14": unsafe,
    "D15": backlog,
    "D16": edited,
    "D17": own_output,
    "D19": unparsable,
    "D20": too_small,
    "D21": locale,
    "D22": with_its_thread,
}
DIFFERS: dict[str, tuple[Callable[[], object], object]] = {
    "D05": (fuse, [False, True, False, False, True, False]),  # that of jobs/dream is in core/checks
    "D06": (leaks, [True, True, False]),
    "D23": (forty_of_forty, ["maintenance_fuse_blown:40/40", 0, None]),
    "D24": (sharing_a_target, [[["card0001", "card0002"]], 1]),
}


@pytest.mark.parametrize("case", SAME)
def test_same(case: str) -> None:
    found = shared()[case]
    assert found["ours"] == "same"
    assert SAME[case]() == found["expected"]


@pytest.mark.parametrize("case", DIFFERS)
def test_differs(case: str) -> None:
    assert shared()[case]["ours"] == "differs"
    found, expected = DIFFERS[case]
    assert found() == expected


def test_every_case_is_tried() -> None:
    dreams = {name for name, one in shared().items() if one["area"] == "dream"}
    assert dreams == SAME.keys() | DIFFERS.keys()
