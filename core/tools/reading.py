"""Reads the arguments of a call as agents really pass them: lists as text, numbers as words, JSON in JSON.

What is missing is told apart from what cannot be read, one problem at a time, in the order of the definition.
"""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from memgardend.core.tools.parameters import TOOLS, Kind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from memgardend.core.tools.parameters import Parameter, ToolName

_SEPARATORS = re.compile(r"[,，、;；\n]+")
_JSON_START, _QUOTED = re.compile(r"\s*[\[{]"), re.compile(r'\s*".*"\s*', re.DOTALL)
_MAX_NESTING = 5
_MAX_TEXTS = 200
_GIVEN_CHARS = 60
_AROUND = " \t\r\n\"'"
_TRUE, _FALSE = frozenset({"true", "yes", "1", "是"}), frozenset({"false", "no", "0", "否"})


@dataclass(frozen=True, slots=True)
class ArgumentProblem:
    """What is wrong with a call. `given` is None for an argument that is missing, else what it says."""

    parameter: Parameter
    given: str | None


@dataclass(frozen=True, slots=True)
class Arguments:
    """What a call says: a value for each argument that was given or has a default; `ignored` names none knows.

    An empty text or list is a value where the argument is optional: whoever gives one means it.
    """

    values: Mapping[str, Any]
    ignored: tuple[str, ...] = ()

    def text(self, name: str) -> str | None:
        """A text that was given, and is not blank."""
        return self.values.get(name) or None

    def texts(self, name: str) -> tuple[str, ...] | None:
        """A list that was given, it may be empty; else None."""
        value: tuple[str, ...] | None = self.values.get(name)
        return value

    def number(self, name: str) -> int | None:
        """A number that was given or stands for it."""
        value: int | None = self.values.get(name)
        return value

    def flag(self, name: str) -> bool | None:
        """A yes or no that was given."""
        value: bool | None = self.values.get(name)
        return value


class UnreadableError(ValueError):
    """The argument is there, and nobody can tell what it means."""


def read_arguments(tool: ToolName, given: Mapping[str, Any]) -> Arguments | ArgumentProblem:
    """The arguments of a call, or the first thing that is wrong with them."""
    values: dict[str, Any] = {}
    used: set[str] = set()
    for parameter in TOOLS[tool]:
        name = next((one for one in (parameter.name, *parameter.aliases) if one in given), None)
        used.add(name or parameter.name)
        raw = None if name is None else given[name]
        if raw is None or (parameter.required and isinstance(raw, str) and not raw.strip()):
            value: Any = parameter.default
        else:
            try:
                value = _READERS[parameter.kind](raw, parameter)
            except UnreadableError:
                return ArgumentProblem(parameter, _as_given(raw)[:_GIVEN_CHARS])
        if parameter.required and (value is None or (value == () and not parameter.may_be_empty)):
            return ArgumentProblem(parameter, None)
        if value is not None:
            values[parameter.name] = value
    return Arguments(values, tuple(sorted(given.keys() - used)))


def _as_given(raw: Any) -> str:
    """As the caller wrote it: nobody else knows how Python shows it."""
    return raw if isinstance(raw, str) else json.dumps(raw, ensure_ascii=False, default=str)


def read_texts(raw: Any) -> tuple[str, ...]:
    """A list of texts, each once: a list, a JSON text of one, or words between commas, however deep it is wrapped.

    Raises UnreadableError.
    """
    found = list(_texts(raw, _MAX_NESTING))
    if len(found) == 1:
        found = _SEPARATORS.split(found[0])
    cleaned = dict.fromkeys(text for one in found if (text := one.strip(_AROUND)))
    if len(cleaned) > _MAX_TEXTS:
        raise UnreadableError
    return tuple(cleaned)


def _texts(raw: Any, depth: int) -> Iterator[str]:
    if depth == 0 or isinstance(raw, dict | bool):
        raise UnreadableError
    if isinstance(raw, list | tuple):
        for one in raw:
            yield from _texts(one, depth - 1)
    elif isinstance(raw, str):
        if _JSON_START.match(raw) or (_QUOTED.fullmatch(raw) and _is_json(raw)):
            yield from _texts(_decoded(raw), depth - 1)
        elif raw.strip():
            yield raw
    elif isinstance(raw, int | float):
        yield str(raw)
    elif raw is not None:
        raise UnreadableError


def _is_json(text: str) -> bool:
    try:
        _decoded(text)
    except UnreadableError:
        return False
    return True


def _decoded(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UnreadableError from error


def _text_list(raw: Any, parameter: Parameter) -> tuple[str, ...]:
    words = read_texts(raw)
    return tuple(_choice(word, parameter) for word in words) if parameter.choices else words


def _text(raw: Any, parameter: Parameter) -> str:
    if isinstance(raw, bool) or not isinstance(raw, str | int | float):
        raise UnreadableError
    text = str(raw).strip()
    return _choice(text, parameter) if parameter.choices and text else text


def _choice(word: str, parameter: Parameter) -> str:
    word = word.strip(_AROUND).casefold()
    if word not in parameter.choices:
        raise UnreadableError
    return word


def _number(raw: Any, parameter: Parameter) -> int:
    """A whole number, rounded half up, brought within the bounds."""
    if isinstance(raw, str):
        raw = _decoded(raw.strip(_AROUND))
    if isinstance(raw, bool) or not isinstance(raw, int | float) or not math.isfinite(raw):
        raise UnreadableError
    number = math.floor(raw + 0.5) if isinstance(raw, float) else raw
    if parameter.least is not None:
        number = max(number, parameter.least)
    return number if parameter.most is None else min(number, parameter.most)


def _flag(raw: Any, parameter: Parameter) -> bool:
    word = str(raw).strip(_AROUND).casefold()
    if word not in _TRUE | _FALSE:
        raise UnreadableError
    return word in _TRUE


_READERS: Mapping[Kind, Callable[[Any, Parameter], Any]] = {
    Kind.TEXT: _text,
    Kind.TEXTS: _text_list,
    Kind.NUMBER: _number,
    Kind.FLAG: _flag,
}
