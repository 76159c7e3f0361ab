"""What memories are, and how they met windows."""

from __future__ import annotations

from enum import StrEnum


class Layer(StrEnum):
    """The seven layers of memory."""

    SOUL = "soul"
    USER = "user"
    PROJECT = "project"
    FACT = "fact"
    LESSON = "lesson"
    TOPIC = "topic"
    RULES = "rules"


PERSONAL_LAYERS = frozenset({Layer.SOUL, Layer.USER, Layer.RULES})
"""Layers that only a person's own words can prove."""


class Status(StrEnum):
    """The life of a memory: current, finished, or no longer true."""

    ACTIVE = "active"
    STALE = "stale"
    ARCHIVED = "archived"


class Use(StrEnum):
    """How a memory met a window."""

    INJECTED = "injected"
    SEARCHED = "searched"
    ACCESSED = "accessed"
    WRITTEN = "written"
