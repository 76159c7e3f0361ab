"""Settings that are allowed but can hardly be meant."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memgardend.config.calendar import suppression
from memgardend.config.model import DreamSettings
from memgardend.core.mask import mask

if TYPE_CHECKING:
    from memgardend.config.model import Config

READ_KINDS = frozenset({"claude-code", "codex", "jsonl"})
"""The kinds of sources that this version reads."""


def warnings(config: Config) -> list[str]:
    """One sentence for each doubt, to be shown wherever the settings are."""
    said = []
    dream, model = config.dream, config.dreaming_model
    if suppression(dream).never_allows:
        said.append(
            "dream.suppress_windows, with the lead before each, leave no time at all: nothing dreams by itself"
        )
    default = DreamSettings()
    if dream.calendar and (dream.suppress_windows, dream.time_zone) != (
        default.suppress_windows,
        default.time_zone,
    ):
        said.append(
            f"dream.calendar: {dream.calendar} replaces dream.suppress_windows and its time_zone"
        )
    said += unread_sources(config)
    if model.command and "preset" in model.model_fields_set:
        said.append("model.command is used, and model.preset is not")
    if model.command and any(mask(part) != part for part in model.command):
        said.append(
            "model.command holds what looks like a key, which `ps` shows to everybody: put it into a variable, "
            "and the variable's name into model.env"
        )
    if dream.max_wait_hours is not None and dream.max_wait_hours * 60 <= dream.idle_minutes:
        said.append(
            "dream.max_wait_hours is not longer than dream.idle_minutes, which it cuts short"
        )
    return said


def unread_sources(config: Config) -> list[str]:
    """One sentence for each kind of source that is configured and not read: to be said at each run."""
    return [
        f"sources: this version does not read `{kind}` yet, so that entry does nothing"
        for kind in dict.fromkeys(source.kind for source in config.sources or ())
        if kind not in READ_KINDS
    ]
