"""Our hooks in the settings of an agent: `hooks`, event, groups, handlers, as Claude Code and Codex have them."""

from __future__ import annotations

import shlex
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from memgardend.daemon.agents.json_text import (
    Node,
    holds_only,
    read,
    with_child,
    without_child,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

PROGRAM = "memgardend-hook"
EVENTS = ("SessionStart", "UserPromptSubmit", "Stop")
"""All that we need, and all that every version of both agents knows. A compaction is told by a start."""
TIMEOUT_SECONDS = 10
"""When the agent gives up; the hook itself does far earlier, but for a dream that somebody asked for."""


class UnexpectedShapeError(ValueError):
    """The settings are JSON, but not of the shape that hooks have."""


def handlers_of(text: str) -> dict[str, list[str]]:
    """Our commands by event. Raises JsonTextError or UnexpectedShapeError."""
    found: dict[str, list[str]] = {}
    for event, _, handler in _handlers(read(text)):
        if _is_ours(handler.value):
            found.setdefault(event, []).append(handler.value["command"])
    return found


def positions(text: str) -> list[tuple[str, int, int]]:
    """Where our handlers stand: event, number of the group, number in the group. Raises as `handlers_of`."""
    return [
        (event, path[-2][1], path[-1][1])
        for event, path, handler in _handlers(read(text))
        if _is_ours(handler.value)
    ]


def with_hooks(text: str, command: str) -> str:
    """The settings with our hooks, each event once. Raises JsonTextError or UnexpectedShapeError."""
    text = without_hooks(text)
    handler = {"type": "command", "command": command, "timeout": TIMEOUT_SECONDS}
    for event in EVENTS:
        root = read(text)
        hooks = root.child("hooks")
        groups = hooks and hooks.child(event)
        if hooks is None:
            text = with_child(text, root, "hooks", {event: [{"hooks": [handler]}]})
        elif groups is None:
            text = with_child(text, hooks, event, [{"hooks": [handler]}])
        else:
            text = with_child(text, groups, None, {"hooks": [handler]})
    return text


def without_hooks(text: str) -> str:
    """The settings without our hooks, and without what only held them. Raises as `with_hooks`."""
    while (path := _first_of_ours(read(text))) is not None:
        while len(path) > 1 and holds_only(text, path[-1][0], path[-1][1]):
            path.pop()  # nothing would be left in it
        parent, index = path[-1]
        text = without_child(text, parent, index)
    return text


def _first_of_ours(root: Node) -> list[tuple[Node, int]] | None:
    """The way to a handler of ours: each container with the place of its child in it."""
    for _, path, handler in _handlers(root):
        if _is_ours(handler.value):
            return path
    return None


def _handlers(root: Node) -> Iterator[tuple[str, list[tuple[Node, int]], Node]]:
    """Every handler with its event, and the way to it; a group goes when its last handler does."""
    _require(root, dict, "the settings")
    for at, member in enumerate(root.children):
        if member.key != "hooks":
            continue
        _require(member.node, dict, "`hooks`")
        for event_at, event in enumerate(member.node.children):
            _require(event.node, list, f"`hooks.{event.key}`")
            for group_at, group in enumerate(event.node.children):
                inner = group.node.value
                handlers = group.node.child("hooks") if isinstance(inner, dict) else None
                if handlers is None or not isinstance(handlers.value, list):
                    continue  # of a shape that we do not know, so not ours
                for index, handler in enumerate(handlers.children):
                    path = [(root, at), (member.node, event_at), (event.node, group_at)]
                    yield event.key or "", [*path, (handlers, index)], handler.node


def _require(node: Node, kind: type[Any], what: str) -> None:
    if not isinstance(node.value, kind):
        wanted = "an object" if kind is dict else "a list"
        raise UnexpectedShapeError(f"{what} should be {wanted}")


def _is_ours(handler: object) -> bool:
    command = handler.get("command") if isinstance(handler, dict) else None
    if not isinstance(command, str):
        return False
    try:
        words = shlex.split(command)
    except ValueError:
        return False
    return bool(words) and PurePath(words[0]).name == PROGRAM
