"""The page of the library's names, written from their docstrings."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

import memgardend
from memgardend.core.editorial.mounted.records import Records

if TYPE_CHECKING:
    from collections.abc import Iterator

CLASSES = {
    "GardenComponent": memgardend.GardenComponent,
    "MountedGarden": memgardend.MountedGarden,
    "MountedGarden.records": Records,
}
"""What one works with, method by method."""
CONSTANTS = {"FULL_CAPABILITIES": "The capabilities of a store that can do everything."}
TOP = """\
# Names of the library

`from memgardend import …`; [how they go together](../library.md). Importing one loads what it needs: no
daemon, and none of its packages.
"""


def library_page() -> str:
    """Every name that `memgardend` offers, and the methods of the objects that one works with."""
    rows = [f"| `{name}` | {_first(name)} |" for name in memgardend.__all__]
    parts = [TOP, "\n".join(["| name | |", "|---|---|", *rows, ""])]
    for name, kind in CLASSES.items():
        parts.append("\n".join([f"## {name}\n", "| method | |", "|---|---|", *_methods(kind), ""]))
    return "\n".join(parts)


def _first(name: str) -> str:
    return CONSTANTS.get(name) or _sentence(getattr(memgardend, name))


def _methods(kind: type) -> Iterator[str]:
    members = {name: one for base in kind.__mro__[:-1] for name, one in vars(base).items()}
    for name, member in members.items():
        if name.startswith("_") or not callable(member):
            continue
        asked = [_parameter(one) for one in inspect.signature(member).parameters.values()][1:]
        yield f"| `{name}({', '.join(asked)})` | {_sentence(member)} |"


def _parameter(one: inspect.Parameter) -> str:
    return one.name if one.default is inspect.Parameter.empty else f"{one.name}=…"


def _sentence(documented: Any) -> str:
    """The first paragraph of a docstring, on one line."""
    return " ".join((inspect.getdoc(documented) or "").partition("\n\n")[0].split())
