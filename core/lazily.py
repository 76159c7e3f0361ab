"""Packages that import what they offer when it is first asked for: a hook pays for no more than it uses."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


def lazily(package: str, names: Mapping[str, str]) -> Callable[[str], object]:
    """The `__getattr__` of a package (PEP 562). `names`: what each of its modules offers, words in one text.

    A module of another package is named in full.
    """
    homes = {name: module for module, offered in names.items() for name in offered.split()}

    def find(name: str) -> object:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        home = homes[name] if "." in homes[name] else f"{package}.{homes[name]}"
        value: object = getattr(import_module(home), name)
        setattr(sys.modules[package], name, value)
        return value

    return find
