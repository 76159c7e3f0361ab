"""One finding of `doctor`."""

from __future__ import annotations

from dataclasses import dataclass

OK, WARNING, FAILED = "ok", "warning", "failed"


@dataclass(frozen=True, slots=True)
class Check:
    """Its level is `ok`, `warning` or `failed`."""

    name: str
    level: str
    detail: str
    hint: str | None = None
