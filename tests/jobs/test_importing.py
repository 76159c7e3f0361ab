"""Imports batch by batch: progress in the store, what stops one, and what begins it anew."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memgardend.core.clock import ManualClock
from memgardend.core.editorial.importing.request import ImportRequest
from memgardend.core.errors import BusyError, ModelUnavailableError
from memgardend.core.extract import consolidate, parse_request
from memgardend.core.ports import ModelReply
from memgardend.core.ports.library import StoragePort
from memgardend.core.request_schema import REQUEST_SCHEMA
from memgardend.core.words import CallPurpose, Outcome
from memgardend.daemon.library.sqlite_store import SqliteStore
from memgardend.jobs.context import Garden
from memgardend.jobs.importing import ImportChangedError, KeptImport, open_import, run_import
from memgardend.jobs.questions import HeldError
from memgardend.jobs.shared import PAUSED_KEY
from support.garden import START, Answer, ScriptedModel, make_garden
from support.json_schema import mistakes

PAID = "model: {command: [x]}\n"
TENANT = "garden"
LINES = [
    f"The server number {n} is called {name}." for n, name in enumerate(("basil", "clove", "dill"))
]
TEXT = "".join(f"{line}\n{'chatter ' * 30}\n" for line in LINES)
BATCH = len(TEXT) // 3 + 10
"""A cut falls after the last line break, so that each batch holds one line."""


def keep_facts(request: dict[str, Any]) -> Answer:
    """A card for each line about a server."""
    said = [line for event in request["events"] for line in event["text"].splitlines()]
    made = [line for line in said if line.startswith("The server")]
    return {"cards": [{"action": "add", "summary": one, "content": one} for one in made]}


def garden_of(
    tmp_path: Path, script: Callable[[dict[str, Any]], Answer] = keep_facts, yaml: str = PAID
) -> Garden:
    return make_garden(tmp_path, clock=ManualClock(START), model=ScriptedModel(script), yaml=yaml)


def cards_of(tmp_path: Path, garden: Garden) -> StoragePort:
    return SqliteStore(tmp_path / ".memgarden" / "memory.db", clock=garden.clock)


def request(text: str = TEXT, **fields: Any) -> ImportRequest:
    plain = {"locale": "en", "material": text, "batch_chars": BATCH}
    return ImportRequest(**{**plain, **fields})


def begin(garden: Garden, *, restart: bool = False, **fields: Any) -> KeptImport:
    return open_import(garden.store, "/old.txt", request(**fields), restart=restart)


def run(tmp_path: Path, garden: Garden, kept: KeptImport | None = None, **options: Any) -> Any:
    kept = kept or begin(garden)
    run_import(garden, kept, cards_of(tmp_path, garden), TENANT, **options)
    return kept.session.progress


def asked(garden: Garden) -> int:
    assert isinstance(garden.model, ScriptedModel)
    return len(garden.model.calls)


def contents(garden: Garden) -> list[str]:
    return sorted(one.content for one in garden.store.memories())


def test_every_batch_is_stored_with_a_receipt_and_the_progress_kept(tmp_path: Path) -> None:
    garden = garden_of(tmp_path)
    seen: list[int] = []
    progress = run(tmp_path, garden, watch=lambda one: seen.append(one["percent"]))
    assert (progress["done"], progress["cards_written"]) == (True, 3)
    assert contents(garden) == LINES
    assert seen == sorted(seen)
    assert seen[-1] == 100
    receipts = garden.store.receipts()
    assert [one.purpose for one in receipts] == [CallPurpose.IMPORT] * asked(garden)
    again = begin(garden)
    assert again.resumed
    run(tmp_path, garden, again)
    assert len(garden.store.receipts()) == len(receipts)


def test_what_a_json_model_reads_is_what_the_schema_says(tmp_path: Path) -> None:
    garden = garden_of(tmp_path)
    run(tmp_path, garden, begin(garden, text="User: I like tea.\nAssistant: Noted.\n" * 20))
    assert isinstance(garden.model, ScriptedModel)
    first = garden.model.requests[0]
    assert list(mistakes(first, REQUEST_SCHEMA)) == []
    assert {one["role"] for one in first["events"]} == {"human", "assistant"}
    assert first["judgement"]["policy"] == "history_import"
    assert first["prompt"] == garden.model.calls[0].prompt


@pytest.mark.parametrize(
    ("outcome", "raised"),
    [(Outcome.LOGIN, ModelUnavailableError), (Outcome.TIMEOUT, ModelUnavailableError)],
)
def test_a_model_that_does_not_work_stops_it_where_it_is(
    tmp_path: Path, outcome: Outcome, raised: type[Exception]
) -> None:
    failing = [False, True, False, False, False]

    def script(request: dict[str, Any]) -> Answer:
        return ModelReply(outcome=outcome) if failing.pop(0) else keep_facts(request)

    garden = garden_of(tmp_path, script)
    with pytest.raises(raised):
        run(tmp_path, garden)
    stored = contents(garden)
    assert stored == LINES[:1]
    assert run(tmp_path, garden)["done"]
    assert contents(garden) == LINES


def test_budget_and_pause_hold_it_a_peak_does_not(tmp_path: Path) -> None:
    peak = "dream: {suppress_windows: [{start: '0:00', end: '24:00'}]}\n"
    garden = garden_of(tmp_path, yaml=f"{PAID}{peak}budget: {{calls_per_day: 1}}\n")
    with pytest.raises(HeldError, match="1 of 1 calls today") as held:
        run(tmp_path, garden)
    assert held.value.until is not None
    assert contents(garden) == LINES[:1]
    paused = garden_of(tmp_path / "paused")
    paused.store.set_state(PAUSED_KEY, None, json.dumps({"until": None}))
    with pytest.raises(HeldError, match="paused"):
        run(tmp_path / "paused", paused)
    assert asked(paused) == 0


def test_a_batch_of_which_nothing_can_be_made_stays_until_it_is_left_out(tmp_path: Path) -> None:
    garden = garden_of(
        tmp_path, lambda one: "no" if "clove" in str(one["events"]) else keep_facts(one)
    )
    for attempts in (1, 2):
        progress = run(tmp_path, garden)
        assert progress["failed"][0]["attempts"] == attempts
        assert not progress["done"]
    progress = run(tmp_path, garden, skip_failed=True)
    assert progress["done"]
    assert [one["reason"] for one in progress["skipped"]] == ["no_json_object"]
    assert contents(garden) == [LINES[0], LINES[2]]


@pytest.mark.parametrize(
    "changed", [{"text": TEXT + "more\n"}, {"policy": "curated_archive"}, {"keep_specifics": True}]
)
def test_what_has_changed_since_it_began_is_begun_anew_only_on_request(
    tmp_path: Path, changed: dict[str, Any]
) -> None:
    garden = garden_of(tmp_path)
    run(tmp_path, garden)
    with pytest.raises(ImportChangedError):
        begin(garden, **changed)
    anew = begin(garden, restart=True, **changed)
    assert not anew.resumed
    calls = asked(garden)
    assert run(tmp_path, garden, anew)["done"]
    assert asked(garden) > calls
    assert contents(garden) == LINES  # what is known already is not written twice


def test_only_one_process_imports_a_file(tmp_path: Path) -> None:
    garden = garden_of(tmp_path)
    late = begin(garden)
    run(tmp_path, garden)
    with pytest.raises(BusyError):
        run(tmp_path, garden, late)
    assert contents(garden) == LINES


def test_the_offline_rules_keep_what_the_person_said(tmp_path: Path) -> None:
    garden = garden_of(tmp_path, lambda one: consolidate(parse_request(json.dumps(one))), "")
    said = "User: Never deploy on Fridays.\nAssistant: I always deploy on Mondays.\n"
    run(tmp_path, garden, begin(garden, text=said))
    assert contents(garden) == ["Never deploy on Fridays."]
    assert not any(one.counted for one in garden.store.receipts())
