"""Where log events go: to stderr, as lines for a person on a terminal and as JSON lines elsewhere."""

from __future__ import annotations

import logging
import sys
from contextlib import suppress

import structlog


class _Stderr:
    """A line each. That nobody can read it (a full disk, a closed pipe) stops no dream."""

    def msg(self, line: str) -> None:
        with suppress(OSError):
            sys.stderr.write(line + "\n")

    debug = info = warning = error = critical = msg


def configure_logs(*, verbose: bool = False) -> None:
    """Log warnings, or with `verbose` every event, to stderr."""
    on_terminal = sys.stderr.isatty()
    renderer: structlog.typing.Processor = (
        structlog.dev.ConsoleRenderer() if on_terminal else structlog.processors.JSONRenderer()
    )
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(
            logging.INFO if verbose else logging.WARNING
        ),
        logger_factory=lambda *_: _Stderr(),
    )
