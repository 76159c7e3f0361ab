"""The least `max_prompt_chars` with which any window can be dreamed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memgardend.core.cutting import Room
from memgardend.core.display import NAME_CHARS
from memgardend.core.prompt import PROJECT_LIST_CHARS, TITLE_CHARS, frame_chars
from memgardend.core.records import Project, Window

if TYPE_CHECKING:
    from collections.abc import Callable

    from memgardend.core.prompt import PromptSettings


def require_room(slots: Callable[[str], str], settings: PromptSettings) -> None:
    """Return when these prompt texts leave room for a conversation, however long its title.

    Raises ConfigError, with the least limit, when they do not or when the pack is incomplete.
    """
    source, title = "x" * NAME_CHARS, "x" * TITLE_CHARS
    window = Window(id=source, source=source, native_id=source, title=title, project=source)
    projects = [Project(id="", name="x" * PROJECT_LIST_CHARS)]
    Room(settings.max_prompt_chars, frame_chars(slots, window, projects, settings))
