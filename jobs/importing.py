"""An import of old text, batch by batch; how far it is stands in the store, so that it can always go on."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import structlog

from memgardend.core.editorial.importing.session import ImportSession
from memgardend.core.editorial.importing.stored import StoredImport
from memgardend.core.editorial.material import turns_of_text
from memgardend.core.errors import BusyError, UsageError
from memgardend.core.judgement_request import Judged, Setting
from memgardend.core.words import CallPurpose
from memgardend.jobs.questions import Questioner

if TYPE_CHECKING:
    from collections.abc import Callable

    from memgardend.core.editorial.importing.batch import ImportBatch
    from memgardend.core.editorial.importing.request import ImportRequest
    from memgardend.core.ports import Store
    from memgardend.core.ports.library import StoragePort
    from memgardend.jobs.context import Garden

log = structlog.get_logger(__name__)

IMPORT_KEY = "import:"
KEY_PREFIX = "import"


class ImportChangedError(UsageError):
    """The file, or what was asked of it, is not what it was when its import began."""


@dataclass(slots=True)
class KeptImport:
    """The progress of one file's import in a store. `run` rises when it is begun anew, so that keys differ."""

    store: Store
    key: str
    request: ImportRequest
    session: ImportSession
    run: int
    text: str | None  # as the store has it
    resumed: bool

    def save(self) -> None:
        """Keep the progress. Raises BusyError where another process imports the same file."""
        row = {"run": self.run, "progress": self.session.progress}
        text = json.dumps(row, ensure_ascii=False, separators=(",", ":"))
        if text == self.text:
            return
        if not self.store.set_state(self.key, self.text, text):
            raise BusyError("another process imports this file", hint="wait for its end")
        self.text = text


def open_import(
    store: Store, place: str, request: ImportRequest, *, restart: bool = False
) -> KeptImport:
    """Begin the import of what lies at a place, or go on with it; `restart` begins it anew.

    Raises ImportChangedError where the text or the options are not those of the import that began.
    """
    key = IMPORT_KEY + hashlib.sha256(place.encode("utf-8", "surrogateescape")).hexdigest()[:32]
    text = store.state(key)
    row: dict[str, Any] = json.loads(text) if text else {"run": 1, "progress": None}
    run, kept = row["run"], row["progress"]
    if restart and kept is not None:
        run, kept = run + 1, None
    request = replace(request, key_prefix=f"{KEY_PREFIX}{run}")
    if kept is not None:
        _require_same(kept, request)
    session = ImportSession(request, kept)
    return KeptImport(store, key, request, session, run, text, resumed=kept is not None)


def run_import(
    garden: Garden,
    kept: KeptImport,
    cards: StoragePort,
    tenant: str,
    *,
    skip_failed: bool = False,
    watch: Callable[[dict[str, Any]], None] = lambda progress: None,
) -> int:
    """Go through the batches until nothing is left, or one fails; the model calls made.

    A person asks for it, so a peak does not hold it. Raises what the Questioner raises; whatever happens, the
    next run goes on after the last batch that was stored.
    """
    session = kept.session
    stored = StoredImport(session, cards, tenant=tenant)
    calls = 0
    while True:
        batch = stored.begin()
        kept.save()
        watch(session.progress)
        if batch is None:
            break
        questioner = _questioner(garden, kept, batch)
        questioner.drive(batch)
        calls += questioner.asks
        if skip_failed and batch.result is not None and batch.result.error is not None:
            session.skip(batch, str(batch.result.error))
        else:
            stored.settle(batch)
        garden.failpoints.hit("import.stored")
        kept.save()
        _tell(batch, session.progress)
        if session.progress["failed"]:
            break
    return calls


def _questioner(garden: Garden, kept: KeptImport, batch: ImportBatch) -> Questioner:
    request, settings = kept.request, garden.model_settings
    piece = request.material[batch.position : batch.end]
    names = {"person": request.user_name, "assistant": request.ai_name}
    return Questioner(
        garden,
        Setting(
            purpose=CallPurpose.IMPORT,
            run=batch.key,
            locale=request.locale,
            at=garden.clock.now_ms(),
            zone=garden.zone,
            max_prompt_chars=settings.max_prompt_chars,
            window=KEY_PREFIX,
            source=KEY_PREFIX,
            title=request.material_kind or None,
            **names,
        ),
        Judged(
            turns=turns_of_text(piece, **names),
            policy=request.policy,
            keep_specifics=request.keep_specifics,
            max_cards=request.max_cards,
        ),
        manual=True,
    )


def _require_same(kept: dict[str, Any], request: ImportRequest) -> None:
    if kept["source_digest"] != request.source_digest:
        raise ImportChangedError(
            f"the text has changed since its import began ({_far(kept)})", hint="--restart"
        )
    if kept["import_fingerprint"] != request.fingerprint:
        raise ImportChangedError(
            f"its import began with other options ({_far(kept)})", hint="--restart"
        )


def _far(kept: dict[str, Any]) -> str:
    return f"{kept['percent']} % done, cards written: {kept['cards_written']}"


def _tell(batch: ImportBatch, progress: dict[str, Any]) -> None:
    failed = progress["failed"]
    if failed:
        log.error("batch_failed", error=failed[0]["error"], attempts=failed[0]["attempts"])
        return
    log.info(
        "batch_stored",
        percent=progress["percent"],
        batches=progress["batches_done"],
        cards=progress["cards_written"],
    )
