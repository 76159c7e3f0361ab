"""The documents of an import: what it would take, and how far it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memgardend.core.editorial.capture_prompt import build_capture_prompt
from memgardend.core.price import estimate_tokens
from memgardend.jobs.look.windows import SCHEMA

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memgardend.core.editorial.importing.request import ImportRequest

_REPORTED = ("cards_written", "cards_added", "batches_done", "percent", "done", "skipped", "failed")


def import_document(
    request: ImportRequest,
    progress: Mapping[str, Any],
    *,
    file: str,
    batches_left: int,
    resumed: bool,
    model_calls: int,
) -> dict[str, Any]:
    """`import text`: how far it is."""
    return {
        "schema": SCHEMA,
        **_head(request, file),
        "dry_run": False,
        "resumed": resumed,
        "model_calls": model_calls,
        "batches_left": batches_left,
        **{name: progress[name] for name in _REPORTED},
    }


def estimate_document(
    request: ImportRequest, *, file: str, calls_per_day: int | None
) -> dict[str, Any]:
    """`import text --dry-run`: batches, tokens, and how many days the budget makes of them.

    The lines of existing cards, which each prompt shows too, are not counted.
    """
    frame = build_capture_prompt(
        window="", locale=request.locale, policy=request.policy, max_cards=request.max_cards
    )
    pieces = [piece for piece in request.pieces if not piece.is_blank]
    texts = sum(estimate_tokens(piece.text) for piece in pieces)
    days = None if not calls_per_day else -(-len(pieces) // calls_per_day)
    return {
        "schema": SCHEMA,
        **_head(request, file),
        "dry_run": True,
        "batches": len(pieces),
        "tokens_in": texts + len(pieces) * estimate_tokens(frame),
        "days": days,
    }


def _head(request: ImportRequest, file: str) -> dict[str, Any]:
    return {
        "file": file,
        "policy": str(request.policy),
        "locale": request.locale,
        "chars": sum(len(piece.text) for piece in request.pieces),
    }
