"""Edits of JSON that leave every other byte as it is: spaces, comments, and how numbers are written.

Reads what agents accept: JSON, comments (`//`, `/* */`), and commas before a closing bracket.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

_SPACE = re.compile(r"(?:[ \t\r\n]|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_ATOM = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null")
_STRINGS = json.JSONDecoder()
_DEEPEST = 200
_CLOSING = {"{": "}", "[": "]"}


class JsonTextError(ValueError):
    """The text is no JSON, from this offset on."""

    def __init__(self, what: str, text: str, offset: int) -> None:
        line = text.count("\n", 0, offset) + 1
        column = offset - text.rfind("\n", 0, offset)
        super().__init__(f"line {line}, column {column}: {what}")


@dataclass(frozen=True, slots=True)
class Node:
    """A value and where it stands. Of an object or a list, `children` are the parts, in order."""

    start: int
    end: int
    value: Any
    children: tuple[Child, ...] = ()

    def child(self, key: str) -> Node | None:
        """The member of this name; the last one counts, as for any reader of JSON."""
        return next((one.node for one in reversed(self.children) if one.key == key), None)


@dataclass(frozen=True, slots=True)
class Child:
    """A member (its `start` is that of its name) or an item (`key` None)."""

    start: int
    key: str | None
    node: Node

    @property
    def end(self) -> int:
        """Where its value ends."""
        return self.node.end


def read(text: str) -> Node:
    """The one value of a text. Raises JsonTextError."""
    node = _value(text, _skip(text, 0), 0)
    if (end := _skip(text, node.end)) != len(text):
        raise JsonTextError("something follows the end", text, end)
    return node


def with_child(text: str, parent: Node, key: str | None, value: object) -> str:
    """The text with one more member or item, at the end and in the manner of what is there."""
    if not parent.children:
        return _with_first(text, parent, key, value)
    last = parent.children[-1]
    indent = _indent_before(text, last.start)
    if indent is None:
        return f"{text[: last.end]}, {_written(key, value)}{text[last.end :]}"
    added = _written(key, value, _unit(text), indent)
    return f"{text[: last.end]},{_newline(text)}{indent}{added}{text[last.end :]}"


def without_child(text: str, parent: Node, index: int) -> str:
    """The text without a member or item, its comma, and the space around; comments of others stay."""
    gone = parent.children[index]
    if index > 0:
        before = parent.children[index - 1].end
        return text[:before] + _comments(text[before : gone.start]) + text[gone.end :]
    if len(parent.children) > 1:
        after = parent.children[1].start
        return text[: gone.start] + _comments(text[gone.end : after]).lstrip() + text[after:]
    inside = text[parent.start + 1 : gone.start] + _comments(text[gone.end : parent.end - 1])
    return text[: parent.start + 1] + (inside if inside.strip() else "") + text[parent.end - 1 :]


def holds_only(text: str, parent: Node, index: int) -> bool:
    """True for a container of one part and not so much as a comment besides."""
    child = parent.children[index]
    around = text[parent.start + 1 : child.start] + text[child.end : parent.end - 1]
    return len(parent.children) == 1 and not around.strip(" \t\r\n,")


def _with_first(text: str, parent: Node, key: str | None, value: object) -> str:
    inside = text[parent.start + 1 : parent.end - 1].rstrip()
    outer = _indent_before(text, parent.start, within_line=True) or ""
    unit, newline = _unit(text), _newline(text)
    added = _written(key, value, unit, outer + unit)
    filled = f"{inside}{newline}{outer}{unit}{added}{newline}{outer}"
    return text[: parent.start + 1] + filled + text[parent.end - 1 :]


def _written(key: str | None, value: object, unit: str | None = None, indent: str = "") -> str:
    lines = json.dumps(value, ensure_ascii=False, indent=unit).split("\n")
    name = "" if key is None else f"{json.dumps(key, ensure_ascii=False)}: "
    return name + f"\n{indent}".join(lines)


def _comments(between: str) -> str:
    """What stands between two values, without the comma, and without the space when there is nothing else."""
    rest = between.replace(",", "", 1) if "/" not in between.partition(",")[0] else between
    if not rest.strip():
        return ""
    kept = rest.rstrip()
    return f"{kept}\n" if "//" in kept.rpartition("\n")[2] else kept


def _indent_before(text: str, offset: int, *, within_line: bool = False) -> str | None:
    """The indentation of a line; None where something else stands before, unless that is asked for."""
    line = text[text.rfind("\n", 0, offset) + 1 : offset]
    indent = line[: len(line) - len(line.lstrip(" \t"))]
    alone = not line.strip() and "\n" in text[:offset]
    return indent if alone or within_line else None


def _unit(text: str) -> str:
    """One step of indentation, as the first indented line has it."""
    found = re.search(r"\n([ \t]+)\S", text)
    return found[1] if found else "  "


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _skip(text: str, offset: int) -> int:
    found = _SPACE.match(text, offset)
    return found.end() if found else offset


def _value(text: str, offset: int, depth: int) -> Node:
    opening = text[offset : offset + 1]
    if depth > _DEEPEST:
        raise JsonTextError("nested too deeply", text, offset)
    if opening in _CLOSING and opening:
        return _container(text, offset, depth)
    if opening == '"':
        value, end = _string(text, offset)
        return Node(offset, end, value)
    atom = _ATOM.match(text, offset)
    if atom is None:
        raise JsonTextError("a value is missing", text, offset)
    return Node(offset, atom.end(), json.loads(atom[0]))


def _container(text: str, start: int, depth: int) -> Node:
    children: list[Child] = []
    closing, offset = _CLOSING[text[start]], _skip(text, start + 1)
    while text[offset : offset + 1] != closing:
        child_start, key = offset, None
        if closing == "}":
            key, offset = _string(text, offset)
            offset = _after(text, _skip(text, offset), ":")
        node = _value(text, offset, depth + 1)
        children.append(Child(child_start, key, node))
        offset = _skip(text, node.end)
        if text[offset : offset + 1] != closing:
            offset = _after(text, offset, ",")
    values = [(one.key, one.node.value) for one in children]
    value = dict(values) if closing == "}" else [one for _, one in values]
    return Node(start, offset + 1, value, tuple(children))


def _string(text: str, offset: int) -> tuple[str, int]:
    if text[offset : offset + 1] != '"':
        raise JsonTextError("a name in quotes is missing", text, offset)
    try:
        value, end = _STRINGS.raw_decode(text, offset)
    except json.JSONDecodeError as error:
        raise JsonTextError(error.msg, text, error.pos) from None
    return str(value), end


def _after(text: str, offset: int, sign: str) -> int:
    if text[offset : offset + 1] != sign:
        raise JsonTextError(f"`{sign}` is missing", text, offset)
    return _skip(text, offset + 1)
