"""Every setting with its documentation, and where each value of a file comes from."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

from memgardend.config.load import FILENAME
from memgardend.config.mistakes import section_of
from memgardend.config.model import Config
from memgardend.config.yaml_tree import read_yaml

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memgardend.config.yaml_tree import Path, Tree

DEFAULT = "default"


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting: its name with dots, what it may be changed to say, and its documentation."""

    key: str
    default: Any  # None where one must be given
    doc: str
    required: bool = False


@dataclass(frozen=True, slots=True)
class Origin:
    """One value in force: `origin` is `memgarden.yaml:LINE` or `default`."""

    key: str
    value: Any
    origin: str
    doc: str


def settings(section: type[BaseModel] = Config, prefix: str = "") -> Iterator[Setting]:
    """Every setting and section, in the order of the documentation. Entries of lists are `name[].…`."""
    for name, field in section.model_fields.items():
        key = f"{prefix}{name}"
        default = None if field.is_required() else _plain(field.default)
        doc = " ".join((field.description or "").split())
        yield Setting(key, default, doc, field.is_required())
        inner = section_of(field.annotation)
        if inner is not None:
            listed = isinstance(field.default, tuple) or "tuple" in str(field.annotation)
            yield from settings(inner, f"{key}[]." if listed else f"{key}.")


def origins(text: str, config: Config) -> list[Origin]:
    """Every value in force and where it comes from; `text` is the file that `config` was read from."""
    return list(_origins(config, (), read_yaml(text)))


def schema_text() -> str:
    """The JSON schema that editors check memgarden.yaml against."""
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **Config.model_json_schema(),
    }
    return json.dumps(_unwrapped(schema), indent=2, ensure_ascii=False) + "\n"


def _unwrapped(schema: Any) -> Any:
    """The schema with each description on one line, as editors show line breaks."""
    if isinstance(schema, list):
        return [_unwrapped(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        key: " ".join(part.split())
        if key == "description" and isinstance(part, str)
        else _unwrapped(part)
        for key, part in schema.items()
    }


def _origins(section: BaseModel, path: Path, tree: Tree) -> Iterator[Origin]:
    for name, field in type(section).model_fields.items():
        inner = (*path, name)
        value = getattr(section, name)
        if isinstance(value, BaseModel):
            yield from _origins(value, inner, tree)
        else:
            doc = " ".join((field.description or "").split())
            yield Origin(".".join(map(str, inner)), _plain(value), _origin(inner, tree), doc)


def _origin(path: Path, tree: Tree) -> str:
    """The line of the setting, or of the short form that stands for its whole section."""
    for length in range(len(path), 0, -1):
        place = tree.keys.get(path[:length])
        if place is not None and (length == len(path) or not tree.is_mapping(path[:length])):
            return f"{FILENAME}:{place[0]}"
    return DEFAULT


def _plain(value: Any) -> Any:
    """A value as JSON can say it."""
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json")
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)
