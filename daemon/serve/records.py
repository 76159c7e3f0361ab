"""`records.*`, `context.get` and `tool.*`: cards found, read and changed."""

from __future__ import annotations

from dataclasses import asdict

from memgardend.core.editorial.fragments import RECORD_CHANGED
from memgardend.core.editorial.mutation_reading import read_batch
from memgardend.core.editorial.results import ErrorWord, Failure
from memgardend.daemon.serve.desk import RECEIPT, Answer, Desk, Method, receipt_answer
from memgardend.daemon.serve.errors import ServeError, WireError
from memgardend.daemon.serve.params import Nothing
from memgardend.daemon.serve.record_params import (
    ApplyParams,
    ContextParams,
    DeleteParams,
    GetParams,
    PageParams,
    PromoteParams,
    ReadParams,
    RelatedParams,
    SearchParams,
    ToolParams,
    WriteParams,
)


def context_get(desk: Desk, asked: ContextParams) -> Answer:
    """The cards that should come to mind in a turn, as summaries."""
    found = desk.garden(asked).build_context(asked.query, limit=asked.limit)
    return asdict(found)


def search(desk: Desk, asked: SearchParams) -> Answer:
    """The cards that answer, the best first; none where none does."""
    if not asked.query.strip():
        raise ServeError(Failure(ErrorWord.QUERY_REQUIRED), field="query")
    hits = desk.garden(asked).records.search(asked.query, limit=asked.limit)
    return {"hits": [asdict(hit) for hit in hits]}


def get(desk: Desk, asked: GetParams) -> Answer:
    """Whole cards by their ids; those that are not there are left out."""
    return {"cards": desk.garden(asked).records.get(asked.ids)}


def related(desk: Desk, asked: RelatedParams) -> Answer:
    """What is one step from cards: what they build on or took the place of, then what shares a thread."""
    found = desk.garden(asked).records.related(asked.ids, cap=asked.cap)
    return {"related": [asdict(one) for one in found]}


def read(desk: Desk, asked: ReadParams) -> Answer:
    """One card as fragments of its JSON."""
    try:
        found = desk.garden(asked).records.read(
            asked.record_id, cursor=asked.cursor, limit=asked.limit
        )
    except ValueError as error:
        if str(error) == RECORD_CHANGED:
            raise ServeError(Failure(ErrorWord.RECORD_CHANGED), field="cursor") from error
        raise ServeError(WireError.INVALID_REQUEST, str(error), field="cursor") from error
    if found is None:
        raise ServeError(Failure(ErrorWord.RECORD_NOT_FOUND), field="record_id")
    return asdict(found)


def browse(desk: Desk, asked: PageParams) -> Answer:
    """A page of the garden as a list for people."""
    return asdict(desk.garden(asked).records.browse(cursor=asked.cursor, limit=asked.limit))


def export(desk: Desk, asked: PageParams) -> Answer:
    """A page of whole cards, by id; what changes meanwhile is on no page twice."""
    records = desk.garden(asked).records
    page = records.browse(cursor=asked.cursor, limit=asked.limit)
    cards = {card["id"]: card for card in records.get([item.record_ref for item in page.items])}
    shown = [cards[item.record_ref] for item in page.items if item.record_ref in cards]
    return {"cards": shown, "next_cursor": page.next_cursor, "total": page.total}


def write(desk: Desk, asked: WriteParams) -> Answer:
    """Keep what somebody asked to keep; nobody judges whether it is worth it."""
    return receipt_answer(
        desk.garden(asked).write_one(
            asked.text,
            summary=asked.summary,
            bucket=asked.bucket,
            mount=asked.mount,
            idempotency_key=asked.idempotency_key,
        )
    )


def apply(desk: Desk, asked: ApplyParams) -> Answer:
    """Write mutations of the caller's own in one step."""
    return receipt_answer(
        desk.garden(asked).records.apply(
            read_batch(asked.mutations),
            idempotency_key=asked.idempotency_key,
            expected_revision=asked.expected_revision,
        )
    )


def delete(desk: Desk, asked: DeleteParams) -> Answer:
    """Remove a card for good."""
    return receipt_answer(
        desk.garden(asked).records.delete(
            asked.record_id,
            requested_by=asked.requested_by,
            idempotency_key=asked.idempotency_key,
        )
    )


def promote(desk: Desk, asked: PromoteParams) -> Answer:
    """Move a card to another open mount."""
    return receipt_answer(
        desk.garden(asked).records.promote(
            asked.record_id, asked.to_mount, idempotency_key=asked.idempotency_key
        )
    )


def tool_list(desk: Desk, asked: Nothing) -> Answer:
    """The tools to offer a model."""
    return {"tools": [asdict(tool) for tool in desk.component.tools()]}


def tool_invoke(desk: Desk, asked: ToolParams) -> Answer:
    """Answer a model's call; what it writes is stored."""
    result = desk.garden(asked).invoke_tool(
        asked.name, asked.arguments, mount=asked.mount, idempotency_key=asked.idempotency_key
    )
    if result.error is not None:
        raise ServeError(result.error)
    receipt = None if result.receipt is None else receipt_answer(result.receipt)
    return {"text": result.text, "receipt": receipt, "trace": dict(result.trace)}


_FRAGMENT = ("record_id", "text", "offset", "total_chars", "next_cursor", "format")
METHODS = (
    Method("context.get", ContextParams, context_get, ("record_ids", "blocks", "trace")),
    Method("records.search", SearchParams, search, ("hits",)),
    Method("records.get", GetParams, get, ("cards",)),
    Method("records.related", RelatedParams, related, ("related",)),
    Method("records.read", ReadParams, read, _FRAGMENT),
    Method("records.browse", PageParams, browse, ("items", "next_cursor", "total")),
    Method("records.export", PageParams, export, ("cards", "next_cursor", "total")),
    Method("records.write", WriteParams, write, RECEIPT),
    Method("records.apply", ApplyParams, apply, RECEIPT),
    Method("records.delete", DeleteParams, delete, RECEIPT),
    Method("records.promote", PromoteParams, promote, RECEIPT),
    Method("tool.list", Nothing, tool_list, ("tools",)),
    Method("tool.invoke", ToolParams, tool_invoke, ("text", "receipt", "trace")),
)
