"""Read YAML text into plain values that remember where each of them stood."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

Path = tuple[str | int, ...]
"""The way to a value: names of settings and numbers of list entries."""

_TAG = "tag:yaml.org,2002:"
_NESTING_LIMIT = 50
_TOO_DEEP = "lists and settings are nested too deeply"
_NODES_LIMIT = 10_000  # aliases of aliases can mean billions


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """A mistake in the file. Line and column count from one, in characters."""

    line: int
    column: int
    message: str
    hint: str | None = None


@dataclass(frozen=True, slots=True)
class Tree:
    """The values of a file, and the places of their keys and values by path."""

    value: Any
    keys: dict[Path, tuple[int, int]]
    values: dict[Path, tuple[int, int]]
    problems: tuple[Problem, ...]

    def key_place(self, path: Path) -> tuple[int, int]:
        """Where the key of this path stands; that of the nearest outer value when it has none."""
        return self.keys.get(path) or self.value_place(path)

    def value_place(self, path: Path) -> tuple[int, int]:
        """Where the value of this path begins; that of the nearest outer one when it is missing."""
        while path not in self.values:  # the file as a whole is at the empty path
            path = path[:-1]
        return self.values[path]

    def is_mapping(self, path: Path) -> bool:
        """True where settings stand below this path."""
        value = self.value
        for part in path:
            value = value[part]
        return isinstance(value, dict)


def read_yaml(text: str) -> Tree:
    """Read YAML text. Never raises: what cannot be read is in `problems`."""
    yaml = YAML(typ="safe", pure=True)
    yaml.composer.warn_double_anchors = False  # YAML allows it; the later one counts
    try:
        root = yaml.compose(text)
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
        return _broken(line, column, error.problem or error.context or "this is not YAML")
    except RecursionError:
        return _broken(1, 1, _TOO_DEEP)
    except (AssertionError, KeyError):  # what ruamel makes of %YAML 1.5
        return _broken(1, 1, "the %YAML line names an unknown version")
    except (YAMLError, ValueError) as error:  # characters and version numbers YAML does not allow
        return _broken(1, 1, str(error))
    builder = _Builder(yaml)
    value = builder.build(root, (), ()) if root is not None else None
    return Tree(value, builder.keys, builder.values, tuple(builder.problems))


def _broken(line: int, column: int, message: str) -> Tree:
    return Tree(None, {}, {}, (Problem(line, column, " ".join(message.split())),))


@dataclass(slots=True)
class _Builder:
    """Turns nodes into values; every path is visited, so that aliases get the places of their anchor."""

    yaml: YAML
    keys: dict[Path, tuple[int, int]] = field(default_factory=dict)
    values: dict[Path, tuple[int, int]] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    nodes_seen: int = 0

    def build(self, node: Node, path: Path, outer: tuple[Node, ...]) -> Any:
        """The value of a node at this path, inside these outer nodes."""
        self.values[path] = _place(node)
        if not self._may_enter(node, outer):
            return None
        if isinstance(node, MappingNode):
            return self._mapping(node, path, (*outer, node))
        if isinstance(node, SequenceNode):
            inner = (*outer, node)
            return [self.build(item, (*path, at), inner) for at, item in enumerate(node.value)]
        return self._scalar(node)

    def _may_enter(self, node: Node, outer: tuple[Node, ...]) -> bool:
        self.nodes_seen += 1
        if node in outer:
            self._report(node, "an alias that means the list or setting it stands in")
        elif len(outer) > _NESTING_LIMIT:
            self._report(node, _TOO_DEEP)
        elif self.nodes_seen == _NODES_LIMIT:
            self._report(node, "aliases that make the file endlessly long")
        return node not in outer and len(outer) <= _NESTING_LIMIT and not self._endless()

    def _endless(self) -> bool:
        return self.nodes_seen >= _NODES_LIMIT

    def _mapping(self, node: MappingNode, path: Path, outer: tuple[Node, ...]) -> dict[str, Any]:
        built: dict[str, Any] = {}
        merged: dict[str, Any] = {}
        for key, value in node.value:
            if key.tag == f"{_TAG}merge":
                merged = self._merged(value, path, outer) | merged
            elif not isinstance(key, ScalarNode):
                self._report(key, "the name of a setting should be one word")
            elif key.value in built:
                self._report(key, f"`{key.value}` is set twice", "keep one of the two")
            else:
                inner = (*path, key.value)
                self.keys[inner] = _place(key)
                built[key.value] = self.build(value, inner, outer)
                if value.start_mark.index == value.end_mark.index:  # nothing after the colon
                    self.values[inner] = self.keys[inner]
        return merged | built

    def _merged(self, node: Node, path: Path, outer: tuple[Node, ...]) -> dict[str, Any]:
        """The settings that `<<` brings in; of several, the first to name a setting counts."""
        if not self._may_enter(node, outer):
            return {}
        if isinstance(node, MappingNode):
            return self._mapping(node, path, (*outer, node))
        if not isinstance(node, SequenceNode):
            self._report(node, "`<<` should bring in settings")
            return {}
        merged: dict[str, Any] = {}
        for item in node.value:
            merged = self._merged(item, path, (*outer, node)) | merged
        return merged

    def _scalar(self, node: Node) -> Any:
        kind = str(node.tag).removeprefix(_TAG)
        if kind == node.tag:
            self._report(node, f"the tag {node.tag} means nothing here", "leave it out")
        try:
            match kind:
                case "null":
                    return None
                case "bool":
                    return self.yaml.constructor.construct_yaml_bool(node)
                case "int":
                    return self.yaml.constructor.construct_yaml_int(node)
                case "float":
                    return self.yaml.constructor.construct_yaml_float(node)
        except (ValueError, KeyError, IndexError, OverflowError):
            self._report(node, f"{node.value!r} is not of the kind that its tag says")
            return None
        return node.value  # texts, and dates, which are texts here

    def _report(self, node: Node, message: str, hint: str | None = None) -> None:
        self.problems.append(Problem(*_place(node), message, hint))


def _place(node: Node) -> tuple[int, int]:
    return node.start_mark.line + 1, node.start_mark.column + 1
