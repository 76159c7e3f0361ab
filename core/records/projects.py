"""Projects."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    """A project: a git root, or a folder. Scope holds its id, screens show its name."""

    id: str
    name: str
    root: str | None = None
    remote: str | None = None
    aliases: tuple[str, ...] = ()
