"""The documents behind the screens, from a real store."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import UTC
from pathlib import Path
from typing import Any

import pytest

from memgardend.core.clock import HOUR_MS, MINUTE_MS, ManualClock
from memgardend.core.ports import ModelReply
from memgardend.core.times import parse_time, rfc3339
from memgardend.core.words import Layer, Outcome
from memgardend.jobs.context import Garden
from memgardend.jobs.look import (
    dreams_document,
    history_document,
    memories_document,
    show_document,
    status_document,
    wants_attention,
    why_document,
    windows_document,
)
from memgardend.jobs.look.outlook import Outlook
from memgardend.jobs.shared import DAEMON_KEY, PAUSED_KEY
from memgardend.jobs.start import LEASE_MS, Started, start
from memgardend.jobs.sweep import Search, sweep
from support import documents
from support.conversation import keep_all, say, window_id
from support.garden import QUIET_MS, START, ScriptedModel, make_garden

MakeGarden = Callable[..., Garden]


@pytest.fixture
def make(tmp_path: Path) -> Iterator[MakeGarden]:
    """Makes gardens over one store and closes them."""
    opened: list[Garden] = []

    def one(script: Any = None, **settings: Any) -> Garden:
        model = ScriptedModel() if script is None else ScriptedModel(script)
        opened.append(make_garden(tmp_path, model=model, **settings))
        return opened[-1]

    yield one
    for garden in opened:
        garden.store.close()


def outlook(garden: Garden) -> Outlook:
    """That garden, to look at."""
    return Outlook(
        store=garden.store,
        config=garden.config,
        suppression=garden.suppression,
        now_ms=garden.clock.now_ms(),
        driven=False,
        workspace="/home/ana/work",
    )


def status(garden: Garden, after_ms: int = 0) -> dict[str, Any]:
    """`status`, now or later."""
    return status_document(outlook(garden), garden.clock.now_ms() + after_ms)


def states(document: dict[str, Any]) -> dict[str, str]:
    """The state of each window by native id."""
    return {one["id"].partition(":")[2]: one["state"] for one in document["windows"]}


def test_an_empty_store_has_nothing_in_sight(make: MakeGarden) -> None:
    document = status(make())
    assert document["windows"] == []
    assert document["next"] == {"window": None, "at": None, "reason": None}
    assert document["last_dream"] is None
    assert not any(document["counts"].values())
    assert not wants_attention(document)


def test_due_windows_queue_by_the_age_of_what_is_new(make: MakeGarden) -> None:
    garden = make()
    say(garden.store, "young", "one", at=START - QUIET_MS)
    say(garden.store, "elder", "two", at=START - 2 * QUIET_MS)
    say(garden.store, "busy", "three", at=START - MINUTE_MS)
    document = status(garden)
    assert states(document) == {"busy": "active", "young": "due", "elder": "due"}
    assert [one["queue"] for one in document["windows"]] == [None, 2, 1]
    assert document["next"] == {"window": window_id("elder"), "at": rfc3339(START), "reason": "due"}
    assert document["counts"]["due"] == 2


def test_the_next_dream_is_predicted_with_its_reason(make: MakeGarden) -> None:
    garden = make()
    say(garden.store, "busy", "three", at=START - MINUTE_MS)
    at = rfc3339(START - MINUTE_MS + 3 * HOUR_MS)
    coming = status(garden)["next"]
    assert (coming["window"], coming["at"]) == (window_id("busy"), at)
    assert coming["reason"].startswith("active: ")
    later = status(garden, 4 * HOUR_MS)
    assert states(later) == {"busy": "due"}
    why = why_document(outlook(garden), "busy", START)
    assert (why["next_at"], why["may"], why["may_by_hand"]) == (at, False, True)


def test_why_names_the_dream_that_failed_with_its_last_error(make: MakeGarden) -> None:
    garden = make(lambda request: "no JSON")
    say(garden.store, "mail", "The staging port is 8080.", at=START - QUIET_MS)
    (report,) = sweep(garden).dreams
    why = why_document(outlook(garden), "mail", START)
    dream, backoff = why["dream"], next(one for one in why["gates"] if one["gate"] == "backoff")
    assert (dream["id"], dream["state"]) == (report.dream, "failed")
    assert dream["error"] == "no JSON object could be read in the answer"
    assert backoff["reason"] == "it failed (atomic: unusable)"
    assert report.dream is not None
    assert report.dream.startswith(dream["short"])


def test_what_dreams_already_is_not_what_dreams_next(make: MakeGarden) -> None:
    garden = make()
    say(garden.store, "first", "three", at=START - QUIET_MS - MINUTE_MS)
    dream_id = Search(garden).next()
    assert dream_id is not None
    assert isinstance(start(garden, dream_id), Started)
    document = status(garden)
    assert states(document) == {"first": "dreaming"}
    assert document["windows"][0]["next_at"] == rfc3339(START + LEASE_MS)
    assert document["next"] == {"window": None, "at": None, "reason": None}
    say(garden.store, "second", "four", at=START - QUIET_MS)
    assert status(garden)["next"]["window"] == window_id("second")


def test_a_wait_that_ends_within_a_peak_names_the_peak_too(make: MakeGarden) -> None:
    """The conversation is quiet at half past nine, and nothing starts before noon."""
    peak = 'dream: {suppress_windows: [{start: "9:00", end: "12:00"}]}\n'
    garden = make(yaml=f"locale: en\n{peak}")
    spoken = parse_time("2026-12-02T06:30:00+08:00", UTC)
    say(garden.store, "mail", "four", at=spoken)
    coming = status_document(outlook(garden), spoken + HOUR_MS)["next"]
    assert coming["at"] == "2026-12-02T04:00:00Z"
    assert coming["reason"].startswith("active: ")
    assert coming["reason"].endswith(", then peak")


def test_a_failed_dream_wants_attention_and_names_its_instant(make: MakeGarden) -> None:
    garden = make(lambda request: ModelReply(outcome=Outcome.LOGIN, detail="who are you?"))
    say(garden.store, "mail", "one two three four", at=START - QUIET_MS)
    sweep(garden)
    document = status(garden)
    assert states(document) == {"mail": "failed"}
    assert document["breaker"]["failures"] == 1
    assert wants_attention(document)
    dream = dreams_document(garden.store)["dreams"][0]
    assert dream["state"] == "failed"
    assert dream["next_attempt_at"] == document["windows"][0]["next_at"]
    receipts = show_document(garden.store, dream["id"])["receipts"]
    assert [(one["outcome"], one["detail"]) for one in receipts] == [("login", "who are you?")]


@pytest.mark.parametrize(
    ("age_ms", "state"), [(0, "running"), (3 * MINUTE_MS, "running"), (4 * MINUTE_MS, "dead")]
)
def test_a_daemon_that_misses_three_ticks_is_dead(
    make: MakeGarden, age_ms: int, state: str
) -> None:
    garden = make()
    beat = {"pid": 7, "host": "h", "started_at": START - HOUR_MS, "last_tick_at": START - age_ms}
    garden.store.set_state(DAEMON_KEY, None, json.dumps(beat))
    daemon = status(garden)["daemon"]
    assert (daemon["state"], daemon["pid"]) == (state, 7)
    assert daemon["started_at"] == rfc3339(START - HOUR_MS)


def test_shared_state_is_shown(make: MakeGarden) -> None:
    garden = make()
    until = START + HOUR_MS
    garden.store.set_state(PAUSED_KEY, None, json.dumps({"until": until}))
    document = status(garden)
    assert (document["paused"], document["paused_until"]) == (True, rfc3339(until))
    assert document["budget"] == {}


def test_a_calendar_that_never_allows_is_loud(make: MakeGarden) -> None:
    whole = 'dream: {suppress_windows: [{start: "0:00", end: "24:00"}]}\n'
    document = status(make(yaml=whole))
    assert document["suppression"]["never_allows"]
    assert document["suppression"]["next_allowed_at"] is None
    assert wants_attention(document)


def test_memories_with_their_quotes_and_their_history(make: MakeGarden) -> None:
    garden = make(keep_all())
    say(garden.store, "mail", "The staging port is 8080 today.", at=START - QUIET_MS)
    sweep(garden)
    memory = memories_document(garden.store, locale="en", at=START)["memories"][0]
    assert memory["content"] == "The staging port is 8080 today."
    assert [(one["event"], one["role"], one["quote"]) for one in memory["evidence"]] == [
        (1, "human", "The staging port is 8080 today.")
    ]
    history = history_document(garden.store, memory["id"])
    assert [one["operation"] for one in history["history"]] == ["remember"]
    assert history["history"][0]["changed"] == {}


def test_a_search_is_nearest_first_and_layers_filter(make: MakeGarden) -> None:
    garden = make(keep_all())
    say(garden.store, "mail", "The staging port is 8080.", "Ana keeps bees.", at=START - QUIET_MS)
    sweep(garden)

    def found(**chosen: Any) -> list[str]:
        rows = memories_document(garden.store, locale="en", at=START, **chosen)["memories"]
        return [row["content"] for row in rows]

    assert found(query="bees") == ["Ana keeps bees."]
    assert found(layer=Layer.RULES) == []
    assert len(found()) == 2


def test_refused_operations_are_shown_with_their_word(make: MakeGarden) -> None:
    def script(request: dict[str, Any]) -> dict[str, Any]:
        quote = {"event": "e1", "quote": "nobody ever said such a thing"}
        bad = {"op": "remember", "layer": "fact", "content": "It is so.", "evidence": [quote]}
        operations = [bad] if request["round"] == "atomic" else []
        return {"operations": operations, "questions": ["Is it?"], "summary": "tried"}

    garden = make(script)
    say(garden.store, "mail", "The staging port is 8080.", at=START - QUIET_MS)
    sweep(garden)
    show = show_document(garden.store, dreams_document(garden.store)["dreams"][0]["id"])
    atomic = show["rounds"][0]
    assert (atomic["operations"], atomic["refused"]) == (1, 1)
    assert [(one["decision"], one["refusal"]) for one in atomic["verdicts"]] == [
        ("refused", "quote_not_found")
    ]
    assert (atomic["summary"], atomic["questions"]) == ("tried", ["Is it?"])
    assert show["memories"] == []


def test_secrets_are_masked_in_what_is_shown(make: MakeGarden) -> None:
    secret = "sk-ant-api03-" + "a1B2c3D4e5" * 9

    def script(request: dict[str, Any]) -> dict[str, Any]:
        return {"operations": [], "questions": [f"Is {secret} yours?"], "summary": f"saw {secret}"}

    garden = make(script)
    say(garden.store, "mail", "The staging port is 8080.", at=START - QUIET_MS)
    sweep(garden)
    dream = dreams_document(garden.store)["dreams"][0]["id"]
    assert secret not in json.dumps(show_document(garden.store, dream))


def test_the_sample_documents_of_the_screens_have_the_fields_of_real_ones(
    make: MakeGarden,
) -> None:
    garden = make(keep_all())
    say(garden.store, "mail", "The staging port is 8080.", at=START - QUIET_MS)
    sweep(garden)
    seen = outlook(garden)
    dreams = dreams_document(garden.store)["dreams"]
    memories = memories_document(garden.store, locale="en", at=START)["memories"]
    show = show_document(garden.store, dreams[0]["id"])
    real: list[tuple[dict[str, Any], dict[str, Any]]] = [
        (status(garden), documents.status()),
        (status(garden)["counts"], documents.status()["counts"]),
        (status(garden)["last_dream"], documents.status()["last_dream"]),
        (windows_document(seen, START)["windows"][0], documents.window()),
        (why_document(seen, "mail", START), documents.why()),
        (dreams[0], documents.dream()),
        (show, documents.show()),
        (show["rounds"][0], documents.show()["rounds"][0]),
        (show["receipts"][0], documents.show()["receipts"][0]),
        (memories[0], documents.memory()),
        (memories[0]["evidence"][0], documents.memory()["evidence"][0]),
        (
            history_document(garden.store, memories[0]["id"])["history"][0],
            documents.history()["history"][0],
        ),
    ]
    for found, sample in real:
        assert set(found) == set(sample)


def test_the_clock_of_a_dream_is_shown_from_its_rows(make: MakeGarden) -> None:
    garden = make(keep_all())
    say(garden.store, "mail", "The staging port is 8080.", at=START - QUIET_MS)
    sweep(garden)
    assert isinstance(garden.clock, ManualClock)
    dream = dreams_document(garden.store)["dreams"][0]
    assert dream["seal"] == rfc3339(START - QUIET_MS)
    assert dream["created_at"] == dream["finished_at"] == rfc3339(START)
    assert status(garden)["last_dream"]["id"] == dream["id"]
