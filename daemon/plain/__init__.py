"""Standard modules as a hook needs them: each stands in for the one of its name, which takes long to import.

Together they spare a hook half of what a bare Python takes. They do what our own modules ask of them; for the
rest, and for the code of others, there are the real ones.
"""

from __future__ import annotations

import sys
from contextlib import contextmanager
from importlib import import_module

TYPE_CHECKING = False  # as from `typing`, which is not loaded for it
if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

_NAMES = ("typing", "dataclasses", "pathlib")
_ours: dict[str, ModuleType] = {}
_real: dict[str, ModuleType] = {}


def stand_in() -> None:
    """Let whatever is imported from now on find our modules in place of those that are not loaded yet."""
    for name in _NAMES:
        if name not in sys.modules:
            sys.modules[name] = _ours[name] = import_module(f"{__name__}.{name}")


@contextmanager
def aside() -> Iterator[None]:
    """What is imported meanwhile finds the real modules; then ours are back, as records of both do not mix."""
    if any(sys.modules.get(name) is not module for name, module in _ours.items()):
        yield  # they stand aside already
        return
    for name in _ours:
        del sys.modules[name]
    sys.modules.update(_real)
    try:
        yield
    finally:
        _real.update({name: sys.modules[name] for name in _ours if name in sys.modules})
        sys.modules.update(_ours)


def real(name: str) -> ModuleType:
    """The real module."""
    with aside():
        return import_module(name)
