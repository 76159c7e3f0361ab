"""Who asks: the window that a call speaks for, and the project that its caller works in."""

from __future__ import annotations

from pathlib import Path

from memgardend.core.records import IngestBatch, Project, Window
from memgardend.core.words import WindowKind
from memgardend.daemon.tooling import tool_context
from memgardend.jobs.context import Garden
from support.garden import START, make_garden

MAIN = Window(id="event:w", source="event", native_id="w", cwd="/shop", project="shop")


def window_and_project(garden: Garden, window: str | None) -> tuple[str | None, str | None]:
    context = tool_context(garden, Path("/"), actor="a", origin="a", window=window, project="here")
    return context.window, context.project


def test_a_call_speaks_for_its_window_and_a_sub_agent_for_its_parent(tmp_path: Path) -> None:
    garden = make_garden(tmp_path)
    garden.store.ensure_project(Project(id="shop", name="shop", root="/shop"))
    aside = Window(
        id="event:w/1",
        source="event",
        native_id="w/1",
        parent=MAIN.id,
        kind=WindowKind.SUBAGENT,
    )
    for one in (MAIN, aside):
        garden.store.ingest(IngestBatch(window=one, received_at=START))
    assert window_and_project(garden, MAIN.id) == (MAIN.id, "shop")
    assert window_and_project(garden, aside.id) == (MAIN.id, "shop")
    assert window_and_project(garden, "event:unread") == ("event:unread", "here")
    assert window_and_project(garden, None) == (None, "here")
