"""Find and read memgarden.yaml, and point at every mistake by line and column."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from pydantic import ValidationError

from memgardend.config.mistakes import problem_of
from memgardend.config.model import Config
from memgardend.config.yaml_tree import Problem, read_yaml
from memgardend.core.errors import ConfigError

if TYPE_CHECKING:
    from pathlib import Path

FILENAME = "memgarden.yaml"

__all__ = ["FILENAME", "Problem", "check", "find", "load", "read_text"]


def find(start: Path) -> Path | None:
    """The nearest memgarden.yaml in this folder or around it, as git finds its repository.

    Raises ConfigError when the folder is told from the current one, and that is gone.
    """
    try:
        around = start.absolute()
    except FileNotFoundError:
        raise ConfigError("the current folder is gone", hint='cd "$HOME"') from None
    for folder in (around, *around.parents):
        file = folder / FILENAME
        if file.is_file():
            return file
    return None


def check(text: str) -> tuple[Config | None, list[Problem]]:
    """The settings, or all that is wrong with the text, in its order. Never raises."""
    tree = read_yaml(text)
    problems = list(tree.problems)
    config = None
    if tree.value is None and not problems:
        problems.append(Problem(1, 1, "`locale` is missing", "add locale: en"))
    elif tree.value is not None:
        try:
            config = Config.model_validate(tree.value)
        except ValidationError as error:
            told = {(problem.line, problem.column) for problem in problems}
            found = [problem_of(mistake, tree) for mistake in error.errors()]
            problems += [new for new in found if (new.line, new.column) not in told]
    unique = sorted(set(problems), key=lambda problem: (problem.line, problem.column))
    return (None if unique else config), unique


def load(path: Path) -> Config:
    """The settings of a file. Raises ConfigError at the first problem, saying how many more there are."""
    config, problems = check(read_text(path))
    if config is not None:
        return config
    first, more = problems[0], len(problems) - 1
    others = f" (and {more} more problem{'s' if more > 1 else ''})" if more else ""
    raise ConfigError(
        f"{path}:{first.line}:{first.column}: {first.message}{others}",
        hint=f"memgardend config check -w {shlex.quote(str(path.parent))}",
    )


def read_text(path: Path) -> str:
    """The text of a settings file. Raises ConfigError when there is none, or it cannot be read."""
    try:
        return path.read_text("utf-8-sig")
    except FileNotFoundError:
        raise ConfigError(
            f"no {path.name} in {path.parent}",
            hint=f"memgardend init -w {shlex.quote(str(path.parent))}",
        ) from None
    except UnicodeDecodeError as error:
        raise ConfigError(
            f"{path} is not UTF-8 at byte {error.start}", hint=f"file {shlex.quote(str(path))}"
        ) from None
    except OSError as error:
        raise ConfigError(
            f"{path} cannot be read: {error.strerror}", hint=f"ls -ld {shlex.quote(str(path))}"
        ) from None
