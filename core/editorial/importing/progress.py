"""How far an import is: a plain dict that a host keeps between two runs."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from memgardend.core.editorial.importing.split import ImportUsageError

if TYPE_CHECKING:
    from memgardend.core.editorial.importing.request import ImportRequest

READING_PERCENT = 70
"""Share of a two-pass import that reading takes; writing takes the rest."""


@dataclass(slots=True, kw_only=True)
class ImportProgress:
    """What is consumed, what it gave, and what stands in the way; offsets count characters of the material.

    It holds no text of the material, but for the `candidates` of a two-pass import.
    """

    total: int
    source_digest: str
    import_fingerprint: str
    strategy: str
    cursor: int = 0
    batches_done: int = 0
    cards_written: int = 0
    cards_added: int = 0
    skipped: list[dict[str, Any]] = field(default_factory=list)
    failed: list[dict[str, Any]] = field(default_factory=list)
    candidates: list[dict[str, Any]] = field(default_factory=list)
    candidates_cursor: int = 0

    @property
    def is_read(self) -> bool:
        """True when all material is consumed."""
        return self.cursor >= self.total

    @property
    def is_written(self) -> bool:
        """True when all notes so far have become cards."""
        return self.candidates_cursor >= len(self.candidates)

    @property
    def done(self) -> bool:
        """True when there is nothing left to do and nothing failed."""
        return self.is_read and self.is_written and not self.failed

    @property
    def percent(self) -> int:
        """How much is done, 0 to 100."""
        read = self.cursor / self.total if self.total else 1.0
        if self.strategy == "single_pass":
            return int(100 * read)
        written = self.candidates_cursor / len(self.candidates) if self.candidates else 1.0
        rest = (100 - READING_PERCENT) * written if self.is_read else 0
        return int(READING_PERCENT * read + rest)

    def skip(self, reason: str, **where: int | str) -> None:
        """Note what no card comes of, and why."""
        self.skipped.append({"reason": reason, **where})

    def to_dict(self) -> dict[str, Any]:
        """What to keep; `done` and `percent` are for whoever only looks."""
        return asdict(self) | {"done": self.done, "percent": self.percent}


def begin(request: ImportRequest) -> ImportProgress:
    """The progress of an import that has not begun."""
    return ImportProgress(
        total=sum(len(piece.text) for piece in request.pieces),
        source_digest=request.source_digest,
        import_fingerprint=request.fingerprint,
        strategy=str(request.strategy),
    )


def resume(kept: Mapping[str, Any], request: ImportRequest) -> ImportProgress:
    """The progress that a host kept. Raises ImportUsageError when it is not that of this import."""
    fresh = "begin the import anew, without progress"
    begun = asdict(begin(request))
    if not isinstance(kept, Mapping) or not begun.keys() <= kept.keys():
        raise ImportUsageError("this progress lacks what binds it to its material", hint=fresh)
    if kept["source_digest"] != request.source_digest:
        raise ImportUsageError("this progress is that of other material", hint=fresh)
    if kept["import_fingerprint"] != request.fingerprint:
        raise ImportUsageError("this progress is that of an import with other options", hint=fresh)
    of_kind = all(type(kept[name]) is type(value) for name, value in begun.items())
    if not of_kind or kept["total"] != begun["total"]:
        raise ImportUsageError("this progress is not as an import left it", hint=fresh)
    progress = ImportProgress(**deepcopy({name: kept[name] for name in begun}))
    if progress.cursor not in {0, *(piece.end for piece in request.pieces)}:
        raise ImportUsageError(f"no piece begins at {progress.cursor}", hint=fresh)
    return progress


def digest(*told: Any) -> str:
    """SHA-256 of values that JSON can hold, as 64 hex digits."""
    text = json.dumps(told, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
