"""`history.*`: an import of long material, batch by batch; the caller keeps `progress` and may stop anywhere."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from memgardend.core.editorial.importing.request import ImportRequest, Strategy
from memgardend.core.editorial.importing.split import Section
from memgardend.core.editorial.results import ModelReply
from memgardend.daemon.serve.desk import Answer, Desk, Method
from memgardend.daemon.serve.judging import told
from memgardend.daemon.serve.judging_params import ImportParams, RunImportParams
from memgardend.daemon.serve.params import Cancel, Feed

if TYPE_CHECKING:
    from memgardend.core.editorial.importing.batch import ImportBatch
    from memgardend.core.editorial.importing.stored import StoredImport

IMPORT = "import"
RUN = ("status", "progress", "batches_left")
STEP = ("status", "session_id", "next_prompt", "progress", "batches_left")


@dataclass(slots=True)
class _Running:
    stored: StoredImport
    batch: ImportBatch | None

    def settle(self) -> None:
        """Store the batch that is judged, and take the next, unless this one failed."""
        if self.batch is None:
            return
        self.stored.settle(self.batch)
        self.batch = None if self.failed else self.stored.begin()

    @property
    def failed(self) -> bool:
        return bool(self.stored.progress["failed"])


def run(desk: Desk, asked: RunImportParams) -> Answer:
    """Import up to `max_batches` with the service's model; call again with `progress` until `completed`."""
    running = _running(desk, asked)
    for _ in range(asked.max_batches):
        if running.batch is None:
            break
        desk.component.drive(running.batch)
        running.settle()
    return _answer(running, "paused")


def begin(desk: Desk, asked: ImportParams) -> Answer:
    """The same with the caller's model: ask it `next_prompt`, and feed what it says."""
    running = _running(desk, asked)
    if running.batch is None:
        return _answer(running, "")
    return _needs_model(desk.sessions.add(IMPORT, running), running)


def feed(desk: Desk, asked: Feed) -> Answer:
    """Take the model's reply, store the batch when it is whole, and go on with the next."""
    running: _Running = desk.sessions.get(IMPORT, asked.session_id)
    if running.batch is not None:
        running.batch.feed(ModelReply(text=asked.reply, truncated=asked.truncated))
        if running.batch.next_prompt is None:
            running.settle()
    if running.batch is not None:
        return _needs_model(asked.session_id, running)
    desk.sessions.end(IMPORT, asked.session_id)
    return _answer(running, "")


def cancel(desk: Desk, asked: Cancel) -> Answer:
    """Forget an import that was begun; what is stored stays, and `progress` goes on from there."""
    desk.sessions.end(IMPORT, asked.session_id)
    return {"status": "cancelled"}


METHODS = (
    Method("history.import", RunImportParams, run, RUN),
    Method("history.import_begin", ImportParams, begin, STEP),
    Method("history.import_feed", Feed, feed, STEP),
    Method("history.import_cancel", Cancel, cancel, ("status",)),
)


def _running(desk: Desk, asked: ImportParams) -> _Running:
    given: dict[str, Any] = told(asked, "progress", "max_batches", "sections", "strategy")
    request = ImportRequest(
        **given,
        sections=tuple(Section(**one.model_dump()) for one in asked.sections),
        strategy=Strategy(asked.strategy),
    )
    stored = desk.garden(asked).import_session(request, asked.progress)
    return _Running(stored, stored.begin())


def _needs_model(session_id: str, running: _Running) -> Answer:
    prompt = running.batch.next_prompt if running.batch else None
    return {
        "status": "needs_model",
        "session_id": session_id,
        "next_prompt": prompt,
        **_progress(running),
    }


def _answer(running: _Running, otherwise: str) -> Answer:
    """How it stands when nobody has to be asked now."""
    status = "completed" if running.stored.progress["done"] else otherwise
    return {"status": "failed" if running.failed else status, **_progress(running)}


def _progress(running: _Running) -> Answer:
    return {"progress": running.stored.progress, "batches_left": running.stored.batches_left}
