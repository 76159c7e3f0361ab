"""The import of history: pieces, progress, failures, and death at any moment."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memgardend.core.editorial.importing.candidates import MAX_CANDIDATES, add_new
from memgardend.core.editorial.importing.request import Strategy
from memgardend.core.editorial.importing.session import ImportSession
from memgardend.core.editorial.importing.split import (
    ImportUsageError,
    Section,
    lay_out,
    split_material,
)
from memgardend.core.editorial.memory_store import InMemoryStore
from memgardend.core.editorial.mutations import Add, Supersede
from memgardend.core.editorial.policies import UnknownPolicyError
from memgardend.core.ports.capabilities import FULL_CAPABILITIES, Capabilities
from memgardend.core.ports.library import MutationRejected
from support.history import TENANT, Died, Host, cards, material_of, notes, request

NONE = cards()
PIECES = "\n".join(f"Line {n} of the diary, on the river and the weather." for n in range(24))


@given(st.text(alphabet="ab\n ", max_size=2000), st.integers(200, 700))
def test_pieces_joined_are_the_material(material: str, chars: int) -> None:
    pieces = split_material(material, chars)
    assert "".join(one.text for one in pieces) == material
    assert [one.offset for one in pieces] == [0, *(one.end for one in pieces)][: len(pieces)]
    assert all(0 < len(one.text) <= chars for one in pieces)
    for one in pieces[:-1]:
        assert len(one.text) == chars or one.text.endswith("\n")


def test_a_piece_ends_after_the_last_line_of_its_second_half() -> None:
    early = "a" * 50 + "\n" + "b" * 300
    assert len(split_material(early, 200)[0].text) == 200
    late = "a" * 120 + "\n" + "b" * 30 + "\n" + "c" * 300
    assert len(split_material(late, 200)[0].text) == 152


def test_pieces_that_are_too_short_are_refused() -> None:
    with pytest.raises(ImportUsageError):
        split_material("text", 199)


def test_a_section_of_the_host_is_one_piece_with_what_it_knows() -> None:
    sections = (Section("Went rowing. " * 90, "diary", "2019-05-01", "2019-05-03"), Section("End."))
    assert [one.offset for one in lay_out(sections)] == [0, 1170]
    batch = ImportSession(request("", sections=sections)).next_batch()
    assert batch is not None
    assert (
        batch.next_prompt and "[diary, 2019-05-01 – 2019-05-03]\nWent rowing." in batch.next_prompt
    )


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        ({"locale": " "}, ValueError),
        ({"policy": "everything"}, UnknownPolicyError),
        ({"fallback_date": "May 2019"}, ImportUsageError),
        ({"max_cards": 0}, ImportUsageError),
        ({"max_total_cards": -1}, ImportUsageError),
    ],
)
def test_what_would_fail_later_is_refused_at_once(
    fields: dict[str, Any], error: type[Exception]
) -> None:
    with pytest.raises(error):
        request("text", **fields)


def test_progress_says_what_came_of_the_material() -> None:
    host = Host(request("Went rowing.\n" + " " * 200 + "\n" + "Sang."), lambda _: cards("She rows"))
    progress = host.run()
    assert progress["done"] and progress["percent"] == 100
    assert (progress["cursor"], progress["total"]) == (219, 219)
    assert (progress["batches_done"], progress["cards_written"], progress["cards_added"]) == (
        2,
        1,
        1,
    )
    assert len(host.stored) == 1  # the second card says the same


def test_blank_pieces_are_consumed_without_a_call() -> None:
    host = Host(request("a" * 200 + "\n" * 300 + "b" * 10), lambda _: NONE)
    progress = host.run()
    assert host.calls == 2
    assert [one["reason"] for one in progress["skipped"]] == ["blank_material"]
    assert sum(one["chars"] for one in progress["skipped"]) == 200


def test_a_failed_batch_stays_and_clears_when_it_succeeds() -> None:
    said = iter(["prose", "prose", cards("Rows")])
    host = Host(request("Went rowing."), lambda _: next(said))
    assert host.run()["cursor"] == 0
    progress = host.run()
    assert [(one["error"], one["attempts"]) for one in progress["failed"]] == [
        ("no_json_object", 2)
    ]
    assert not progress["done"]
    progress = host.run()
    assert (progress["done"], progress["failed"], progress["cards_written"]) == (True, [], 1)


def test_a_model_that_fails_is_told_by_a_word() -> None:
    session = ImportSession(request("Went rowing."))
    batch = session.next_batch()
    assert batch is not None and batch.result is None
    batch.fail("TimeoutError")
    assert batch.result is not None and batch.result.outcome == "failed"
    session.fail(batch.result)
    assert session.progress["failed"][0]["error"] == "model_failed:TimeoutError"
    again = session.next_batch()
    assert again is not None and again.key == batch.key


def test_a_host_may_go_on_without_a_batch() -> None:
    session = ImportSession(request(PIECES))
    first = session.next_batch()
    assert first is not None
    first.feed(NONE)
    assert first.result is not None
    session.commit(first.result)
    batch = session.next_batch()
    assert batch is not None
    session.fail(batch, "storage_failed")
    batch = session.next_batch()
    assert batch is not None
    session.skip(batch, "given_up")
    (skipped,) = session.progress["skipped"]
    assert skipped == {"reason": "given_up", "offset": first.end, "chars": batch.end - first.end}
    assert (session.progress["cursor"], session.progress["failed"]) == (batch.end, [])


@pytest.mark.parametrize("changed", [{"total": 3}, {"cards_written": None}, {"failed": "no"}])
def test_a_progress_that_something_else_changed_is_refused(changed: dict[str, Any]) -> None:
    kept = ImportSession(request(PIECES)).progress
    with pytest.raises(ImportUsageError, match="as an import left it"):
        ImportSession(request(PIECES), {**kept, **changed})
    with pytest.raises(ImportUsageError, match="lacks"):
        ImportSession(request(PIECES), [])  # type: ignore[arg-type]


def test_only_the_batch_under_way_is_taken() -> None:
    session = ImportSession(request(PIECES))
    first = session.next_batch()
    assert first is not None
    session.skip(first, "given_up")
    before = session.progress
    late_words: list[Callable[[], None]] = [
        lambda: session.skip(first, "again"),
        lambda: session.commit_applied(first, ["m_1"]),
        lambda: session.fail(first, "late"),
    ]
    for late in late_words:
        with pytest.raises(ImportUsageError):
            late()
    second = session.next_batch()
    assert second is not None
    with pytest.raises(ImportUsageError):
        session.commit_applied(first, ["m_1"])
    assert session.progress == before


def test_a_host_without_ids_has_its_cards_counted_all_the_same() -> None:
    session = ImportSession(request("Went rowing."))
    batch = session.next_batch()
    assert batch is not None
    batch.feed(cards("She rows", "He sings"))
    assert batch.result is not None
    session.commit(batch.result)
    assert (session.progress["cards_written"], session.progress["cards_added"]) == (2, 2)


def test_batches_are_strictly_serial() -> None:
    session = ImportSession(request(PIECES))
    batch = session.next_batch()
    assert batch is not None
    with pytest.raises(ImportUsageError):
        session.next_batch()
    batch.feed(NONE)
    assert batch.result is not None
    session.commit(batch.result)
    with pytest.raises(ImportUsageError):
        session.commit(batch.result)


def test_a_failed_batch_cannot_be_committed() -> None:
    session = ImportSession(request("Went rowing."))
    batch = session.next_batch()
    assert batch is not None
    batch.feed("prose")
    assert batch.result is not None
    with pytest.raises(ImportUsageError):
        session.commit(batch.result)
    assert session.progress["cursor"] == 0


def test_a_batch_that_the_store_has_already_is_not_asked_again() -> None:
    host = Host(request("Went rowing."), lambda _: cards("Rows"), lambda place: "keeping" in place)
    with pytest.raises(Died):
        host.run()
    host.dies = lambda _: False
    progress = host.run()
    assert (host.calls, len(host.stored), progress["cards_written"]) == (1, 1, 1)
    assert [one["reason"] for one in progress["skipped"]] == ["already_applied"]


def test_notes_are_in_no_store() -> None:
    session = ImportSession(request("Went rowing.", strategy=Strategy.BY_NOTES))
    batch = session.next_batch()
    assert batch is not None and not batch.is_stored
    with pytest.raises(ImportUsageError):
        session.commit_applied(batch)
    assert session.progress["cursor"] == 0


def test_a_batch_without_cards_is_not_asked_again_either() -> None:
    host = Host(request("Went rowing."), lambda _: NONE, lambda place: "keeping" in place)
    with suppress(Died):
        host.run()
    host.dies = lambda _: False
    assert (host.run()["done"], host.calls) == (True, 1)


def test_the_total_is_kept_and_the_rest_is_told() -> None:
    host = Host(
        request(PIECES, max_total_cards=3),
        lambda prompt: cards(*(f"Matter {n} of {host.calls}" for n in "abcde"[: allowed(prompt)])),
    )
    progress = host.run()
    assert (len(host.stored), progress["done"]) == (3, True)
    (skipped,) = progress["skipped"]
    assert skipped["offset"] + skipped["chars"] == progress["total"]
    assert 0 < skipped["offset"] < progress["total"]
    assert skipped["candidates"] == 0


def test_the_total_holds_for_notes_too() -> None:
    session = ImportSession(request("Went.", strategy=Strategy.BY_NOTES, max_total_cards=1))
    batch = session.next_batch()
    assert batch is not None
    batch.feed(notes(*(f"Matter number {n}" for n in range(50))))
    assert batch.result is not None
    session.commit(batch.result)
    batch = session.next_batch()
    assert batch is not None
    batch.feed(cards("She rows"))
    assert batch.result is not None
    session.commit(batch.result)
    assert session.progress["done"]
    assert session.progress["skipped"] == [
        {"reason": "max_total_cards", "offset": 5, "chars": 0, "candidates": 10}
    ]


def allowed(prompt: str) -> int:
    found = re.search(r"At most (\d+) cards", prompt)
    assert found is not None
    return min(2, int(found[1]))


def test_a_batch_is_told_how_many_cards_it_may_write() -> None:
    batch = ImportSession(request(PIECES, max_cards=7, max_total_cards=30)).next_batch()
    assert batch is not None and batch.next_prompt and "At most 7 cards" in batch.next_prompt
    assert ImportSession(request(PIECES, max_total_cards=0)).progress["done"]


def test_the_policy_is_history_import_and_its_switch_is_kept() -> None:
    plain = ImportSession(request("text")).next_batch()
    specific = ImportSession(request("text", keep_specifics=True)).next_batch()
    assert plain is not None and plain.next_prompt and "is dropped" in plain.next_prompt
    assert specific is not None and specific.next_prompt
    assert "even those that happened once" in specific.next_prompt


def test_a_fallback_date_is_for_cards_without_one() -> None:
    rows = json.loads(cards("Rows", "Sings"))
    rows["cards"][0]["occurred_at"] = "2019-05-05"
    host = Host(request("Went rowing.", fallback_date="2020-01-01"), lambda _: json.dumps(rows))
    host.run()
    assert [one["occurred_at"] for one in host.stored] == ["2019-05-05", "2020-01-01"]


def test_a_policy_without_dates_gets_none() -> None:
    asked = request("Hi.", policy="conversation_capture", fallback_date="2020-01-01")
    host = Host(asked, lambda _: cards("She rows"))
    host.run()
    assert "occurred_at" not in host.stored[0]


def test_a_new_card_that_supersedes_is_dated_too() -> None:
    known = {"id": "m_1", "summary": "She rows on Mondays", "content": "She rows on Mondays."}
    rows = json.loads(cards("She rows on Fridays"))
    rows["cards"][0] |= {"action": "supersede", "target_id": "m_1"}
    session = ImportSession(request("Went rowing.", fallback_date="2020-01-01"))
    batch = session.next_batch([known])
    assert batch is not None
    batch.feed(json.dumps(rows))
    assert batch.result is not None
    (mutation,) = batch.result.mutations
    assert isinstance(mutation, Supersede) and mutation.card["occurred_at"] == "2020-01-01"
    session.commit(batch.result, ["m_2"])
    assert (session.progress["cards_written"], session.progress["cards_added"]) == (1, 0)


@pytest.mark.parametrize("with_garden", [True, False])
def test_buckets_keep_one_spelling_from_batch_to_batch(with_garden: bool) -> None:
    session = ImportSession(request(PIECES))
    garden: list[Any] = []
    spelled = iter(["Rowing Club", " rowing club", "rowingclub"])
    for bucket, matter in zip(spelled, ("Rows daily", "Sings in May", "Owns a boat"), strict=True):
        batch = session.next_batch(garden if with_garden else None)
        assert batch is not None
        batch.feed(cards(matter, bucket=bucket))
        assert batch.result is not None
        (mutation,) = batch.result.mutations
        assert isinstance(mutation, Add) and mutation.card["bucket"] == "Rowing Club"
        garden.append({**mutation.card, "id": f"m_{len(garden)}"})
        session.commit(batch.result, [garden[-1]["id"]])


@pytest.mark.parametrize(
    "change",
    [
        {"material": "other"},
        {"owner": "mei"},
        {"tenant": "t"},
        {"mount": "family-shared"},
        {"locale": "zh-Hans"},
        {"policy": "curated_archive"},
        {"material_kind": "diary"},
        {"user_name": "Mei"},
        {"key_prefix": "other"},
        {"max_cards": 5},
        {"batch_chars": 300},
        {"strategy": Strategy.BY_NOTES},
        {"keep_specifics": True},
        {"fallback_date": "2020-01-01"},
    ],
)
def test_progress_belongs_to_one_import(change: dict[str, Any]) -> None:
    kept = ImportSession(request(PIECES)).progress
    with pytest.raises(ImportUsageError):
        ImportSession(request(**{"material": PIECES, **change}), kept)


def test_a_note_of_the_host_may_change_on_the_way() -> None:
    kept = ImportSession(request(PIECES, host_note="one")).progress
    assert ImportSession(request(PIECES, host_note="two"), kept).progress == kept


@pytest.mark.parametrize("broken", [{"cursor": 7}, {"source_digest": None}, {"cursor": 10**6}])
def test_progress_that_fits_nowhere_is_refused(broken: dict[str, Any]) -> None:
    kept = ImportSession(request(PIECES)).progress | broken
    kept = {name: value for name, value in kept.items() if value is not None}
    with pytest.raises(ImportUsageError):
        ImportSession(request(PIECES), kept)


def test_a_kept_progress_is_not_written_to() -> None:
    kept = ImportSession(request(PIECES)).progress
    session = ImportSession(request(PIECES), kept)
    batch = session.next_batch()
    assert batch is not None
    session.fail(batch, "x")
    assert kept["failed"] == []


LINES = [f"Line {n} of the diary tells of the river." for n in range(10)]
lives = st.lists(st.integers(0, 7), max_size=5)


@settings(max_examples=50)
@given(lives, st.sampled_from(list(Strategy)))
def test_whenever_a_host_dies_each_line_is_written_once(
    moments: list[int], strategy: Strategy
) -> None:
    """Each life ends after so many moments, but for the last. No two calls of the model say the same."""

    def model(prompt: str) -> str:
        numbers = re.findall(r"Line (\d+)", material_of(prompt))
        answer = notes if '{"candidates"' in prompt else cards
        return answer(*(f"Line {n}, in call {host.calls}" for n in numbers))

    host = Host(request("\n".join(LINES), strategy=strategy), model)
    for count in moments:
        left = iter(range(count))
        host.dies = lambda _, left=left: next(left, None) is None  # type: ignore[misc]
        with suppress(Died):
            host.run()
    host.dies = lambda _: False
    progress = host.run()
    assert progress["done"] and progress["percent"] == 100
    stored = [re.findall(r"Line (\d+)", one["summary"])[0] for one in host.stored]
    assert sorted(map(int, stored)) == list(range(10))
    assert progress["cards_written"] == 10


def test_in_two_passes_notes_come_first() -> None:
    def model(prompt: str) -> str:
        if '{"candidates"' in prompt:
            return notes("She rows", "SHE ROWS!", occurred_at="2019-05-05")
        assert "- [2019-05-05] person: She rows (“told”)" in prompt
        return cards("She rows daily")

    host = Host(request(PIECES, strategy=Strategy.BY_NOTES), model)
    progress = host.run()
    assert progress["candidates"] == [
        {"about": "person", "summary": "She rows", "evidence": "told", "occurred_at": "2019-05-05"}
    ]
    assert (progress["candidates_cursor"], progress["done"]) == (1, True)
    assert len(host.stored) == 1


def test_reading_is_seventy_per_cent_of_two_passes() -> None:
    session = ImportSession(request("Went rowing.", strategy=Strategy.BY_NOTES))
    assert (session.progress["percent"], session.batches_left) == (0, 1)
    batch = session.next_batch()
    assert batch is not None
    batch.feed(notes(*(f"Matter number {n}" for n in range(60))))
    assert batch.result is not None and batch.result.outcome == "written"
    session.commit(batch.result)
    assert (session.progress["percent"], session.batches_left) == (70, 2)
    assert not session.progress["done"]
    batch = session.next_batch()
    assert batch is not None and (batch.position, batch.end) == (0, 40)
    batch.feed(NONE)
    assert batch.result is not None
    session.commit(batch.result)
    assert (session.progress["percent"], session.batches_left) == (90, 1)


@pytest.mark.parametrize(
    ("replies", "error", "found"),
    [
        (["prose"], "no_json_object", 0),
        (["", notes("She rows")], None, 1),
        ([notes("She rows", "TBD"), notes("She rows", "TBD")], None, 1),
        (
            [notes("TBD"), notes("TBD")],
            "invalid_card_content_after_retry:summary_placeholder_word",
            0,
        ),
        (["{}"], "missing_candidates_list", 0),
        ([notes()], None, 0),
        ([notes("She rows", about="weather", occurred_at="in May")], None, 1),
    ],
)
def test_notes_are_held_to_the_same_gate(replies: list[str], error: str | None, found: int) -> None:
    batch = ImportSession(request("Went rowing.", strategy=Strategy.BY_NOTES)).next_batch()
    assert batch is not None
    for one in replies:
        batch.feed(one)
    assert batch.result is not None
    assert (batch.result.error, len(batch.result.candidates)) == (error, found)
    assert all(one["about"] == "person" for one in batch.result.candidates)
    assert all("occurred_at" not in one for one in batch.result.candidates)


def test_notes_are_short_and_few() -> None:
    batch = ImportSession(request("Went rowing.", strategy=Strategy.BY_NOTES)).next_batch()
    assert batch is not None
    batch.feed(notes("rows " * 100, evidence="told " * 100))
    assert batch.result is not None
    (note,) = batch.result.candidates
    assert (len(note["summary"]) <= 300, len(note["evidence"]) <= 200) == (True, True)
    known = [{"summary": f"Note {n}"} for n in range(MAX_CANDIDATES)]
    assert add_new(known, [{"summary": "note 3!"}, {"summary": "One more"}]) == 1
    assert len(known) == MAX_CANDIDATES


def test_notes_without_room_are_told() -> None:
    asked = request("Went rowing.", strategy=Strategy.BY_NOTES)
    kept = ImportSession(asked).progress
    kept["candidates"] = [
        {"about": "person", "summary": f"Note {n}"} for n in range(MAX_CANDIDATES)
    ]
    session = ImportSession(asked, kept)
    batch = session.next_batch()
    assert batch is not None
    batch.feed(notes("Note 3", "One more"))
    assert batch.result is not None
    session.commit(batch.result)
    assert session.progress["skipped"] == [
        {"reason": "max_candidates", "offset": 0, "candidates": 1}
    ]


@pytest.mark.parametrize("strategy", list(Strategy))
def test_an_unknown_locale_is_an_error_of_the_batch(strategy: Strategy) -> None:
    batch = ImportSession(request("Went rowing.", locale="fr", strategy=strategy)).next_batch()
    assert batch is not None and batch.result is not None
    assert batch.result.error == "unknown_locale:fr"


@pytest.mark.parametrize("strategy", list(Strategy))
def test_an_english_prompt_is_english(strategy: Strategy) -> None:
    batch = ImportSession(request("Went rowing.", strategy=strategy)).next_batch()
    assert batch is not None and batch.next_prompt
    plain = [one for one in batch.next_prompt.splitlines() if "[counter-example]" not in one]
    assert not re.search(r"[⺀-鿿]", "\n".join(plain))


def test_the_steps_of_reading_have_their_own_purpose() -> None:
    batch = ImportSession(request("Went rowing.", strategy=Strategy.BY_NOTES)).next_batch()
    assert batch is not None
    batch.feed(notes())
    assert {str(one.purpose) for one in batch.steps} == {"import_candidates"}
    assert [str(one.kind) for one in batch.steps] == [
        "prompt_built",
        "model_called",
        "parsed",
        "done",
    ]


class Meddled(InMemoryStore):
    """A store into which somebody else writes while the model is asked."""

    def apply(self, tenant: str, *args: Any, **fields: Any) -> Any:
        if fields["idempotency_key"].startswith("import:"):
            other = {"op": "add", "card": {"summary": "Other", "content": "Something else."}}
            super().apply(tenant, [other], idempotency_key=f"other {fields['idempotency_key']}")
        return super().apply(tenant, *args, **fields)


def superseding(prompt: str) -> str:
    rows = json.loads(cards("She rows on Fridays"))
    target = re.search(r"^- (\S+): She rows", prompt, re.MULTILINE)
    assert target is not None
    rows["cards"][0] |= {"action": "supersede", "target_id": target[1]}
    return json.dumps(rows)


def known(store: InMemoryStore) -> Host:
    """A host whose garden has one card, which the import wants to supersede."""
    card = {"summary": "She rows on Mondays", "content": "She rows on Mondays."}
    store.apply(TENANT, [{"op": "add", "card": card}], idempotency_key="seed")
    return Host(request("Went rowing."), superseding, store=store)


def test_a_judgement_over_cards_that_changed_meanwhile_is_not_stored() -> None:
    host = known(Meddled())
    assert host.run()["failed"][0]["error"] == "revision_conflict"
    assert [one["summary"] for one in host.stored if "rows" in one["summary"]] == [
        "She rows on Mondays"
    ]


def test_new_cards_do_not_care_what_else_is_written() -> None:
    host = Host(request("Went rowing."), lambda _: cards("She rows"), store=Meddled())
    assert host.run()["done"]


def test_what_is_superseded_is_written_once_too() -> None:
    host = known(InMemoryStore())
    host.dies = lambda place: "keeping" in place
    with suppress(Died):
        host.run()
    host.dies = lambda _: False
    progress = host.run()
    assert (progress["cards_written"], host.calls) == (1, 1)
    assert [one["summary"] for one in host.stored] == ["She rows on Fridays"]


class Refusing(InMemoryStore):
    """A store that takes nothing."""

    def apply(self, tenant: str, *args: Any, **fields: Any) -> Any:
        raise MutationRejected("add", MutationRejected.INVALID)


def test_what_the_store_refuses_is_a_failed_batch() -> None:
    host = Host(request("Went rowing."), lambda _: cards("She rows"), store=Refusing())
    assert host.run()["failed"][0]["error"] == "mutation_rejected:invalid"


class Forgetful(InMemoryStore):
    """A store without receipts, which compares what it is to write."""

    def capabilities(self) -> Capabilities:
        return replace(FULL_CAPABILITIES, supports_request_receipts=False)

    def apply(self, tenant: str, *args: Any, **fields: Any) -> Any:
        return super().apply(tenant, *args, **{**fields, "request_digest": None})


def test_another_reply_for_a_batch_that_a_store_without_receipts_has_is_dropped() -> None:
    host = Host(request("Went rowing."), lambda _: cards(f"She rows {host.calls}"))
    host.store = Forgetful()
    host.dies = lambda place: "keeping" in place
    with suppress(Died):
        host.run()
    host.dies = lambda _: False
    progress = host.run()
    assert (progress["done"], host.calls) == (True, 2)
    assert [one["summary"] for one in host.stored] == ["She rows 1"]
    assert [one["reason"] for one in progress["skipped"]] == ["already_applied"]
