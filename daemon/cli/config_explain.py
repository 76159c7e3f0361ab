"""`memgardend config explain [KEY]`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from memgardend.daemon.cli.options import JsonOption, WorkspaceOption
from memgardend.daemon.cli.output import answer

if TYPE_CHECKING:
    from memgardend.config.settings import Setting


def keys(incomplete: str) -> list[str]:
    """Settings that go on from the text."""
    from memgardend.config.settings import settings

    return [one.key for one in settings() if one.key.startswith(incomplete)]


def explain(
    key: Annotated[
        str | None,
        typer.Argument(
            metavar="KEY",
            help="A setting such as dream.idle_minutes, or a section. Default: all.",
            autocompletion=keys,
        ),
    ] = None,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """What a setting means, and its default."""
    from memgardend.daemon.screens.config import explain_lines

    document = {
        "schema": 1,
        "settings": [
            {
                "key": one.key,
                "default": one.default,
                "required": one.required,
                "doc": one.doc,
            }
            for one in _chosen(key)
        ],
    }
    answer(document, lambda width: explain_lines(document, width), as_json=as_json)


def _chosen(key: str | None) -> list[Setting]:
    """The setting, or the section with all that is in it. Raises UsageError, naming the nearest."""
    import shlex
    from difflib import get_close_matches

    from memgardend.config.settings import settings
    from memgardend.core.errors import UsageError

    every = list(settings())
    if key is None:
        return every
    within = (f"{key}.", f"{key}[].")
    found = [one for one in every if one.key == key or one.key.startswith(within)]
    if not found:
        near = get_close_matches(key, [one.key for one in every], n=1, cutoff=0.5)
        hint = (
            f"memgardend config explain {shlex.quote(near[0])}"
            if near
            else "memgardend config explain"
        )
        raise UsageError(f"no setting `{key}`", hint=hint)
    return found
