"""Keep the resident process small: and hooks fast, without the modules that they never use."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from importlib import import_module
from importlib.machinery import PathFinder
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_OPTIONAL = ("rich", "ssl")
"""Packages do without them where they are not installed, and for what a daemon needs of those nothing is lost:
structlog takes rich for tracebacks in colours, which our log lines never show; asyncio, which structlog and
APScheduler import for coroutines, takes ssl, but nothing here speaks over a network. 5 MiB."""
STEMMERS = "snowballstemmer"
"""Its stemmers are modules of their own; the package itself imports those of all languages, 3 MiB."""


@contextmanager
def lean_imports() -> Iterator[None]:
    """What is imported meanwhile finds some modules not installed; afterwards they can be imported as ever.

    `None` in `sys.modules` is the documented way to say so (Python's reference, section 5.3.1).
    """
    absent = [name for name in _OPTIONAL if name not in sys.modules]
    without(*absent)
    hollow(STEMMERS)
    try:
        yield
    finally:
        for name in absent:
            del sys.modules[name]


def spare_openssl() -> None:
    """Hash as Python does by itself, before anything asks for a hash: OpenSSL's take 3 MiB and 3 ms.

    A Python that is built for FIPS has just those, and keeps them.
    """
    try:
        import_module("_sha2" if sys.version_info >= (3, 12) else "_sha256")
    except ImportError:
        return
    without("_hashlib")


def hollow(*names: str) -> None:
    """Have modules without what their own code would do: of a package just the place of what is in it."""
    for name in names:
        spec = PathFinder.find_spec(name)
        if spec is not None and name not in sys.modules:
            sys.modules[name] = module = ModuleType(name)
            module.__spec__ = spec
            module.__path__ = spec.submodule_search_locations or []


def without(*names: str) -> None:
    """Have modules seem not installed from now on."""
    for name in names:
        sys.modules.setdefault(name, None)  # type: ignore[arg-type]
