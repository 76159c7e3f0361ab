"""Where log events go: to stderr, as lines for a person on a terminal and as JSON lines elsewhere."""

from __future__ import annotations

import logging
import sys

import structlog


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
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )
