"""The JSON form of a round's prompt, for model commands with `input: json` (DESIGN section 7)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from memgardend.core.checks.form import MAX_CHARS, MAX_KEYWORDS
from memgardend.core.display import as_of
from memgardend.core.excerpt import joined
from memgardend.core.mask import mask
from memgardend.core.request_schema import REQUEST_SCHEMA_VERSION
from memgardend.core.times import local, rfc3339

if TYPE_CHECKING:
    from datetime import tzinfo

    from memgardend.core.prompt import Asking, Question
    from memgardend.core.sheet import ShownEvent, ShownMemory

OMITTED = "\n[…]\n"
"""Stands in an event's text where its middle was left out."""


def build_request(asking: Asking, question: Question, *, run: str, purpose: str = "dream") -> str:
    """The same question as one JSON object; its `prompt` is the text form."""
    settings, window = asking.settings, asking.window
    names = {project.id: project.name for project in asking.projects}
    return json.dumps(
        {
            "schema": REQUEST_SCHEMA_VERSION,
            "purpose": purpose,
            "run": run,
            "locale": settings.locale,
            "round": asking.round_name,
            "seal": rfc3339(asking.plan.seal),
            "names": {"assistant": settings.assistant, "person": settings.person},
            "window": {
                "id": window.id,
                "source": window.source,
                "title": mask(window.title) if window.title else None,
                "project": names.get(window.project, window.project) if window.project else None,
            },
            "events": [_event(shown, settings.zone) for shown in question.sheet.events],
            "memories": [_memory(shown, names) for shown in question.sheet.memories],
            "projects": sorted(names.values()),
            "limits": {
                "max_prompt_chars": settings.max_prompt_chars,
                **{f"{name}_chars": limit for name, limit in MAX_CHARS.items()},
                "keywords": MAX_KEYWORDS,
            },
            "problems": list(question.problems),
            "prompt": question.prompt,
        },
        ensure_ascii=False,
    )


def _event(shown: ShownEvent, zone: tzinfo) -> dict[str, Any]:
    text, pasted = joined(shown.parts, OMITTED)
    return {
        "handle": shown.handle,
        "at": rfc3339(shown.event.at),
        "local": local(shown.event.at, zone).isoformat(timespec="seconds"),
        "role": shown.event.role,
        "tool": shown.event.tool,
        "text": text,
        "pasted": pasted,
        "shown": not shown.known,
    }


def _memory(shown: ShownMemory, names: dict[str, str]) -> dict[str, Any]:
    memory = shown.memory
    scope: str | list[str] = memory.scope.kind
    if memory.scope.projects:
        scope = [names.get(project, project) for project in memory.scope.projects]
    return {
        "handle": shown.handle,
        "editable": not shown.context,
        "layer": memory.layer,
        "title": mask(memory.title) if memory.title else None,
        "content": mask(memory.content),
        "keywords": [mask(word) for word in memory.keywords],
        "importance": memory.importance,
        "status": memory.status,
        "scope": scope,
        "as_of": rfc3339(as_of(memory)),
        "subcategory": memory.subcategory,
        "goal": mask(memory.goal) if memory.goal else None,
        "corrected": memory.corrected,
    }
