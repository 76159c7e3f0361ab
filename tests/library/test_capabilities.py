"""What a store can do: said by the store, refused without it, told to a person; and stores of three methods."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, make_dataclass, replace
from types import SimpleNamespace
from typing import Any

import pytest

from memgardend.core.clock import ManualClock
from memgardend.core.editorial.basic_store import as_storage
from memgardend.core.editorial.memory_store import InMemoryStore
from memgardend.core.errors import MemgardendError
from memgardend.core.ports.capabilities import (
    CRITICAL,
    DEGRADABLE,
    FULL_CAPABILITIES,
    MAINTENANCE,
    NO_CAPABILITIES,
    Capabilities,
    declared,
    describe_for_user,
    missing,
)
from memgardend.core.ports.library import (
    IdempotencyConflict,
    MutationRejected,
    PartialFailure,
    RevisionConflict,
    StoragePort,
    UnsupportedOperation,
)

ADD = {"op": "add", "card": {"summary": "a", "content": "b"}}


class BasicStore:
    """A store of the first release: three methods, no owner, no receipts, no ledger."""

    def __init__(self, **off: bool) -> None:
        self.inner = InMemoryStore(clock=ManualClock(0))
        self.flags = {
            "supports_supersede": True,
            "supports_atomic_batch": True,
            "supports_custom_fields": True,
            "supports_metadata_sort": False,
            **off,
        }
        self.calls: list[str] = []

    def capabilities(self) -> SimpleNamespace:
        return SimpleNamespace(**self.flags)

    def load(self, tenant: str, **filters: Any) -> SimpleNamespace:
        self.calls.append("load")
        snapshot = self.inner.load(tenant, include_archived=True, include_superseded=True)
        return SimpleNamespace(cards=snapshot.cards, revision=snapshot.revision)

    def apply(
        self,
        tenant: str,
        mutations: Sequence[Mapping[str, Any]],
        *,
        idempotency_key: str,
        expected_revision: str | None = None,
    ) -> SimpleNamespace:
        self.calls.append("apply")
        applied = self.inner.apply(
            tenant,
            mutations,
            idempotency_key=idempotency_key,
            expected_revision=expected_revision,
        )
        return SimpleNamespace(results=applied.results, revision=applied.revision)


def test_eight_are_critical_and_two_degrade() -> None:
    assert (len(CRITICAL), len(DEGRADABLE)) == (8, 2)
    assert {*CRITICAL, *DEGRADABLE} == {one.name for one in fields(Capabilities)}


def test_the_first_six_must_be_said() -> None:
    names = [one.name for one in fields(Capabilities)][:6]
    for left_out in names:
        with pytest.raises(TypeError, match=left_out):
            Capabilities(**{name: True for name in names if name != left_out})
    said = Capabilities(**dict.fromkeys(names, True))
    assert missing(said, CRITICAL) == CRITICAL[4:]


@pytest.mark.parametrize("locale", ["en", "zh-Hans"])
def test_a_person_is_told_what_is_off_in_plain_sentences(locale: str) -> None:
    assert describe_for_user(FULL_CAPABILITIES, locale) == []
    sentences = describe_for_user(NO_CAPABILITIES, locale)
    assert len(set(sentences)) == 10
    for sentence in sentences:
        assert sentence.endswith("." if locale == "en" else "。")
        assert "supports_" not in sentence and "_" not in sentence
        assert sentence.isascii() == (locale == "en")
    for one in fields(Capabilities):
        off = replace(FULL_CAPABILITIES, **{one.name: False})
        assert describe_for_user(off, locale) == [
            sentences[[each.name for each in fields(Capabilities)].index(one.name)]
        ]


class Raises:
    def capabilities(self) -> Capabilities:
        raise RuntimeError("no connection")


@pytest.mark.parametrize("store", [object(), Raises(), SimpleNamespace(capabilities=1), None])
def test_a_store_that_cannot_say_can_do_nothing(store: object) -> None:
    assert declared(store) == NO_CAPABILITIES


def test_only_true_is_a_promise() -> None:
    said = make_dataclass("Said", [("supports_supersede", str)])("yes")
    assert declared(SimpleNamespace(capabilities=lambda: said)) == NO_CAPABILITIES


def test_needs_are_named_by_flag_or_by_word() -> None:
    assert missing(NO_CAPABILITIES, ["hard_delete", "supports_supersede"]) == (
        "supports_supersede",
        "supports_hard_delete",
    )
    with pytest.raises(ValueError, match="no such capability: supports_flight"):
        missing(FULL_CAPABILITIES, ["flight"])


def basic(**off: bool) -> tuple[StoragePort, BasicStore]:
    store = BasicStore(**off)
    return as_storage(store), store


def test_a_basic_store_works_for_its_tenant() -> None:
    store, _ = basic()
    made = store.apply("t", [ADD], idempotency_key="k")
    id_ = made.results[0]["id"]
    assert store.apply("t", [ADD], owner="t", idempotency_key="k") == made
    replaced = [{"op": "supersede", "target_id": id_, "card": {"summary": "new"}}]
    store.apply("t", replaced, idempotency_key="k2", expected_revision=made.revision)
    assert [card["summary"] for card in store.load("t").cards] == ["new"]
    everything = store.load("t", include_archived=True, include_superseded=True)
    assert {card["summary"] for card in everything.cards} == {"a", "new"}
    assert [card["id"] for card in store.load("t", include_superseded=True, ids=[id_]).cards] == [
        id_
    ]
    with pytest.raises(RevisionConflict):
        store.apply("t", [ADD], idempotency_key="k3", expected_revision=made.revision)


def test_a_basic_store_says_what_is_off() -> None:
    store, _ = basic()
    off = missing(store.capabilities(), [*CRITICAL, *DEGRADABLE])
    assert off == (
        "supports_hard_delete",
        "supports_owner_scoping",
        "supports_metadata_sort",
        "supports_maintenance_state",
        "supports_monotonic_seed_generation",
        "supports_incremental_maintenance",
        "supports_request_receipts",
    )
    assert len(describe_for_user(store.capabilities())) == 7


@pytest.mark.parametrize(
    ("rows", "how", "off", "lacking"),
    [
        ([ADD], {"owner": "ann"}, {}, ("supports_owner_scoping",)),
        ([{"op": "delete", "record_id": "x", "requested_by": "a"}], {}, {}, ("supports_hard_delete",)),
        ([ADD], {"request_digest": "d"}, {}, ("supports_request_receipts",)),
        ([ADD], {"maintenance_state": {}}, {}, MAINTENANCE[2:]),
        ([ADD, ADD], {}, {"supports_atomic_batch": False}, ("supports_atomic_batch",)),
        (
            [{"op": "supersede", "target_id": "x", "card": {"summary": "s"}}],
            {},
            {"supports_supersede": False},
            ("supports_supersede",),
        ),
    ],
)  # fmt: skip
def test_what_is_critical_is_refused_before_anything_is_called(
    rows: list[dict[str, Any]],
    how: dict[str, Any],
    off: dict[str, bool],
    lacking: tuple[str, ...],
) -> None:
    store, inner = basic(**off)
    with pytest.raises(UnsupportedOperation) as refusal:
        store.apply("t", rows, idempotency_key="k", **how)
    assert refusal.value.lacking == lacking
    assert inner.calls == []


def test_further_methods_of_a_basic_store_are_refused() -> None:
    store, inner = basic()
    with pytest.raises(UnsupportedOperation):
        store.load("t", owner="ann")
    with pytest.raises(UnsupportedOperation):
        store.maintenance_state("t", mount="agent-private")
    with pytest.raises(UnsupportedOperation):
        store.request_receipt("t", idempotency_key="k", request_digest="d")
    assert inner.calls == []


def test_errors_say_what_happened_and_what_to_do() -> None:
    cause = OSError("disk")
    partial = PartialFailure([{"id": "a"}], 1, cause)
    assert (partial.applied, partial.failed_at, partial.cause) == ([{"id": "a"}], 1, cause)
    assert str(partial) == "mutation 2 failed after 1 had been written (OSError)"
    errors: list[MemgardendError] = [partial, RevisionConflict("1", "2"), IdempotencyConflict("k")]
    errors.append(UnsupportedOperation("capture", ["supports_supersede"]))
    assert all(error.hint for error in errors)
    rejected = MutationRejected("update", MutationRejected.NOT_FOUND, "m1")
    assert isinstance(rejected, ValueError) and str(rejected) == "update: not_found (m1)"


def test_a_whole_store_is_taken_as_it_is() -> None:
    store = InMemoryStore()
    assert as_storage(store) is store
    with pytest.raises(TypeError, match="no load, apply"):
        as_storage(Raises())  # type: ignore[arg-type]
