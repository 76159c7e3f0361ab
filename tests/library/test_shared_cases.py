"""The shared cases on stores and observability that the sockets themselves decide."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memgardend import FULL_CAPABILITIES, SelectionResult, describe_for_user
from memgardend.core.clock import ManualClock
from memgardend.core.editorial.mutations import InvalidMutation
from memgardend.core.editorial.observability import (
    assert_content_free,
    injection_record,
    query_fingerprint,
)
from memgardend.core.editorial.selection import Pick
from memgardend.core.ports.capabilities import CRITICAL, DEGRADABLE, NO_CAPABILITIES
from memgardend.core.ports.library import IdempotencyConflict, MutationRejected, StoragePort
from memgardend.daemon.library.sqlite_store import SqliteStore
from support.capturing import shared_cases


def expected(case: str) -> Any:
    return shared_cases()[case]["expected"]


@pytest.fixture
def store(tmp_path: Path, clock: ManualClock) -> StoragePort:
    ids = iter(f"m_{n}" for n in range(1, 99))
    return SqliteStore(tmp_path / "memory.db", clock=clock, new_id=lambda: next(ids))


def add(**card: Any) -> dict[str, Any]:
    return {"op": "add", "card": {"summary": "s", "content": "c", **card}}


def failure(store: StoragePort, key: str, *rows: dict[str, Any]) -> str | None:
    """The word for what became of a batch."""
    try:
        store.apply("t", rows, idempotency_key=key)
    except IdempotencyConflict:
        return "idempotency_conflict"
    except MutationRejected as error:
        return f"record_{error.reason}"
    except InvalidMutation as error:
        return str(error)
    return None


def test_s02_the_same_key_with_other_input(store: StoragePort) -> None:
    outcomes = [failure(store, "k", add()), failure(store, "k", add(content="other"))]
    assert outcomes == expected("S02")


def test_s03_an_empty_result_leaves_a_receipt(store: StoragePort) -> None:
    row = {"op": "no_op", "reason": "nothing_worth_keeping"}
    first = store.apply("t", [row], idempotency_key="k", request_digest="d")
    again = store.request_receipt("t", idempotency_key="k", request_digest="d")
    assert again is not None
    reasons = [result.results[0]["reason"] for result in (first, again)]
    assert [*reasons, len(again.results)] == expected("S03")


def test_s06_supersede_keeps_the_old_card(store: StoragePort) -> None:
    store.apply("t", [add(id="card0000")], idempotency_key="k")
    row = {"op": "supersede", "target_id": "card0000", "card": {"summary": "new"}}
    [result] = store.apply("t", [row], idempotency_key="k2").results
    old = store.load("t", include_superseded=True, ids=["card0000"]).cards
    kept = [[card["id"], card["archived"], card["superseded_by"]] for card in old]
    assert [result, kept] == expected("S06")


def test_s07_deleting_is_real_repeatable_and_somebodys(store: StoragePort) -> None:
    store.apply("t", [add(id="a")], idempotency_key="k")
    row = {"op": "delete", "record_id": "a", "requested_by": "ann"}
    outcomes = [
        failure(store, "d0", {**row, "requested_by": ""}),
        failure(store, "d1", row),
        failure(store, "d1", row),
        failure(store, "d2", {**row, "record_id": "b"}),
        failure(store, "d3", {**row, "record_id": ""}),
    ]
    words = [
        "delete needs `requested_by`",
        None,
        None,
        "record_not_found",
        "delete needs `record_id`",
    ]
    assert outcomes == words
    # The words of a receipt: each says the same in the words of the shared case.
    said = {"delete needs `requested_by`": "requested_by_required"}
    said["delete needs `record_id`"] = "record_id_required"
    assert [said.get(one, one) if one else one for one in outcomes] == expected("S07")


def test_s09_what_a_store_cannot_do_is_said_in_plain_words() -> None:
    assert describe_for_user(FULL_CAPABILITIES) == []
    counts = [len(CRITICAL), len(DEGRADABLE), len(describe_for_user(NO_CAPABILITIES))]
    assert counts == expected("S09")


def test_s12_an_invalid_mutation_in_a_batch_writes_nothing(store: StoragePort) -> None:
    with pytest.raises(InvalidMutation):
        store.apply("t", [add(), {"op": "archive"}], idempotency_key="k")
    assert len(store.load("t").cards) == expected("S12")[1]


def test_o01_the_fingerprint_of_a_query() -> None:
    once, again = query_fingerprint("我的狗"), query_fingerprint("我的狗")
    assert [len(once), once == again, query_fingerprint("  ")] == expected("O01")


def test_o02_a_record_holds_no_content() -> None:
    result = SelectionResult(picks=(Pick(card_id="m_1", stage="s"),), rejected={"m_2": "over_cap"})
    record = injection_record("query", result, mode="chain", cap=8, dur_ms=1)
    passed = assert_content_free(record)  # type: ignore[func-returns-value]
    with pytest.raises(AssertionError) as refusal:
        assert_content_free({**record, "summary": "x"})
    assert [sorted(record), passed, refusal.typename] == expected("O02")
