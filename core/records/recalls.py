"""What became of the questions that memory was asked. Times are epoch ms, UTC."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True, kw_only=True)
class Recall:
    """One selection of memories for a window; `record` is content-free (`core/editorial/observability.py`)."""

    window: str
    at: int
    record: Mapping[str, Any]
