"""Receipts of calls that no dream makes: written before the call, counted like all others."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC

import pytest

from memgardend.core.budget import Limits, Spending
from memgardend.core.errors import StoreError
from memgardend.core.ports import Store
from memgardend.core.words import CallPurpose, Outcome
from support.stores import NOW, call_aside

ONE_A_DAY = Limits(zone=UTC, calls_per_day=1)


def test_a_call_counts_from_before_it_is_made(store: Store) -> None:
    asked = call_aside(purpose=CallPurpose.REFLECT)
    number = store.begin_call(asked, ONE_A_DAY)
    assert isinstance(number, int)
    assert list(store.receipts()) == [asked]
    refused = store.begin_call(replace(asked, at=NOW + 1), ONE_A_DAY)
    assert isinstance(refused, Spending)
    assert refused.text(NOW) == "1 of 1 calls today"
    answered = replace(asked, outcome=Outcome.OK, answer_chars=9, tokens_out=3)
    store.complete_call(number, answered)
    assert list(store.receipts()) == [answered]
    assert store.calls_ever()[0].calls == 1


def test_two_calls_at_once_are_told_apart(store: Store) -> None:
    limits = Limits(zone=UTC)
    first, second = (store.begin_call(call_aside(ask=n), limits) for n in (1, 2))
    assert isinstance(first, int)
    assert isinstance(second, int)
    store.complete_call(first, call_aside(ask=1, outcome=Outcome.OK))
    assert [one.outcome for one in store.receipts()] == [Outcome.OK, Outcome.ASKED]


def test_no_receipt_is_completed_that_was_not_begun(store: Store) -> None:
    with pytest.raises(StoreError):
        store.complete_call(7, call_aside())
