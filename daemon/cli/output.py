"""stdout is the answer, stderr the rest: documents as JSON or as lines, errors with a way out."""

from __future__ import annotations

import json
import shutil
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TextIO

from memgardend.core.clean import printable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from rich.console import Console
    from rich.text import Text


def answer(
    document: dict[str, Any], lines: Callable[[int | None], Iterable[Text]], *, as_json: bool
) -> None:
    """Print the document: whole as JSON, or as the lines that fit the terminal's width (None: a pipe)."""
    if as_json:
        sys.stdout.write(json.dumps(document, ensure_ascii=False, indent=2) + "\n")
        return
    answer_more(lines)


def answer_more(lines: Callable[[int | None], Iterable[Text]]) -> None:
    """Print more lines of an answer that goes on, so that a reader has them at once."""
    console = console_on(sys.stdout)
    for line in lines(_width()):
        console.print(line, soft_wrap=True)
    sys.stdout.flush()


def _width() -> int | None:
    """The cells of the terminal; None where stdout is none."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


def console_on(stream: TextIO) -> Console:
    """A console that adds nothing of its own: no wrapping, no highlighting, colours only on a terminal."""
    from rich.console import Console

    return Console(file=stream, highlight=False, markup=False, emoji=False)


def say(text: str) -> None:
    """One plain line on stderr: progress, or what to do next. That nobody can read it stops no work."""
    with suppress(OSError):
        sys.stderr.write(text + "\n")


def report(message: str, hint: str | None, code: int, *, as_json: bool) -> int:
    """Print an error on stderr, as `error:` and `try:` or as a JSON object; returns the exit code."""
    if as_json:
        document = {"schema": 1, "type": "error", "code": code, "message": message, "hint": hint}
        say(json.dumps(document, ensure_ascii=False))
        return code
    console = console_on(sys.stderr)
    from rich.text import Text

    error = Text("error: ", "bold red").append(printable(message), "not bold default")
    console.print(error, soft_wrap=not console.is_terminal)
    if hint:
        console.print(Text("try: ", "bold").append(printable(hint), "not bold"), soft_wrap=True)
    return code
