"""Where log events go: to the log on disk, and to stderr, for a person on a terminal or as JSON lines."""

from __future__ import annotations

import json
import logging
import os
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import structlog

from memgardend.core.clean import clean
from memgardend.core.mask import mask
from memgardend.core.times import rfc3339
from memgardend.daemon.clock import clock as clock_of
from memgardend.daemon.log_file import log_file
from memgardend.daemon.log_repeats import Repeats

if TYPE_CHECKING:
    from collections.abc import MutableMapping
    from pathlib import Path

    from memgardend.core.clock import Clock
    from memgardend.daemon.log_file import LogFile

    Entry = MutableMapping[str, Any]


class _Stderr:
    """A line each. That nobody can read it (a full disk, a closed pipe) stops no dream."""

    def msg(self, line: str) -> None:
        with suppress(OSError):
            sys.stderr.write(line + "\n")

    debug = info = warning = error = critical = msg


def configure_logs(
    *, verbose: bool = False, workspace: Path | None = None, rehearsal: bool = False
) -> None:
    """Keep every event in the log on disk, and with `verbose` say them on stderr, too.

    Without it a command's own screen tells a person what happened, and `memgardend logs` the rest.

    `workspace`: the only one that this process works on; its name then stands in each event. So does that it is a
    `rehearsal`, whose dreams nobody finds in a store.
    """
    if workspace is not None:
        structlog.contextvars.bind_contextvars(workspace=str(workspace))
    if rehearsal:
        structlog.contextvars.bind_contextvars(dry_run=True)
    clock = clock_of(os.environ)
    on_terminal = sys.stderr.isatty()
    renderer: structlog.typing.Processor = (
        structlog.dev.ConsoleRenderer() if on_terminal else structlog.processors.JSONRenderer()
    )
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            _Stamp(clock),
            structlog.processors.format_exc_info,
            tidy,
            Repeats(clock),
            _Keep(log_file()),
            renderer if verbose else _drop,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=lambda *_: _Stderr(),
    )


def tidy(_logger: object, _method: str, entry: Entry) -> Entry:
    """No secrets, and nothing that drives a terminal: paths and errors come from outside."""
    for name, value in entry.items():
        entry[name] = _tidy(value)
    return entry


def _tidy(value: object) -> object:
    if isinstance(value, str):
        return clean(mask(str(value)))
    if isinstance(value, list | tuple | set | frozenset):
        return [_tidy(one) for one in value]
    if isinstance(value, dict):
        return {str(name): _tidy(one) for name, one in value.items()}
    return value if isinstance(value, int | float | None) else clean(mask(str(value)))


class _Stamp:
    """Our time, which a test may drive."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock

    def __call__(self, _logger: object, _method: str, entry: Entry) -> Entry:
        entry["timestamp"] = rfc3339(self._clock.now_ms())
        return entry


class _Keep:
    """Writes each event to the log on disk, and hands it on."""

    def __init__(self, file: LogFile) -> None:
        self._file = file

    def __call__(self, _logger: object, _method: str, entry: Entry) -> Entry:
        self._file.append(json.dumps(entry, ensure_ascii=False))
        return entry


def _drop(_logger: object, _method: str, _entry: Entry) -> Entry:
    raise structlog.DropEvent
