"""Say what pydantic found in the words of a person, at the place where it stands."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

from memgardend.config.model import Config
from memgardend.config.yaml_tree import Problem

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

    from memgardend.config.yaml_tree import Path, Tree

_SHOWN_CHARS = 40
_KINDS = {
    "bool_type": "true or false",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "finite_number": "a finite number",
    "string_type": "text; quote it",
    "tuple_type": "a list",
    "model_type": "a mapping of settings",
    "decimal_parsing": "an amount of money, such as 0.27",
    "decimal_type": "an amount of money, such as 0.27",
}
_SWITCHES = {"yes": "true", "on": "true", "no": "false", "off": "false"}
"""Switches of YAML 1.1, which are texts in YAML 1.2."""
_BOUNDS = {
    "greater_than_equal": "at least {ge}",
    "greater_than": "more than {gt:g}",
    "less_than_equal": "at most {le}",
}


def problem_of(error: ErrorDetails, tree: Tree) -> Problem:
    """One mistake of a ValidationError, with the place of what is wrong in the file."""
    path: Path = error["loc"]
    name = _name(path)
    context: dict[str, Any] = error.get("ctx", {})
    match error["type"]:
        case "extra_forbidden":
            return Problem(*tree.key_place(path), f"unknown setting `{path[-1]}`", _meant(path))
        case "missing":
            hint = "add locale: en" if path == ("locale",) else f"add {path[-1]}:"
            return Problem(*tree.value_place(path), f"`{path[-1]}` is missing", hint)
        case "mistake":
            return _own_mistake(path, context, tree)
        case "literal_error":
            return Problem(*tree.value_place(path), *_not_a_word(path, error))
        case "string_pattern_mismatch":
            message = f"{name} should be three capital letters, not {_shown(error['input'])}"
            return Problem(*tree.value_place(path), message, "such as USD")
        case "too_short":
            return Problem(*tree.value_place(path), f"{name} should not be empty")
    kind = error["type"]
    bound = _BOUNDS.get(kind, "").format(**context)
    wanted = _KINDS.get(kind) or bound or error["msg"].removeprefix("Input should be ")
    if not path:
        return Problem(1, 1, "the file should hold settings, one `name: value` a line")
    message = f"{name} should be {wanted}, not {_shown(error['input'])}"
    meant = _SWITCHES.get(str(error["input"]).lower()) if kind == "bool_type" else None
    return Problem(*tree.value_place(path), message, f"write {meant}" if meant else None)


def _own_mistake(path: Path, context: dict[str, Any], tree: Tree) -> Problem:
    path = (*path, *context["at"])
    message = str(context["message"])
    if message.startswith("should "):
        message = f"{_name(path)} {message}"
    return Problem(*tree.value_place(path), message, context["hint"])


def _name(path: Path) -> str:
    """The setting of this path in words."""
    if path and isinstance(path[-1], int):
        return f"an entry of {_name(path[:-1])}"
    return f"`{path[-1]}`" if path else "the file"


def _not_a_word(path: Path, error: ErrorDetails) -> tuple[str, str | None]:
    words = [word.strip("'") for word in _split_words(error["ctx"]["expected"])]
    wanted = words[0] if len(words) == 1 else f"one of {', '.join(words)}"
    message = f"{_name(path)} should be {wanted}, not {_shown(error['input'])}"
    near = difflib.get_close_matches(str(error["input"]).lower(), words, n=1, cutoff=0.5)
    return message, f"did you mean `{near[0]}`?" if near else None


def _split_words(expected: str) -> list[str]:
    return expected.replace(" or ", ", ").split(", ")


def _shown(value: Any) -> str:
    """A value as the file says it, short."""
    match value:
        case None:
            return "nothing"
        case bool():
            return str(value).lower()
        case dict():
            return "a mapping"
        case list():
            return "a list"
    text = repr(value)
    return text if len(text) <= _SHOWN_CHARS else f"{text[:_SHOWN_CHARS]}…"


def _meant(path: Path) -> str | None:
    """What an unknown setting may have meant: a neighbour, or the same name in another section."""
    name = str(path[-1])
    neighbours = _fields(path[:-1])
    if near := difflib.get_close_matches(name, neighbours, n=1, cutoff=0.6):
        return f"did you mean `{near[0]}`?"
    sections = [
        key for key in Config.model_fields if name in _fields((key,)) and (key,) != path[:-1]
    ]
    if name in Config.model_fields and path[:-1]:
        return f"`{name}` belongs at the left margin"
    return f"`{name}` belongs under `{sections[0]}:`" if sections else None


def _fields(path: Path) -> list[str]:
    """The names of the settings in the section at this path."""
    section: type[BaseModel] | None = Config
    for part in path:
        if isinstance(part, str) and section is not None:
            field = section.model_fields.get(part)
            section = section_of(field.annotation) if field else None
    return list(section.model_fields) if section else []


def section_of(annotation: Any) -> type[BaseModel] | None:
    """The section that a setting holds, directly, or each in a list, or null."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    for inner in getattr(annotation, "__args__", ()):
        if (section := section_of(inner)) is not None:
            return section
    return None
