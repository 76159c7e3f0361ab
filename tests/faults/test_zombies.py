"""Workers that lose their lease, races for one window, and memories that change under a dream."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from memgardend.core.clock import HOUR_MS, MINUTE_MS, ManualClock
from memgardend.core.errors import ConfigError, FencedError
from memgardend.core.ports import ModelReply
from memgardend.core.words import DreamState, Ending, Outcome, RoundName, RoundState, Status
from memgardend.jobs.context import Garden
from memgardend.jobs.dream import run_dream
from memgardend.jobs.heal import heal
from memgardend.jobs.heartbeat import Heartbeat
from memgardend.jobs.start import NotStarted, claim, judge_window, start
from memgardend.jobs.sweep import sweep
from support.conversation import keep_all, say, window_id
from support.garden import START, ScriptedModel, make_garden


def claimed(garden: Garden, window: str = "w", text: str = "The staging port is 8080.") -> str:
    """A window with one turn, quiet for four hours, claimed."""
    say(garden.store, window, text, at=garden.clock.now_ms() - 4 * HOUR_MS)
    facts = garden.store.window_facts(window_id(window))[0]
    dream = claim(garden, facts, judge_window(garden, facts))
    assert dream is not None
    return dream


def test_the_second_claim_of_a_window_is_a_quiet_no(tmp_path: Path) -> None:
    garden = make_garden(tmp_path)
    claimed(garden)
    facts = garden.store.window_facts(window_id("w"))[0]
    assert not garden.store.claim(facts.window.id, facts.window.rev, "other", START)


def test_a_claim_on_a_window_that_changed_meanwhile_fails(tmp_path: Path) -> None:
    garden = make_garden(tmp_path)
    say(garden.store, "w", "The staging port is 8080.", at=START - 4 * HOUR_MS)
    facts = garden.store.window_facts(window_id("w"))[0]
    verdict = judge_window(garden, facts)
    assert verdict.may
    say(garden.store, "w", "No, wait.", at=START)
    assert claim(garden, facts, verdict) is None


def test_a_finished_window_is_not_claimed_by_who_judged_before(tmp_path: Path) -> None:
    garden = make_garden(tmp_path, model=ScriptedModel(keep_all()))
    say(garden.store, "w", "The staging port is 8080.", at=START - 4 * HOUR_MS)
    before = garden.store.window_facts(window_id("w"))[0]
    verdict = judge_window(garden, before)
    assert [one.ending for one in sweep(garden).dreams] == [Ending.APPLIED]
    assert claim(garden, before, verdict) is None


def test_an_owner_that_wakes_after_its_lease_is_refused(tmp_path: Path) -> None:
    clock = ManualClock(START)
    slow = make_garden(tmp_path, clock=clock, name="slow")
    fast = make_garden(tmp_path, clock=clock, name="fast", model=ScriptedModel(keep_all()))
    dream = claimed(slow)

    def overtaken(request: dict[str, Any]) -> dict[str, Any]:
        """While the slow worker's model thinks, its lease ends and another worker does the dream."""
        if request["round"] == "atomic":
            clock.advance(3 * MINUTE_MS)
            assert [one.id for one in heal(fast)] == [dream]
            assert run_dream(fast, dream).ending is Ending.APPLIED
        return keep_all(title="late")(request)

    slow.model.script = overtaken  # type: ignore[attr-defined]
    assert run_dream(slow, dream).ending is Ending.FENCED
    kept = slow.store.memories()
    assert [(one.content, one.title) for one in kept] == [("The staging port is 8080.", None)]
    assert list(slow.store.violations()) == []


def test_a_call_ends_when_a_beat_finds_the_lease_lost(tmp_path: Path) -> None:
    clock = ManualClock(START)
    slow = make_garden(tmp_path, clock=clock, name="slow")
    other = make_garden(tmp_path, clock=clock, name="other")
    started = start(slow, claimed(slow))
    assert not isinstance(started, NotStarted)
    heartbeat = Heartbeat(slow, started.lease)
    clock.advance(3 * MINUTE_MS)
    heal(other)
    assert heartbeat.tick() is False
    with pytest.raises(FencedError):
        heartbeat.check()


def test_beats_keep_a_long_call_alive(tmp_path: Path) -> None:
    clock = ManualClock(START)
    garden = make_garden(tmp_path, clock=clock)
    other = make_garden(tmp_path, clock=clock, name="other")
    started = start(garden, claimed(garden))
    assert not isinstance(started, NotStarted)
    heartbeat = Heartbeat(garden, started.lease)
    for _ in range(30):
        clock.advance(MINUTE_MS // 2)
        assert heartbeat.tick()
        assert not heal(other)


def test_a_sleeper_that_wakes_first_keeps_its_dream(tmp_path: Path) -> None:
    """A laptop that was shut beats before it heals: it does not steal its own dream."""
    clock = ManualClock(START)
    garden = make_garden(tmp_path, clock=clock)
    started = start(garden, claimed(garden))
    assert not isinstance(started, NotStarted)
    heartbeat = Heartbeat(garden, started.lease)
    clock.step(8 * HOUR_MS)
    assert heartbeat.tick()
    assert not heal(garden)


def test_a_window_archived_under_its_dream_holds_up_only_what_has_not_begun(tmp_path: Path) -> None:
    garden = make_garden(tmp_path)
    waits, runs = claimed(garden, "w1"), claimed(garden, "w2", "Another matter altogether.")

    def archive(request: dict[str, Any]) -> Any:
        for window in ("w1", "w2"):
            garden.store.set_archived(window_id(window), True)
        return keep_all()(request)

    asked = replace(garden, model=ScriptedModel(archive))
    assert run_dream(asked, runs).ending is Ending.APPLIED
    held = run_dream(asked, waits)
    assert (held.ending, held.reason) == (Ending.HELD, "archived: the window is archived")
    garden.store.set_archived(window_id("w1"), False)
    assert run_dream(asked, waits).ending is Ending.APPLIED


def test_only_max_concurrent_dreams_run(tmp_path: Path) -> None:
    garden = make_garden(tmp_path)
    other = make_garden(tmp_path, name="other")
    first, second = claimed(garden, "w1"), claimed(garden, "w2", "Another matter altogether.")
    assert not isinstance(start(garden, first), NotStarted)
    waiting = start(other, second)
    assert isinstance(waiting, NotStarted)
    assert waiting.slots_full
    row = garden.store.dream(second)
    assert row is not None
    assert row.state == DreamState.PENDING


def test_a_memory_that_changes_under_a_dream_is_asked_about_again_once(tmp_path: Path) -> None:
    clock = ManualClock(START)
    garden = make_garden(tmp_path, clock=clock, model=ScriptedModel(keep_all()))
    say(garden.store, "w1", "The staging port is 8080.", at=START - 9 * HOUR_MS)
    sweep(garden)
    [known] = garden.store.memories()
    other = make_garden(
        tmp_path, clock=clock, name="other", yaml="dream: {max_concurrent: 2, suppress_windows: []}"
    )
    meddled: list[str] = []

    def supersede(request: dict[str, Any]) -> dict[str, Any]:
        """Replace the port by the new one; another dream rewords the memory meanwhile, the first time."""
        if request["round"] != "atomic":
            return {"operations": []}
        if not meddled:
            meddled.append("once")
            say(other.store, "w2", "The staging port is 8080, as ever.", at=START - 5 * HOUR_MS)
            other.model.script = reword  # type: ignore[attr-defined]
            assert Ending.APPLIED in [one.ending for one in sweep(other).dreams]
        target = next(m["handle"] for m in request["memories"] if "8080" in m["content"])
        event = next(e for e in request["events"] if "9090" in e["text"])
        return {
            "operations": [
                {
                    "op": "supersede",
                    "ids": [target],
                    "by": {"layer": "fact", "content": event["text"], "scope": "global"},
                    "reason": "the port moved",
                    "evidence": [{"event": event["handle"], "quote": event["text"]}],
                }
            ]
        }

    def reword(request: dict[str, Any]) -> dict[str, Any]:
        if request["round"] != "atomic":
            return {"operations": []}
        target = next(m["handle"] for m in request["memories"] if "8080" in m["content"])
        event = next(e for e in request["events"] if "as ever" in e["text"])
        return {
            "operations": [
                {
                    "op": "update",
                    "id": target,
                    "content": "The staging port is 8080, as ever.",
                    "reason": "said again",
                    "evidence": [{"event": event["handle"], "quote": event["text"]}],
                }
            ]
        }

    say(garden.store, "w3", "The staging port is 9090 from today on.", at=START - 4 * HOUR_MS)
    garden.model.script = supersede  # type: ignore[attr-defined]
    greedy = make_garden(
        tmp_path,
        clock=clock,
        name="greedy",
        model=garden.model,  # type: ignore[arg-type]
        yaml="dream: {max_concurrent: 2, suppress_windows: []}",
    )
    assert Ending.APPLIED in [one.ending for one in sweep(greedy).dreams]
    by_status = {one.status: one.content for one in greedy.store.memories()}
    assert by_status[Status.ACTIVE] == "The staging port is 9090 from today on."
    assert by_status[Status.ARCHIVED] == "The staging port is 8080, as ever."
    assert greedy.store.memory(known.id).superseded_by  # type: ignore[union-attr]
    assert list(greedy.store.violations()) == []


@pytest.mark.parametrize(
    ("answers", "ending", "calls", "attempts"),
    [
        (["not json at all", {"operations": []}], Ending.EMPTY, 2, 1),
        (["not json at all", "still not"], Ending.FAILED, 2, 1),
        ([ModelReply(outcome=Outcome.TIMEOUT)], Ending.MODEL_UNAVAILABLE, 1, 0),
        ([ModelReply(outcome=Outcome.TOO_LARGE)], Ending.FAILED, 1, 1),
    ],
    ids=["re-ask helps", "re-ask does not", "timeout is refunded", "flood counts"],
)
def test_unusable_answers(
    tmp_path: Path, answers: list[Any], ending: Ending, calls: int, attempts: int
) -> None:
    left = list(answers)
    model = ScriptedModel(lambda request: left.pop(0) if left else {"operations": []})
    garden = make_garden(tmp_path, model=model)
    report = run_dream(garden, claimed(garden))
    assert report.ending is ending
    atomic = [call for call in model.calls if call.round == "atomic"]
    assert len(atomic) == calls
    dream = garden.store.dream(report.dream)
    assert dream is not None
    assert dream.attempts == attempts


def test_the_re_ask_says_what_was_wrong(tmp_path: Path) -> None:
    left: list[Any] = ["not json at all"]
    model = ScriptedModel(lambda request: left.pop(0) if left else {"operations": []})
    garden = make_garden(tmp_path, model=model)
    run_dream(garden, claimed(garden))
    first, second = (call.prompt for call in model.calls if call.round == "atomic")
    assert len(second) > len(first)


def test_five_unusable_attempts_quarantine_and_new_speech_frees(tmp_path: Path) -> None:
    clock = ManualClock(START)
    garden = make_garden(tmp_path, clock=clock, model=ScriptedModel(lambda request: "prose"))
    dream = claimed(garden)
    endings = []
    for _ in range(5):
        endings.append(run_dream(garden, dream).ending)
        clock.advance(7 * HOUR_MS)
    assert endings == [Ending.FAILED] * 4 + [Ending.QUARANTINED]
    assert sweep(garden).dreams == []
    say(garden.store, "w", "Something new entirely.", at=clock.now_ms())
    clock.advance(4 * HOUR_MS)
    garden.model.script = keep_all()  # type: ignore[attr-defined]
    assert [one.ending for one in sweep(garden).dreams] == [Ending.APPLIED]
    assert len(garden.store.memories()) == 2


def test_the_last_attempt_goes_on_without_the_topic_round(tmp_path: Path) -> None:
    clock = ManualClock(START)

    def no_topics(request: dict[str, Any]) -> dict[str, Any] | str:
        return keep_all()(request) if request["round"] == "atomic" else "prose"

    model = ScriptedModel(no_topics)
    garden = make_garden(tmp_path, clock=clock, model=model)
    dream = claimed(garden)
    endings = []
    for _ in range(5):
        endings.append(run_dream(garden, dream).ending)
        clock.advance(7 * HOUR_MS)
    assert endings == [Ending.FAILED] * 4 + [Ending.APPLIED]
    row = garden.store.dream(dream)
    assert row is not None
    assert row.reason == "without topic"
    states = {one.name: one.state for one in garden.store.rounds(dream)}
    assert states[RoundName.TOPIC] == RoundState.SKIPPED
    assert len([call for call in model.calls if call.round == "atomic"]) == 1


def test_three_failures_of_the_model_open_the_breaker_and_one_probe_closes_it(
    tmp_path: Path,
) -> None:
    clock = ManualClock(START)
    broken = ModelReply(outcome=Outcome.EXIT, detail="exit 1")
    model = ScriptedModel(lambda request: broken)
    garden = make_garden(tmp_path, clock=clock, model=model)
    for number in range(5):
        text = f"kilo{number} lima{number} mike{number}"
        say(garden.store, f"w{number}", text, at=START - (9 - number) * HOUR_MS)
    assert len(sweep(garden).dreams) == 3
    assert len(model.calls) == 3
    facts = garden.store.window_facts(window_id("w4"))[0]
    verdict = judge_window(garden, facts)
    assert [gate.name for gate in verdict.holds] == ["breaker"]
    assert verdict.next_at == START + 15 * MINUTE_MS
    clock.advance(16 * MINUTE_MS)
    model.script = keep_all()
    endings = [one.ending for one in sweep(garden).dreams]
    assert endings.count(Ending.APPLIED) == 5


@pytest.mark.parametrize("stop", [KeyboardInterrupt(), ConfigError("no prompt slot")], ids=repr)
def test_a_stop_that_is_not_its_fault_costs_a_dream_nothing(
    tmp_path: Path, stop: BaseException
) -> None:
    clock = ManualClock(START)
    stops: list[BaseException] = [stop]

    def interrupted(request: dict[str, Any]) -> dict[str, Any]:
        if request["round"] == "topic" and stops:
            raise stops.pop()
        return keep_all()(request)

    model = ScriptedModel(interrupted)
    garden = make_garden(tmp_path, clock=clock, model=model)
    dream = claimed(garden)
    with pytest.raises(type(stop)):
        run_dream(garden, dream)
    row = garden.store.dream(dream)
    assert row is not None
    assert (row.state, row.attempts, row.deaths) == (DreamState.PENDING, 0, 0)
    clock.advance(HOUR_MS)
    assert [one.ending for one in sweep(garden).dreams] == [Ending.APPLIED]
    assert [call.round for call in model.calls].count("atomic") == 1
    assert list(garden.store.violations()) == []
