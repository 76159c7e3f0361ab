"""Rows of the store to frozen values and back. One function a direction and noun."""

from __future__ import annotations

import json
from enum import Enum
from typing import TYPE_CHECKING, Any

from memgardend.core import records, words
from memgardend.core.scope import Scope

if TYPE_CHECKING:
    from memgardend.core.records import (
        Cursor,
        Dream,
        DreamRound,
        Event,
        Evidence,
        Memory,
        MemoryVersion,
        Project,
        Receipt,
        Window,
    )
    from memgardend.daemon.store.driver import Row

_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


def names(record: type[Any]) -> tuple[str, ...]:
    """The columns that hold a record's fields, in order."""
    # Asked for each row; `dataclasses.fields` would look each time for variables of the class.
    return tuple(record.__dataclass_fields__)


def insert_sql(table: str, columns: tuple[str, ...]) -> str:
    """`INSERT` of named values; the garden comes first."""
    every = ("garden", *columns)
    return f"INSERT INTO {table} ({', '.join(every)}) VALUES ({', '.join(f':{c}' for c in every)})"


def to_row(record: Any, garden: str) -> Row:
    """A record's fields as column values."""
    row: Row = {"garden": garden}
    for name in names(type(record)):
        row[name] = _column(getattr(record, name))
    return row


def _column(value: object) -> object:
    if isinstance(value, Scope):
        return value.text()
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, tuple):
        return to_json(value)
    return value


def to_json(value: object) -> str:
    """JSON as it is stored: one line, readable in any script."""
    return _ENCODER.encode(value)


def texts(column: str) -> tuple[str, ...]:
    """A JSON array of texts."""
    return () if column == "[]" else tuple(json.loads(column))


def _plain(row: Row) -> Row:
    plain = dict(row)
    plain.pop("garden", None)
    return plain


def project_of(row: Row) -> Project:
    """A row of `projects`."""
    return records.Project(**{**_plain(row), "aliases": texts(row["aliases"])})


def window_of(row: Row) -> Window:
    """A row of `windows`."""
    values = _plain(row)
    values["kind"] = words.WindowKind(row["kind"])
    for name in ("skip", "archived"):
        values[name] = bool(row[name])
    return records.Window(**values)


def event_of(row: Row) -> Event:
    """A row of `events` with `replaced` computed by the query."""
    pasted = tuple((start, end) for start, end in json.loads(row["pasted"]))
    changed = {"role": words.Role(row["role"]), "pasted": pasted, "replaced": bool(row["replaced"])}
    return records.Event(**{**_plain(row), **changed})


def cursor_of(row: Row) -> Cursor:
    """A row of `cursors`."""
    return records.Cursor(**_plain(row))


def memory_of(row: Row) -> Memory:
    """A row of `memories`."""
    subcategory = row["subcategory"]
    return records.Memory(
        **{
            **_plain(row),
            "layer": words.Layer(row["layer"]),
            "keywords": texts(row["keywords"]),
            "keywords_auto": bool(row["keywords_auto"]),
            "status": words.Status(row["status"]),
            "scope": Scope.parse(row["scope"]),
            "threads": texts(row["threads"]),
            "subcategory": None if subcategory is None else words.Subcategory(subcategory),
            "corrected": bool(row["corrected"]),
        }
    )


def memory_json(memory: Memory) -> str:
    """A memory as a version keeps it: its row without the garden."""
    return to_json(_plain(to_row(memory, "")))


def memory_of_json(text: str) -> Memory:
    """Read what `memory_json` wrote."""
    return memory_of(json.loads(text))


def version_of(row: Row) -> MemoryVersion:
    """A row of `memory_versions`."""
    before = row["before"]
    plain = {name: value for name, value in _plain(row).items() if name != "id"}
    return records.MemoryVersion(
        **{
            **plain,
            "before": None if before is None else memory_of_json(before),
            "after": memory_of_json(row["after"]),
        }
    )


_SPAN_COLUMNS = {"start": "span_start", "end": "span_end"}  # END is a keyword of SQL


def evidence_columns() -> tuple[str, ...]:
    """The columns that hold evidence, in order."""
    return tuple(_SPAN_COLUMNS.get(name, name) for name in names(records.Evidence))


def evidence_row(evidence: Evidence, garden: str) -> Row:
    """Evidence as column values."""
    row = to_row(evidence, garden)
    return {_SPAN_COLUMNS.get(name, name): value for name, value in row.items()}


def evidence_of(row: Row) -> Evidence:
    """A row of `evidence`."""
    plain = _plain(row)
    start, end = plain.pop("span_start"), plain.pop("span_end")
    return records.Evidence(
        **{**plain, "start": start, "end": end, "role": words.Role(row["role"])}
    )


def dream_of(row: Row) -> Dream:
    """A row of `dreams`."""
    return records.Dream(
        **{
            **_plain(row),
            "state": words.DreamState(row["state"]),
            "manual": bool(row["manual"]),
            "overrode": texts(row["overrode"]),
        }
    )


def round_of(row: Row) -> DreamRound:
    """A row of `dream_rounds`."""
    plain = {name: value for name, value in _plain(row).items() if name != "review"}
    return records.DreamRound(
        **{
            **plain,
            "name": words.RoundName(row["name"]),
            "state": words.RoundState(row["state"]),
            "problems": texts(row["problems"]),
            "questions": texts(row["questions"]),
        }
    )


def receipt_of(row: Row) -> Receipt:
    """A row of `receipts`."""
    plain = {name: value for name, value in _plain(row).items() if name != "id"}
    return records.Receipt(
        **{
            **plain,
            "purpose": words.CallPurpose(row["purpose"]),
            "round": None if row["round"] is None else words.RoundName(row["round"]),
            "outcome": words.Outcome(row["outcome"]),
            "tokens_reported": bool(row["tokens_reported"]),
            "counted": bool(row["counted"]),
            "phase": words.Phase(row["phase"]),
        }
    )
