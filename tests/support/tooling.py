"""The tools over a garden of the tests, and what they keep in it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from memgardend.core.records import Memory, Project
from memgardend.daemon.tooling import recall_context
from memgardend.jobs.context import Garden
from memgardend.jobs.tools import NewMemory, Remembered, ToolAnswer, ToolContext, call, remember
from support.conversation import window_id


def tools_of(
    garden: Garden, window: str | None = None, wake: Callable[[], bool] = lambda: False
) -> ToolContext:
    """The tools as the agent of this window (its native name) has them."""
    return ToolContext(
        garden=garden,
        recall=recall_context(garden),
        window=window and window_id(window),
        wake=wake,
    )


def keep(context: ToolContext, content: str, *projects: str, **fields: Any) -> Remembered:
    """Remember something; without projects it is global."""
    return remember(context, NewMemory(content=content, projects=projects or ("global",), **fields))


def kept(context: ToolContext, content: str, *projects: str, **fields: Any) -> Memory:
    """The memory that comes of it."""
    return keep(context, content, *projects, **fields).memory


def asked(context: ToolContext, name: str, **arguments: Any) -> ToolAnswer:
    """What a call by name is answered."""
    return call(f"memory_{name}", arguments, context)


def done(context: ToolContext, name: str, **arguments: Any) -> dict[str, Any]:
    """The document of a call that must be done."""
    answer = asked(context, name, **arguments)
    assert answer.ok, answer.text
    return dict(answer.document)


def active(garden: Garden) -> list[Memory]:
    """What is active, by age."""
    return [one for one in garden.store.memories() if one.status == "active"]


def in_project(context: ToolContext, *names: str) -> ToolContext:
    """The same, asked from a known project, after these projects are made known."""
    for name in names:
        context.garden.store.ensure_project(Project(id=name, name=name, root=f"/{name}"))
    return replace(context, project=names[-1])
