"""Read one row of an answer with tolerance: what a model means counts, not how it spells it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memgardend.core.answer_fields import (
    RowError,
    read_evidence,
    read_fields,
    read_handles,
    read_text,
)
from memgardend.core.records.operations import Fields, Malformed, Operation
from memgardend.core.words import Layer, OperationName

if TYPE_CHECKING:
    from collections.abc import Sequence

MAX_TARGETS = 20
"""Ids an operation may name; more are cut off (as in the ancestor's dream replies)."""
MAX_EVIDENCE = 20
"""Quotes an operation may bring; more are cut off."""
MAX_PARTS = 20
"""Memories that one may be split into; more are refused, because cutting would lose knowledge."""

_OPERATIONS = {name.value: name for name in OperationName}
_NEW_IN = {OperationName.SUPERSEDE: "by", OperationName.MERGE: "into", OperationName.SPLIT: "into"}
"""Where the new memories stand, for operations that also name old ones; else in the row itself."""
_TARGETS = {
    OperationName.REMEMBER: (0, 0),
    OperationName.SUPERSEDE: (1, MAX_TARGETS),
    OperationName.MERGE: (2, MAX_TARGETS),
}
"""The fewest and the most targets; of all others one."""
_MAKES_NEW = frozenset({OperationName.REMEMBER, *_NEW_IN})


def read_row(row: object) -> Operation | Malformed:
    """The operation that a row of `operations` means, or what is wrong with it."""
    if not isinstance(row, dict):
        return Malformed({"row": row}, "an operation is a JSON object with `op`")
    op = _OPERATIONS.get(read_text(row, "op").strip().lower())
    if op is None:
        return Malformed(row, f"`op` must be one of: {', '.join(_OPERATIONS)}")
    try:
        return _read(op, row)
    except RowError as error:
        return Malformed(row, str(error))


def _read(op: OperationName, row: dict[str, Any]) -> Operation:
    news = _news(op, row)
    targets = _targets(op, row)
    fields = [_checked(op, read_fields(new)) for new in news]
    sources = [row, *(new for new in news if new is not row)]
    proofs = [ref for source in sources for ref in read_evidence(source.get("evidence"))]
    parents = [handle for source in sources for handle in read_handles(source, "from", letter="m")]
    splits = op is OperationName.SPLIT
    return Operation(
        op=op,
        raw=row,
        targets=targets,
        fields=Fields() if splits else fields[0],
        parts=tuple(fields) if splits else (),
        reason=" ".join(read_text(row, "reason").split()),
        evidence=tuple(dict.fromkeys(proofs))[:MAX_EVIDENCE],
        parents=tuple(dict.fromkeys(parents))[:MAX_TARGETS],
    )


def _news(op: OperationName, row: dict[str, Any]) -> Sequence[dict[str, Any]]:
    """The objects that hold the fields of the new or changed memories."""
    key = _NEW_IN.get(op)
    if key is None:
        return [row]
    value: Any = row.get(key)
    news = value if isinstance(value, list) else [value]
    if not news or not all(isinstance(new, dict) for new in news):
        raise RowError(f"`{key}` must be an object with the new memory's layer and content")
    if op is OperationName.SPLIT and not 1 < len(news) <= MAX_PARTS:
        raise RowError(f"`{key}` must be a list of 2 to {MAX_PARTS} new memories")
    if op is not OperationName.SPLIT and len(news) > 1:
        raise RowError(f"`{key}` must be one new memory")
    return news


def _targets(op: OperationName, row: dict[str, Any]) -> tuple[str, ...]:
    least, most = _TARGETS.get(op, (1, 1))
    found = read_handles(row, "ids", "id", letter="m") if most else ()
    if least and not found:
        raise RowError("name the memory: `id`, or `ids` for supersede and merge")
    if len(found) < least:
        raise RowError(f"`{op}` takes {least} `ids` or more")
    if most == 1 and len(found) > most:
        raise RowError(f"`{op}` takes one `id`")
    return found[:most]


def _checked(op: OperationName, fields: Fields) -> Fields:
    if op in _MAKES_NEW and fields.content is None:
        raise RowError("`content` is missing")
    if op is OperationName.REMEMBER and fields.layer is None:
        raise RowError(f"`layer` must be one of: {', '.join(Layer)}")
    return fields
