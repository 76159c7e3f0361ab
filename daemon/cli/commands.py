"""Commands and groups of them whose help names no type beside a flag."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer
from typer.core import TyperCommand, TyperGroup

if TYPE_CHECKING:
    from collections.abc import Callable


class _Plain:
    """Typer writes a type after each option, `<bool>` after a flag, which takes no value."""

    def get_params(self, ctx: Any) -> list[Any]:
        params: list[Any] = super().get_params(ctx)  # type: ignore[misc]
        for param in params:
            if getattr(param, "is_flag", False) and param.metavar is None:
                param.metavar = ""
        return params


class _Command(_Plain, TyperCommand):
    pass


class _Group(_Plain, TyperGroup):
    pass


class Commands(typer.Typer):
    """A group of commands; without an argument it prints its help."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(cls=_Group, no_args_is_help=True, **settings)

    def command(self, *names: Any, **settings: Any) -> Callable[..., Any]:
        """Register a command, as typer does."""
        return super().command(*names, cls=_Command, **settings)
