"""Show a document again and again: in place on a terminal, one after the other elsewhere."""

from __future__ import annotations

import json
import shutil
import sys
from typing import TYPE_CHECKING, Any, NoReturn

from memgardend.core.clock import SystemClock
from memgardend.daemon.cli.output import console_on

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rich.console import Console
    from rich.text import Text

    Lines = Callable[[int | None], Sequence[Text]]

# ECMA-48: the cursor to the upper left; erase to the end of the line; erase to the end of the screen.
_HOME, _END_OF_LINE, _END_OF_SCREEN = "\x1b[H", "\x1b[K", "\x1b[J"


def show_again(
    read: Callable[[], tuple[dict[str, Any], Lines]], seconds: float, *, as_json: bool
) -> NoReturn:
    """Until somebody interrupts. With `as_json` each document is one line."""
    console = console_on(sys.stdout)
    while True:
        document, lines = read()
        if as_json:
            sys.stdout.write(json.dumps(document, ensure_ascii=False) + "\n")
        elif console.is_terminal and not console.is_dumb_terminal:
            _draw(console, lines)
        else:
            for line in lines(None):
                console.print(line, soft_wrap=True)
            console.print()
        sys.stdout.flush()
        SystemClock().sleep(seconds)  # whoever watches lives in real time


def _draw(console: Console, lines: Lines) -> None:
    """Write over what was there, line by line: erasing all of it first would flicker."""
    size = shutil.get_terminal_size()
    shown = lines(size.columns)
    room = size.lines - 1
    sys.stdout.write(_HOME)
    for line in shown[: room - 1] if len(shown) > room else shown:
        console.print(line, soft_wrap=True, end="")
        sys.stdout.write(f"{_END_OF_LINE}\n")
    if len(shown) > room:
        sys.stdout.write(f"… {len(shown) - room + 1} more lines{_END_OF_LINE}\n")
    sys.stdout.write(_END_OF_SCREEN)
