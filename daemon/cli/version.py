"""`memgardend version`."""

from __future__ import annotations

from importlib import metadata

from memgardend.daemon.cli.options import JsonOption, WorkspaceOption
from memgardend.daemon.cli.output import answer


def version(workspace: WorkspaceOption = None, as_json: JsonOption = False) -> None:
    """The versions of memgardend and of what its answers depend on."""
    import platform

    from rich.text import Text

    from memgardend.config.zones import tzdata_version
    from memgardend.daemon.store import sqlite_version

    versions = {
        "memgardend": installed(),
        "python": platform.python_version(),
        "sqlite": sqlite_version(),
        "tzdata": tzdata_version().removeprefix("tzdata "),
    }
    answer(
        {"schema": 1, **versions},
        lambda _: [Text(f"{name} {number}") for name, number in versions.items()],
        as_json=as_json,
    )


def installed() -> str:
    """Our own version, as installed."""
    return metadata.version("memgardend")
