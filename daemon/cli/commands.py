"""Commands and groups of them whose help names what to type, never a type."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer
from typer.core import TyperCommand, TyperGroup

if TYPE_CHECKING:
    from collections.abc import Callable


class _Plain:
    """Typer writes types: `<bool>` after a flag, `<str>` after an option, `<list[str]>` beside an argument."""

    def get_params(self, ctx: Any) -> list[Any]:
        params: list[Any] = super().get_params(ctx)  # type: ignore[misc]
        for param in params:
            if param.param_type_name == "argument":
                param.display_type_rich = _no_type
            elif param.metavar is None:
                param.metavar = "" if param.is_flag else param.name.upper()
        return params


def _no_type(ctx: Any) -> None:
    """The name of an argument says what to type."""


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
