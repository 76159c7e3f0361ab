"""The service, method by method, and the codes of what goes wrong."""

from __future__ import annotations

import json
from typing import Any

import pytest

from memgardend.core.editorial.results import ErrorWord
from memgardend.daemon.serve.errors import MEANINGS, WireError
from memgardend.daemon.serve.service import METHODS
from memgardend.daemon.serve.sessions import IDLE_SECONDS
from support.capturing import EMPTY, WINDOW, reply, row, shared_cases, three_rows
from support.consolidating import reply as dream_reply
from support.consolidating import row as merge
from support.json_schema import mistakes
from support.mounting import add, answers
from support.wire import MEI, Wire

TALK = {"window": WINDOW, "locale": "en", "user_name": "Mei"}


def test_w01_codes_that_stay_the_same() -> None:
    wire = Wire()
    closed = {"scope": MEI, "text": "Told.", "mount": "family-shared"}
    codes = [
        wire.code("garden.burn"),
        wire.code("records.write", scope=MEI),
        wire.code("records.write", **closed),
        wire.code("capture.feed", session_id="nobody", reply=""),
        wire.code("capture.run", scope=MEI, **TALK),
        wire.code("records.search", scope=MEI, query=5),
    ]
    assert codes == shared_cases()["W01"]["expected"]


def test_w04_bad_shapes_are_answered() -> None:
    wire = Wire()
    shapes: list[Any] = [[], {"method": 5}, {"method": "health.get", "params": []}]
    codes = [wire.service.handle(shape)["error"]["code"] for shape in shapes]
    assert codes == shared_cases()["W04"]["expected"]


def test_w05_without_a_model_no_more_is_promised_than_there_is() -> None:
    able = Wire().ok("manifest.get")["capabilities"]
    named = ("history_import", "migrate", "import_session", "capture")
    assert [able[name] for name in named] == shared_cases()["W05"]["expected"]


def test_no_shared_case_of_the_wire_is_left_out() -> None:
    ours = {one for one, said in shared_cases().items() if said["area"] == "wire"}
    assert ours == {"W01", "W04", "W05"}


def test_every_code_has_a_meaning() -> None:
    assert set(MEANINGS) == {*WireError, *ErrorWord}


@pytest.mark.parametrize(
    ("changed", "code", "field"),
    [
        ({"scope": {**MEI, "owner": " "}}, "memory_owner_required", None),
        ({"scope": {**MEI, "tenant": ""}}, "scope_required", None),
        ({"scope": {"tenant": "t"}}, "invalid_request", "scope.owner"),
        ({"scope": {**MEI, "admin": True}}, "invalid_request", "scope.admin"),
        ({"window": None}, "invalid_request", "window"),
        ({"max_cards": "2"}, "invalid_request", "max_cards"),
        ({"max_cards": 0}, "invalid_request", "max_cards"),
        ({"policy": "conversation_captrue"}, "invalid_request", "policy"),
        ({"existing_cards": []}, "invalid_request", "existing_cards"),
        ({"locale": ""}, "locale_required", None),
        ({"locale": "fr"}, "unknown_locale", None),
        ({"mount": "family-shared"}, "mount_not_allowed", None),
    ],
)
def test_a_wrong_parameter_is_refused_and_named(
    changed: dict[str, Any], code: str, field: str | None
) -> None:
    error = Wire().ask("capture.begin", **{"scope": MEI, **TALK, **changed})["error"]
    assert (error["code"], error.get("field")) == (code, field)


def test_parameters_reach_the_prompt_that_the_ancestor_dropped() -> None:
    step = Wire().mei(
        "capture.begin", **TALK, policy="curated_archive", host_note="Mind the cello.", max_cards=7
    )
    assert "Mind the cello." in step["next_prompt"] and "7" in step["next_prompt"]


# -- judging ----------------------------------------------------------------------------------


def test_a_capture_by_the_services_model_is_stored_and_found() -> None:
    wire = Wire(answers(reply(row("Mei has a dog"))))
    receipt = wire.mei("capture.run", **TALK, idempotency_key="k")
    assert receipt["written"] and receipt["reason"] is None
    assert wire.mei("capture.run", **TALK, idempotency_key="k")["trace"] == {"replayed": True}
    [hit] = wire.mei("records.search", query="dog")["hits"]
    assert hit["id"] == receipt["record_ids"][0] and hit["summary"] == "Mei has a dog"
    assert wire.ok("records.search", scope={**MEI, "owner": "tom"}, query="dog") == {"hits": []}


def test_a_model_that_fails_is_an_answer() -> None:
    error = Wire(answers(TimeoutError("secret"))).ask("capture.run", scope=MEI, **TALK)["error"]
    assert (error["code"], error["detail"]) == ("model_failed", "TimeoutError")
    prose = Wire(answers("Prose.")).code("capture.run", scope=MEI, **TALK)
    assert prose == "no_json_object"


def test_a_capture_by_the_callers_model_goes_step_by_step() -> None:
    wire = Wire()
    step = wire.mei("capture.begin", **TALK)
    assert step["status"] == "needs_model" and WINDOW in step["next_prompt"]
    again = wire.ok("capture.feed", session_id=step["session_id"], reply=reply(*three_rows()))
    assert again["status"] == "needs_model" and again["next_prompt"] != step["next_prompt"]
    done = wire.ok("capture.feed", session_id=step["session_id"], reply=EMPTY)
    assert done["status"] == "completed"
    assert done["result"]["reason"] == "nothing_worth_keeping"
    assert (
        wire.code("capture.feed", session_id=step["session_id"], reply=EMPTY) == "unknown_session"
    )


def test_a_reply_that_was_cut_off_is_asked_for_again() -> None:
    wire = Wire()
    session = wire.mei("capture.begin", **TALK)["session_id"]
    step = wire.ok("capture.feed", session_id=session, reply='{"cards": [', truncated=True)
    assert step["status"] == "needs_model"


def test_a_known_key_is_completed_before_anybody_is_asked() -> None:
    wire = Wire(answers(EMPTY))
    wire.mei("capture.run", **TALK, idempotency_key="k")
    step = wire.mei("capture.begin", **TALK, idempotency_key="k")
    assert step["status"] == "completed" and step["result"]["trace"] == {"replayed": True}


def test_somebody_else_wrote_while_the_caller_asked() -> None:
    wire = Wire()
    step = wire.mei("capture.begin", **TALK)
    wire.mei("records.write", text="Mei lives in Lisbon.")
    again = wire.ok("capture.feed", session_id=step["session_id"], reply=reply(row()))
    assert (again["status"], again["conflicts"]) == ("needs_model", 1)
    assert "Lisbon" in again["next_prompt"]


def test_sessions_end_by_cancelling_by_waiting_and_by_lane() -> None:
    wire = Wire()
    first = wire.mei("capture.begin", **TALK)["session_id"]
    assert wire.code("maintenance.feed", session_id=first, reply="") == "unknown_session"
    assert wire.ok("capture.cancel", session_id=first) == {"status": "cancelled"}
    assert wire.code("capture.cancel", session_id=first) == "unknown_session"
    second = wire.mei("capture.begin", **TALK)["session_id"]
    wire.clock.advance(IDLE_SECONDS * 1000)
    assert wire.ok("health.get")["sessions"] == 1
    wire.clock.suspend(1)
    assert wire.ok("health.get")["sessions"] == 0
    assert wire.code("capture.feed", session_id=second, reply="") == "unknown_session"


def test_a_session_that_is_fed_waits_anew() -> None:
    wire = Wire()
    session = wire.mei("capture.begin", **TALK)["session_id"]
    wire.clock.advance(IDLE_SECONDS * 999)
    assert wire.ok("capture.feed", session_id=session, reply="")["status"] == "needs_model"
    wire.clock.advance(IDLE_SECONDS * 999)
    assert wire.ok("capture.feed", session_id=session, reply=EMPTY)["status"] == "completed"


def test_no_more_sessions_wait_than_there_is_room_for() -> None:
    wire = Wire(capacity=2)
    sessions = [wire.mei("capture.begin", **TALK)["session_id"] for _ in range(2)]
    assert wire.code("capture.begin", scope=MEI, **TALK) == "session_capacity"
    wire.ok("capture.cancel", session_id=sessions[0])
    assert wire.mei("capture.begin", **TALK)["status"] == "needs_model"


def test_a_consolidation_both_ways() -> None:
    said = dream_reply(merge("card-0", "card-1"), questions_to_ask=["Which river?"])
    wire = Wire(answers(said))
    rows = [add(f"A walk on day {n}", id=f"card-{n}") for n in range(3)]
    wire.mei("records.apply", mutations=rows)
    assert wire.mei("maintenance.check")["needed"]
    assert wire.mei("maintenance.run", locale="en", dry_run=True)["reason"] == "dry_run"
    step = wire.mei("maintenance.begin", locale="en")
    done = wire.ok("maintenance.feed", session_id=step["session_id"], reply=said)
    assert done["result"]["written"] and done["result"]["questions"] == ["Which river?"]
    assert wire.mei("maintenance.check") == {
        "needed": False,
        "reason": "already_reviewed",
        "trace": {"pending": 0},
    }
    assert wire.mei("maintenance.begin", locale="en")["result"]["reason"] == "not_needed"
    assert wire.code("maintenance.run", scope=MEI, locale=" ") == "invalid_request"
    wire.mei("records.write", text="Something new was said.")
    begun = wire.mei("maintenance.begin", locale="en")
    assert wire.ok("maintenance.cancel", session_id=begun["session_id"]) == {"status": "cancelled"}


def test_old_cards_are_upgraded_by_the_services_model() -> None:
    new = {"id": "c1", "summary": "Mei has a corgi", "content": "Mei has a corgi called Bo."}
    wire = Wire(answers(json.dumps({"upgrades": [new]})))
    wire.mei("records.apply", mutations=[add("An old card", id="c1")])
    assert wire.mei("records.migrate", locale="en", ids=["c1"])["record_ids"] == ["c1"]
    assert wire.mei("records.get", ids=["c1"])["cards"][0]["summary"] == "Mei has a corgi"
    assert wire.code("records.migrate", scope=MEI, locale="en", ids=[]) == "invalid_request"
    assert wire.code("records.migrate", scope=MEI, locale="fr", ids=["c1"]) == "unknown_locale"
    assert Wire().code("records.migrate", scope=MEI, locale="en", ids=["c1"], mount="x") == (
        "invalid_request"
    )


def test_an_import_goes_on_from_its_progress() -> None:
    long = {"locale": "en", "material": ("a" * 199 + "\n") * 3, "batch_chars": 200}
    wire = Wire(answers(reply(row("Mei has a dog")), "Prose.", EMPTY, EMPTY))
    first = wire.mei("history.import", **long)
    assert (first["status"], first["batches_left"]) == ("paused", 2)
    failed = wire.mei("history.import", **long, progress=first["progress"])
    assert failed["status"] == "failed"
    assert failed["progress"]["failed"][0]["error"] == "no_json_object"
    done = wire.mei("history.import", **long, progress=failed["progress"], max_batches=9)
    assert (done["status"], done["progress"]["cards_written"]) == ("completed", 1)
    other = {**long, "material": "b" * 300}
    wrong = wire.ask("history.import", scope=MEI, **other, progress=first["progress"])
    assert wrong["error"]["code"] == "invalid_request"
    for broken in ({}, {**first["progress"], "cursor": "far"}, {**first["progress"], "failed": 5}):
        answer = wire.ask("history.import", scope=MEI, **long, progress=broken)
        assert answer["error"]["code"] == "invalid_request"
        assert answer["error"]["field"].startswith("progress")


def test_an_import_by_the_callers_model() -> None:
    wire = Wire()
    sections = [{"text": "First part."}, {"text": "Second part.", "label": "May"}]
    step = wire.mei("history.import_begin", locale="en", sections=sections, strategy="two_pass")
    notes = '{"candidates": [{"about": "person", "summary": "Mei has a dog", "evidence": "a dog"}]}'
    for said in (notes, notes, reply(row("Mei has a dog"))):
        assert step["status"] == "needs_model"
        step = wire.ok("history.import_feed", session_id=step["session_id"], reply=said)
    assert (step["status"], step["progress"]["percent"]) == ("completed", 100)
    again = wire.mei("history.import_begin", locale="en", material=" ")
    assert again["status"] == "completed"
    begun = wire.mei("history.import_begin", locale="en", sections=sections, key_prefix="b")
    failed = wire.ok("history.import_feed", session_id=begun["session_id"], reply="Prose.")
    assert failed["status"] == "failed"
    gone = {"session_id": begun["session_id"]}
    assert wire.code("history.import_cancel", **gone) == "unknown_session"


# -- records ----------------------------------------------------------------------------------


def test_records_are_written_read_paged_moved_and_deleted() -> None:
    wire = Wire()
    both = {**MEI, "mounts": ["agent-private", "family-shared"], "actor": {"agent_id": "a1"}}
    [one] = wire.ok("records.write", scope=both, text="Mei likes tea.", bucket="Food")["record_ids"]
    wire.mei("records.apply", mutations=[add("Mei has a dog", id="dog")])
    [card] = wire.mei("records.get", ids=[one, "nobody"])["cards"]
    assert (card["bucket"], card["source_actor"]) == ("Food", {"agent_id": "a1"})
    part = wire.mei("records.read", record_id=one, limit=30)
    rest = wire.mei("records.read", record_id=one, cursor=part["next_cursor"])
    assert json.loads(part["text"] + rest["text"]) == card
    page = wire.mei("records.export", limit=1)
    last = wire.mei("records.export", limit=1, cursor=page["next_cursor"])
    assert {page["cards"][0]["id"], last["cards"][0]["id"]} == {one, "dog"}
    assert wire.mei("records.browse")["total"] == 2
    assert wire.ok("records.promote", scope=both, record_id=one, to_mount="family-shared")[
        "written"
    ]
    assert wire.mei("records.browse")["total"] == 1
    assert wire.code("records.delete", scope=MEI, record_id=one, requested_by="mei") == (
        "record_not_found"
    )
    wire.mei("records.delete", record_id="dog", requested_by="mei")
    assert wire.mei("records.browse")["total"] == 0


def test_what_is_beside_a_card_is_told_with_how() -> None:
    wire = Wire()
    linked = {"anchor_memory_ids": ["built-on"], "threads": ["dogs"]}
    wire.mei(
        "records.apply",
        mutations=[
            add("Mei wants a dog", id="built-on"),
            add("Mei looks for a dog", id="old"),
            add("The dog is called Rex", id="same", threads=["dogs"]),
            add("Mei has a cat", id="other"),
        ],
    )
    new = {"op": "supersede", "card": add("Mei has a dog", id="new", **linked)["card"]}
    wire.mei("records.apply", mutations=[{**new, "target_ids": ["old"]}])
    found = wire.mei("records.related", ids=["new", "nobody"])["related"]
    assert [(one["id"], one["relation"], one["status"]) for one in found] == [
        ("built-on", "anchor", "active"),
        ("old", "supersedes", "superseded"),
        ("same", "thread", "active"),
    ]
    assert {one["source_id"] for one in found} == {"new"}
    assert wire.mei("records.related", ids=["new"], cap=1)["related"] == found[:1]
    assert wire.mei("records.related", ids=["old"]) == {"related": []}
    stranger = {**MEI, "owner": "tom"}
    assert wire.ok("records.related", scope=stranger, ids=["new"]) == {"related": []}


@pytest.mark.parametrize(
    ("method", "params", "code"),
    [
        ("records.related", {"ids": ["c1"], "cap": -1}, "invalid_request"),
        ("records.search", {"query": " "}, "query_required"),
        ("records.search", {"query": "x", "limit": -1}, "invalid_request"),
        ("records.read", {"record_id": "nobody"}, "record_not_found"),
        ("records.read", {"record_id": "c1", "cursor": "nonsense"}, "invalid_request"),
        ("records.read", {"record_id": "c1", "cursor": "000000000000.5"}, "record_changed"),
        ("records.browse", {"limit": 0}, "invalid_request"),
        ("records.write", {"text": " "}, "empty_text"),
        ("records.write", {"text": "!!!"}, "invalid_card_content"),
        ("records.apply", {"mutations": []}, "invalid_request"),
        ("records.apply", {"mutations": [{"op": "burn"}]}, "invalid_mutation"),
        ("records.apply", {"mutations": [{"op": "archive", "record_id": "x"}]}, "record_not_found"),
        (
            "records.apply",
            {"mutations": [add("Mei has a cat")], "expected_revision": "0"},
            "revision_conflict",
        ),
        ("records.apply", {"mutations": [add("A card", id="c1")]}, "mutation_rejected"),
        ("records.delete", {"record_id": "", "requested_by": "m"}, "record_id_required"),
        ("records.delete", {"record_id": "c1", "requested_by": ""}, "requested_by_required"),
        ("records.promote", {"record_id": "c1", "to_mount": "x"}, "mount_not_allowed"),
        ("tool.invoke", {"name": "memory_forget"}, "unknown_tool"),
        ("tool.invoke", {"name": "memory_write"}, "summary_and_content_required"),
    ],
)
def test_what_goes_wrong_with_records(method: str, params: dict[str, Any], code: str) -> None:
    wire = Wire()
    wire.mei("records.apply", mutations=[add("Mei has a dog", id="c1")])
    assert wire.code(method, scope=MEI, **params) == code


def test_tools_and_context() -> None:
    wire = Wire()
    names = [tool["name"] for tool in wire.ok("tool.list")["tools"]]
    told = {"summary": "Likes tea", "content": "Mei likes tea."}
    written = wire.mei("tool.invoke", name=names[2], arguments=told, idempotency_key="k")
    assert written["receipt"]["written"]
    found = wire.mei("tool.invoke", name=names[0], arguments={"query": "tea"})
    assert found["text"] == f"- [{written['receipt']['record_ids'][0]}] Likes tea"
    context = wire.mei("context.get", query="tea")
    assert [block["text"] for block in context["blocks"]] == ["Likes tea"]


def test_a_store_that_fails_or_cannot_is_an_answer() -> None:
    class Broken:
        def __init__(self, error: Exception) -> None:
            self.error = error

        def capabilities(self) -> Any:
            from memgardend import FULL_CAPABILITIES

            return FULL_CAPABILITIES

        def load(self, tenant: str, **how: Any) -> Any:
            raise self.error

        apply = maintenance_state = request_receipt = load

    from memgardend import UnsupportedOperation
    from memgardend.core.errors import StoreUnavailableError

    for error, code in (
        (StoreUnavailableError("disk full"), "storage_failed"),
        (UnsupportedOperation("load", ["supports_owner_scoping"]), "storage_lacks_capabilities"),
        (RuntimeError("/home/mei/secret"), "internal_error"),
    ):
        answer = Wire(store=Broken(error)).ask("records.browse", scope=MEI)
        assert answer["error"]["code"] == code and "secret" not in str(answer)


# -- schema -----------------------------------------------------------------------------------


def test_the_schema_names_every_method_field_and_code() -> None:
    wire = Wire()
    document = wire.ok("schema.get")
    assert document["methods"].keys() == METHODS.keys()
    assert set(document["errors"]) == set(MEANINGS)
    assert all(one["description"].endswith(".") for one in document["methods"].values())
    for answer in (wire.ask("health.get"), wire.ask("nothing")):
        assert list(mistakes(answer, document["response"])) == []
    asked = {"id": "a", "method": "health.get", "params": {}}
    assert list(mistakes(asked, document["request"])) == []


def test_results_have_the_fields_that_the_schema_names() -> None:
    wire = Wire(answers(reply(row("Mei has a dog")), dream_reply(), '{"upgrades": []}', EMPTY))
    [one] = wire.mei("records.write", text="Mei likes tea.")["record_ids"]
    whole: dict[str, dict[str, Any]] = {
        "manifest.get": {},
        "schema.get": {},
        "health.get": {},
        "capture.run": {"scope": MEI, **TALK},
        "maintenance.check": {"scope": MEI},
        "maintenance.run": {"scope": MEI, "locale": "en"},
        "context.get": {"scope": MEI, "query": "tea"},
        "records.search": {"scope": MEI, "query": "tea"},
        "records.get": {"scope": MEI, "ids": [one]},
        "records.related": {"scope": MEI, "ids": [one]},
        "records.read": {"scope": MEI, "record_id": one},
        "records.browse": {"scope": MEI},
        "records.export": {"scope": MEI},
        "records.write": {"scope": MEI, "text": "Mei has a cat."},
        "records.apply": {"scope": MEI, "mutations": [add("Mei lives in Lisbon", id="c1")]},
        "records.promote": {"scope": MEI, "record_id": one, "to_mount": "agent-private"},
        "records.delete": {"scope": MEI, "record_id": one, "requested_by": "mei"},
        "tool.list": {},
        "tool.invoke": {"scope": MEI, "name": "memory_search", "arguments": {"query": "dog"}},
        "records.migrate": {"scope": MEI, "locale": "en", "ids": ["c1"]},
        "history.import": {"scope": MEI, "locale": "en", "material": "Told."},
    }
    for name, params in whole.items():
        assert wire.ok(name, **params).keys() == set(METHODS[name].returns), name
    begun: dict[str, dict[str, Any]] = {
        "capture": {"scope": MEI, **TALK},
        "maintenance": {"scope": MEI, "locale": "en"},
        "history.import": {
            "scope": MEI,
            "locale": "en",
            "material": "Told again.",
            "key_prefix": "x",
        },
    }
    steps = {f"{lane}{'_' if 'history' in lane else '.'}" for lane in begun}
    assert METHODS.keys() - whole.keys() == {
        f"{step}{word}" for step in steps for word in ("begin", "feed", "cancel")
    }
    for lane, params in begun.items():
        joint = "_" if lane.startswith("history") else "."
        step = wire.ok(f"{lane}{joint}begin", **params)
        assert step.keys() <= set(METHODS[f"{lane}{joint}begin"].returns)
        ended = wire.ok(f"{lane}{joint}cancel", session_id=step["session_id"])
        assert ended.keys() == set(METHODS[f"{lane}{joint}cancel"].returns)
