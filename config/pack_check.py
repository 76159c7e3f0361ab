"""Every mistake in the prompt packs and their overrides, each with its place and a way out."""

from __future__ import annotations

import json
import shlex
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING

from memgardend.config.load import check
from memgardend.config.packs import (
    EXAMPLE,
    SUFFIX,
    Pack,
    built_in,
    inside,
    override_folders,
    packs_in,
    read_text,
)
from memgardend.config.yaml_tree import Problem, read_yaml
from memgardend.core.display import LABELS
from memgardend.core.errors import ConfigError
from memgardend.core.recall.texts import RECALL_TEXTS
from memgardend.core.slots import (
    LABELS_SLOT,
    RECALL_SLOT,
    SLOTS,
    SPEAKERS,
    TOOLS_SLOT,
    known_placeholders,
)
from memgardend.core.template import labels, parse_labels, placeholders
from memgardend.core.tools.texts import TOOL_TEXTS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from importlib.resources.abc import Traversable
    from pathlib import Path

_LABELS = {LABELS_SLOT: LABELS, TOOLS_SLOT: TOOL_TEXTS, RECALL_SLOT: RECALL_TEXTS}
"""The slots that are lists of labels, with the names in each."""


@dataclass(frozen=True, slots=True)
class PackProblem:
    """What is wrong in a line of a file, or (line None) with a file or folder as a whole."""

    file: str
    line: int | None
    message: str
    hint: str | None = None

    @property
    def place(self) -> str:
        """The file, with the line where there is one."""
        return self.file if self.line is None else f"{self.file}:{self.line}"


def check_packs(
    workspace_dir: Path | None = None, user_dir: Path | None = None, locale: str | None = None
) -> list[PackProblem]:
    """What is wrong with the packs in all folders: files, slots, placeholders, labels.

    `locale`: the pack that must be there. Overrides may hold some slots of a built-in pack; the slots of a
    new locale may lie in the workspace's and the user's folder together.
    """
    folders = [built_in(), *override_folders(workspace_dir, user_dir).values()]
    packs = [pack for folder in folders for pack in packs_in(folder)]
    problems = [one for folder in folders for one in _loose_files(folder)]
    problems += [one for pack in packs for one in _check_files(pack)]
    places = {pack.name: pack for pack in reversed(packs)}
    for name in sorted({*places, *([locale] if locale else [])}):
        pack = Pack(name, workspace_dir, user_dir)
        problems += _missing(pack, places.get(name) or folders[-1] / name)
    return problems


def name_problem(locale: str) -> Problem | None:
    """Why settings cannot name this locale; None where they can."""
    _, problems = check(f"locale: {json.dumps(locale)}")
    return problems[0] if problems else None


def locale_problem(text: str, pack: Pack) -> list[Problem]:
    """What is wrong with the locale that a settings file names: there is no whole pack of it."""
    try:
        pack.require()
    except ConfigError as error:
        return [Problem(*read_yaml(text).value_place(("locale",)), str(error), error.hint)]
    return []


def _missing(pack: Pack, place: Path | Traversable) -> Iterator[PackProblem]:
    misnamed, missing = name_problem(pack.locale), pack.missing()
    if misnamed:
        yield PackProblem(str(place), None, misnamed.message, misnamed.hint)
    elif len(missing) == len(SLOTS):
        yield PackProblem(str(place), None, pack.absent(), pack.way_to_begin())
    elif missing:
        files = [shlex.quote(str(_example(pack.locale, name))) for name in missing]
        hint = f"cp {' '.join(files)} {shlex.quote(str(place))}  # then translate"
        yield PackProblem(str(place), None, f"slots are missing: {', '.join(missing)}", hint)


def _loose_files(folder: Path | Traversable) -> Iterator[PackProblem]:
    """Texts that nobody reads, since they lie beside the packs."""
    for file in inside(folder):
        if file.is_file():
            hint = f"move it into the folder of its locale, such as {EXAMPLE}/"
            yield PackProblem(str(file), None, "no pack holds this file, so it is not read", hint)


def _check_files(pack: Path | Traversable) -> Iterator[PackProblem]:
    for file in inside(pack):
        name = file.name.removesuffix(SUFFIX)
        if name in SLOTS and file.name != name:
            yield from _check_slot(pack.name, name, file)
        else:
            near = get_close_matches(file.name.partition(".")[0].lower(), SLOTS, n=1)
            names = ", ".join(f"{slot}{SUFFIX}" for slot in near or SLOTS)
            hint = f"did you mean {names}?" if near else f"slots: {names}"
            yield PackProblem(str(file), None, "this is no slot, so it is not read", hint)


def _check_slot(locale: str, name: str, file: Path | Traversable) -> Iterator[PackProblem]:
    try:
        text = read_text(file)
    except ConfigError as error:
        yield PackProblem(str(file), None, str(error), error.hint)
        return
    if not text.strip():
        hint = f"rm {shlex.quote(str(file))}"
        yield PackProblem(str(file), None, "it is empty: the prompt would lack this part", hint)
        return
    problems = [*_placeholder_problems(locale, name, text)]
    problems += _label_problems(locale, name, text) if name in _LABELS else []
    for line, message, hint in sorted(problems, key=lambda one: one[0]):
        yield PackProblem(str(file), line, message, hint)


_Found = tuple[int, str, str]


def _placeholder_problems(locale: str, name: str, text: str) -> Iterator[_Found]:
    used, known = placeholders(text), known_placeholders(name)
    for one in used:
        if one.name not in known:
            hint = _did_you_mean(one.name, known, "{{{{{}}}}}".format)
            yield one.line, f"unknown placeholder {{{{{one.name}}}}}", hint
    for missing in sorted(SLOTS[name] - {one.name for one in used}):
        hint = f"see how the built-in text uses it: {_example(locale, name)}"
        yield 1, f"missing placeholder {{{{{missing}}}}}", hint


def _label_problems(locale: str, slot: str, text: str) -> Iterator[_Found]:
    known = _LABELS[slot]
    said: dict[str, int] = {}
    for label in labels(text):
        if not label.name:
            yield label.line, f"not a label: {label.text}", "write `name = text`"
        elif label.name not in known:
            hint = _did_you_mean(label.name, known, str)
            yield label.line, f"unknown label `{label.name}`", hint
        elif label.name in said:
            hint = f"keep one; the other stands in line {said[label.name]}"
            yield label.line, f"label `{label.name}` is said twice", hint
        elif label.name in SPEAKERS and placeholders(label.text):
            hint = "write the word itself"
            yield label.line, f"label `{label.name}` is the value of a placeholder", hint
        said.setdefault(label.name, label.line)
    example = parse_labels(read_text(_example(locale, slot)), slot)
    for missing in sorted(known - said.keys()):
        yield 1, f"missing label `{missing}`", f"add a line: {missing} = {example[missing]}"


def _did_you_mean(name: str, known: Iterable[str], written: Callable[[str], str]) -> str:
    choices = sorted(known)
    near = get_close_matches(name, choices, n=1)
    if near:
        return f"did you mean {written(near[0])}?"
    return f"known: {', '.join(map(written, choices))}"


def _example(locale: str, slot: str) -> Traversable:
    """The built-in text of a slot, in the same language where there is one."""
    file = built_in() / locale / f"{slot}{SUFFIX}"
    return file if file.is_file() else built_in() / EXAMPLE / f"{slot}{SUFFIX}"
