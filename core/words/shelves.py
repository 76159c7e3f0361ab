"""Where in a panorama what is known of a project stands."""

from __future__ import annotations

from enum import StrEnum


class Subcategory(StrEnum):
    """The shelves of a project panorama."""

    OVERVIEW = "overview"
    STRUCTURE = "structure"
    DECISIONS = "decisions"
    QUOTES = "quotes"
    OPS = "ops"
    TODO = "todo"
