"""What is judged: by the service's own model, or step by step with the caller's."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memgardend.core.editorial.maintenance_request import MaintenanceRequest
from memgardend.core.editorial.migrate_prompt import MigrateRequest
from memgardend.core.editorial.results import CaptureRequest, ModelReply
from memgardend.daemon.serve.desk import RECEIPT, Answer, Desk, Method, receipt_answer
from memgardend.daemon.serve.errors import ServeError
from memgardend.daemon.serve.judging_params import (
    CaptureParams,
    CheckParams,
    MaintenanceParams,
    MigrateParams,
)
from memgardend.daemon.serve.params import Cancel, Feed

if TYPE_CHECKING:
    from memgardend.core.editorial.mounted.stored import StoredJudgement

CAPTURE, MAINTENANCE = "capture", "maintenance"
STEP = ("status", "session_id", "next_prompt", "conflicts", "result")


def capture_run(desk: Desk, asked: CaptureParams) -> Answer:
    """Judge a stretch of text with the service's model, and store what is worth keeping."""
    return receipt_answer(desk.garden(asked).capture(_capture(asked)))


def capture_begin(desk: Desk, asked: CaptureParams) -> Answer:
    """The same with the caller's model: ask it `next_prompt`, and feed what it says."""
    return _begun(desk, CAPTURE, desk.garden(asked).capture_session(_capture(asked)))


def capture_feed(desk: Desk, asked: Feed) -> Answer:
    """Take the model's reply; the answer is the next prompt, or the receipt as `result`."""
    return _fed(desk, CAPTURE, asked)


def capture_cancel(desk: Desk, asked: Cancel) -> Answer:
    """Forget a capture that was begun; nothing of it was written."""
    return _cancelled(desk, CAPTURE, asked)


def maintenance_check(desk: Desk, asked: CheckParams) -> Answer:
    """Whether a consolidation is due, and why."""
    check = desk.garden(asked).check_maintenance(mount=asked.mount, min_pending=asked.min_pending)
    if check.error is not None:
        raise ServeError(check.error)
    return {"needed": check.needed, "reason": check.reason, "trace": dict(check.trace)}


def maintenance_run(desk: Desk, asked: MaintenanceParams) -> Answer:
    """Consolidate one batch of cards with the service's model, if it is due."""
    garden = desk.garden(asked)
    return receipt_answer(garden.run_maintenance(_maintenance(asked), key_prefix=asked.key_prefix))


def maintenance_begin(desk: Desk, asked: MaintenanceParams) -> Answer:
    """The same with the caller's model."""
    garden = desk.garden(asked)
    session = garden.maintenance_session(_maintenance(asked), key_prefix=asked.key_prefix)
    return _begun(desk, MAINTENANCE, session)


def maintenance_feed(desk: Desk, asked: Feed) -> Answer:
    """Take the model's reply; the answer is the next prompt, or the receipt as `result`."""
    return _fed(desk, MAINTENANCE, asked)


def maintenance_cancel(desk: Desk, asked: Cancel) -> Answer:
    """Forget a consolidation that was begun; nothing of it was written."""
    return _cancelled(desk, MAINTENANCE, asked)


def records_migrate(desk: Desk, asked: MigrateParams) -> Answer:
    """Put cards of an older form into the present one, with the service's model."""
    request = MigrateRequest(cards=(), allowed_ids=asked.ids, **told(asked, "ids"))
    return receipt_answer(desk.garden(asked).migrate(request))


METHODS = (
    Method("capture.run", CaptureParams, capture_run, RECEIPT),
    Method("capture.begin", CaptureParams, capture_begin, STEP),
    Method("capture.feed", Feed, capture_feed, STEP),
    Method("capture.cancel", Cancel, capture_cancel, ("status",)),
    Method("maintenance.check", CheckParams, maintenance_check, ("needed", "reason", "trace")),
    Method("maintenance.run", MaintenanceParams, maintenance_run, RECEIPT),
    Method("maintenance.begin", MaintenanceParams, maintenance_begin, STEP),
    Method("maintenance.feed", Feed, maintenance_feed, STEP),
    Method("maintenance.cancel", Cancel, maintenance_cancel, ("status",)),
    Method("records.migrate", MigrateParams, records_migrate, RECEIPT),
)


def _capture(asked: CaptureParams) -> CaptureRequest:
    return CaptureRequest(**told(asked))


def _maintenance(asked: MaintenanceParams) -> MaintenanceRequest:
    return MaintenanceRequest(cards=(), **told(asked, "key_prefix"))


def told(asked: Any, *but: str) -> dict[str, Any]:
    """The parameters as the library's request takes them, without the scope."""
    return dict(asked.model_dump(exclude={"scope", *but}))


def _begun(desk: Desk, lane: str, session: StoredJudgement) -> Answer:
    if session.next_prompt is None:
        return _completed(session)
    return _needs_model(desk.sessions.add(lane, session), session)


def _fed(desk: Desk, lane: str, asked: Feed) -> Answer:
    session: StoredJudgement = desk.sessions.get(lane, asked.session_id)
    session.feed(ModelReply(text=asked.reply, truncated=asked.truncated))
    if session.next_prompt is not None:
        return _needs_model(asked.session_id, session)
    desk.sessions.end(lane, asked.session_id)
    return _completed(session)


def _cancelled(desk: Desk, lane: str, asked: Cancel) -> Answer:
    desk.sessions.end(lane, asked.session_id)
    return {"status": "cancelled"}


def _needs_model(session_id: str, session: StoredJudgement) -> Answer:
    return {
        "status": "needs_model",
        "session_id": session_id,
        "next_prompt": session.next_prompt,
        "conflicts": session.conflicts,
    }


def _completed(session: StoredJudgement) -> Answer:
    return {"status": "completed", "result": receipt_answer(session.receipt)}
