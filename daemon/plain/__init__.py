"""Standard modules as a hook needs them: each stands in for the one of its name, which takes long to import.

Together they spare a hook half of what a bare Python takes. They do what our own modules ask of them; for the
rest, and for the code of others, there are the real ones.
"""

from __future__ import annotations

import sys
from importlib import import_module

TYPE_CHECKING = False  # as from `typing`, which is not loaded for it
if TYPE_CHECKING:
    from types import ModuleType

_NAMES = ("typing", "dataclasses", "pathlib", "hashlib")


def stand_in() -> None:
    """Let whatever is imported from now on find our modules in place of those that are not loaded yet."""
    for name in _NAMES:
        if name not in sys.modules:
            sys.modules[name] = import_module(f"{__name__}.{name}")


def stand_down() -> None:
    """Let whatever is imported from now on find the real modules."""
    for name in _NAMES:
        real(name)


def real(name: str) -> ModuleType:
    """The real module, which whatever is imported from now on finds, too."""
    if sys.modules.get(name) is sys.modules.get(f"{__name__}.{name}"):
        sys.modules.pop(name, None)
    return import_module(name)
