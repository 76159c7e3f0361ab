"""One capture from its first prompt to its result: what goes back, how often, and what it comes to."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memgardend.core.editorial.asking import drive, drive_async
from memgardend.core.editorial.capture import CaptureSession
from memgardend.core.editorial.results import ErrorWord, ModelReply, Outcome, StepKind
from memgardend.core.editorial.text_gate import LeakSignals
from memgardend.core.errors import UsageError
from support.capturing import (
    EMPTY,
    capture,
    reply,
    request,
    row,
    stored,
    three_rows,
)

TEA = stored("m_1", "Mei drinks green tea", content="Mei drinks green tea every morning.")
BAD = row("[summary]")
CUT = ModelReply(text='{"cards": [{"action": "add", "summary": "Mei', truncated=True)
TARGETLESS = row("Mei drinks no tea any more", action="supersede")


def one() -> str:
    return reply(row())


@pytest.mark.parametrize(
    ("replies", "outcome", "error"),
    [
        ([one()], Outcome.WRITTEN, None),
        ([EMPTY], Outcome.EMPTY, None),
        ([reply(row(action="noop"))], Outcome.EMPTY, None),
        (["Nothing in it is worth a card."], Outcome.FAILED, "no_json_object"),
        (['{"notes": []}'], Outcome.FAILED, "missing_cards_list"),
        (["", one()], Outcome.WRITTEN, None),
        (["", ""], Outcome.FAILED, "no_json_object"),
        (['{"cards": [{"a" 1}]}', one()], Outcome.WRITTEN, None),
        (['{"cards": [{"a" 1}]}'] * 2, Outcome.FAILED, "json_decode_error:JSONDecodeError"),
        ([reply(BAD), one()], Outcome.WRITTEN, None),
        ([reply(BAD), reply(BAD, row())], Outcome.WRITTEN, None),
        (
            [reply(BAD)] * 2,
            Outcome.FAILED,
            "invalid_card_content_after_retry:summary_bracket_placeholder",
        ),
        ([CUT, one()], Outcome.WRITTEN, None),
        ([CUT, CUT], Outcome.FAILED, "truncated_reply:json_decode_error"),
        ([TimeoutError("30 s")], Outcome.FAILED, "model_failed:TimeoutError"),
        ([reply(BAD), TimeoutError()], Outcome.FAILED, "model_failed:TimeoutError"),
    ],
)
def test_three_outcomes(replies: list[Any], outcome: Outcome, error: str | None) -> None:
    got = capture(request(), *replies)
    assert (got.result.outcome, got.result.error) == (outcome, error)
    assert got.result.nothing_worth_keeping == (outcome is Outcome.EMPTY)
    assert got.result.retried == (len(got.prompts) > 1)


@pytest.mark.parametrize(
    ("first", "said"),
    [
        (reply(*three_rows()), "held 3 cards; at most 2"),
        (reply(BAD), "summary_bracket_placeholder"),
        ('{"cards": [{"a" 1}]}', "could not be read"),
        ("", "could not be read"),
        (CUT, "shorter"),
        (reply(TARGETLESS), "target_id"),
    ],
)
def test_what_goes_back_carries_the_reason_and_the_whole_question(
    first: str | ModelReply, said: str
) -> None:
    got = capture(request(), first, one())
    assert got.summaries == ["Mei eats nothing spicy"]
    assert got.prompts[1].startswith(got.prompts[0])
    assert said in got.reasks[0]


def test_the_model_chooses_when_it_brought_too_many_cards() -> None:
    chosen = capture(request(), reply(*three_rows()), reply(*three_rows()[1:]))
    assert chosen.summaries == ["Mei lives in Lisbon", "Mei plays the cello"]
    assert chosen.result.trace["sent_back"] == ["too_many"]
    assert "capped_from" not in chosen.result.trace


@pytest.mark.parametrize("second", [reply(*three_rows()), "Sorry.", TimeoutError()])
def test_the_first_are_kept_when_it_does_not_choose(second: str | Exception) -> None:
    got = capture(request(), reply(*three_rows()), second)
    assert got.summaries == ["Mei has a dog", "Mei lives in Lisbon"]
    assert got.result.outcome is Outcome.WRITTEN


def test_a_request_may_ask_for_fewer_cards_but_not_for_more() -> None:
    fewer = capture(request(max_cards=1), reply(*three_rows()), reply(*three_rows()))
    assert fewer.summaries == ["Mei has a dog"]
    assert fewer.result.trace["capped_from"] == 3
    more = capture(request(max_cards=9), reply(*three_rows()), reply(row()))
    assert more.result.retried
    many = capture(request(max_cards=9, policy="history_import"), reply(*three_rows()))
    assert len(many.summaries) == 3


@pytest.mark.parametrize("first", [CUT, reply(BAD), "", reply(*three_rows()), reply(TARGETLESS)])
@pytest.mark.parametrize("second", [CUT, reply(BAD), "", reply(*three_rows()), reply(TARGETLESS)])
@pytest.mark.parametrize("retries", [0, 1])
def test_all_reasons_share_one_budget(
    first: str | ModelReply, second: str | ModelReply, retries: int
) -> None:
    got = capture(request(), *[first, second][: retries + 1], max_retries=retries)
    assert got.result.trace["model_calls"] == retries + 1


def test_without_asking_again_the_first_reply_is_judged_leniently() -> None:
    assert capture(request(), reply(BAD, row()), max_retries=0).summaries == [row()["summary"]]
    assert len(capture(request(), reply(*three_rows()), max_retries=0).summaries) == 2
    assert capture(request(), "", max_retries=0).result.error == "no_json_object"


@pytest.mark.parametrize(
    ("locale", "error"),
    [("", "locale_required"), (" ", "locale_required"), ("fr", "unknown_locale:fr")],
)
def test_a_locale_is_required_and_known(locale: str, error: str) -> None:
    assert capture(request(locale=locale)).result.error == error


def test_blank_text_costs_no_call() -> None:
    assert capture(request(window=" \n")).result.outcome is Outcome.EMPTY


def test_the_host_may_send_a_reply_back_once() -> None:
    got = capture(request(), reply(row()), feedback=["too long"])
    assert "too long" in got.prompts[0]
    assert (got.result.outcome, got.result.retried) == (Outcome.WRITTEN, False)
    assert capture(request(), "", feedback=["too long"]).result.error == "no_json_object"


def test_signals_of_the_host_keep_its_protocol_out() -> None:
    signals = LeakSignals(
        strong=(lambda text: "<<turn" in text,), bucket_denylist=frozenset({"Inbox"})
    )
    rows = reply(row("Mei has a dog <<turn 3>>"), row(bucket="inbox"))
    (card,) = capture(request(), rows, rows, signals=signals).result.cards
    assert (card["summary"], card["bucket"]) == ("Mei eats nothing spicy", "")


def test_nothing_is_fed_or_failed_that_was_not_asked_for() -> None:
    session = capture(request(), EMPTY).session
    for say in (session.feed, session.fail):
        with pytest.raises(UsageError):
            say("")


def test_an_awaited_model_gives_the_same() -> None:
    async def ask(prompt: str) -> str:
        return EMPTY if "at most 2 are kept" in prompt else reply(*three_rows())

    session = CaptureSession(request())
    asyncio.run(drive_async(session, ask))
    assert session.result is not None
    assert session.result.outcome is Outcome.EMPTY


def test_an_interrupt_is_no_answer_of_the_model() -> None:
    def ask(prompt: str) -> str:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        drive(CaptureSession(request()), ask)


def test_the_trace_and_the_details_of_steps_hold_no_content() -> None:
    words = ("spicy", "Mei", "Kitchen", "stomach", "green tea")
    got = capture(
        request(existing_cards=[TEA], buckets="Kitchen lore"),
        reply(BAD),
        reply(row(bucket="Kitchen lore"), row(action="merge", target_id="m_1")),
    )
    assert got.result.trace["index_cards"] == 1
    assert got.result.trace["prompt_chars"] == len(got.prompts[0])
    told = str([got.result.trace, [step.detail for step in got.session.steps]])
    assert not [word for word in words if word in told]
    parsed = [step.detail["error"] for step in got.session.steps if step.kind is StepKind.PARSED]
    assert parsed == ["invalid_card_content:summary_bracket_placeholder", ""]
    assert [step.kind for step in got.session.steps] == [
        StepKind.PROMPT_BUILT,
        StepKind.MODEL_CALLED,
        StepKind.PARSED,
        StepKind.RETRYING,
        StepKind.MODEL_CALLED,
        StepKind.PARSED,
        StepKind.DONE,
    ]


REPLIES = st.one_of(
    st.text(max_size=40),
    st.sampled_from(
        [EMPTY, one(), reply(BAD), reply(*three_rows()), reply(TARGETLESS), '{"cards":']
    ),
)


@given(
    retries=st.integers(0, 3), replies=st.lists(REPLIES, min_size=4, max_size=4), cut=st.booleans()
)
def test_the_budget_is_never_exceeded_and_there_is_always_an_end(
    retries: int, replies: list[str], cut: bool
) -> None:
    session = CaptureSession(request(), max_retries=retries)
    calls = 0
    while session.next_prompt is not None:
        session.feed(ModelReply(text=replies[calls], truncated=cut))
        calls += 1
    assert calls <= retries + 1
    assert session.result is not None
    assert len(session.result.cards) <= 2
    assert (session.result.error is None) == (session.result.outcome is not Outcome.FAILED)


def test_errors_know_their_word() -> None:
    error = capture(request(), TimeoutError()).result.error
    assert error is not None
    assert (error.word, error.detail) == (ErrorWord.MODEL_FAILED, "TimeoutError")
