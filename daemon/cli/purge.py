"""`memgardend purge MEMORY`."""

from __future__ import annotations

import shlex
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from memgardend.core.errors import UsageError
from memgardend.daemon.cli.options import JsonOption, MemoryArgument, WorkspaceOption
from memgardend.daemon.cli.output import answer

if TYPE_CHECKING:
    from rich.text import Text

_SAYS = (
    "is deleted, with its history, its quotes and what dreams said of it. The conversation that it came from, "
    "and copies made before, are as they were."
)


def purge(
    memory: MemoryArgument,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Delete a memory for good, after you have typed its id.

    Nothing brings it back; `archive` keeps what is no longer true.
    """
    from memgardend.daemon.cli.by_hand import tooling
    from memgardend.jobs.look import find_memory
    from memgardend.jobs.tools.looking import entry_of
    from memgardend.jobs.tools.purge import purge as delete

    with tooling(workspace) as (context, where):
        found = find_memory(context.garden.store, memory)
        if not yes:
            said = entry_of(context, found).memory.content
            _ask(found, memory, said, where, as_json=as_json)
        purged = delete(context, found)
    document = {"schema": 1, "memory": found, "purged": purged}
    answer(document, lambda width: _lines(document, width), as_json=as_json)


def _ask(memory_id: str, given: str, content: str, where: str, *, as_json: bool) -> None:
    """Come back only when the id was typed. Raises UsageError when nobody can be asked, or something else was."""
    from memgardend.core.clean import printable
    from memgardend.core.mask import mask
    from memgardend.daemon.cli.output import say

    hint = f"memgardend purge {shlex.quote(given)} --yes{where}"
    if as_json or not sys.stdin.isatty():
        raise UsageError(f"purging {memory_id} wants a yes", hint=hint)
    say(printable(mask(content)))
    if typer.prompt(f"Type {memory_id[:13]} to delete it for good", err=True) != memory_id[:13]:
        raise UsageError("that is another id; nothing was deleted", hint=hint)


def _lines(document: dict[str, Any], width: int | None) -> list[Text]:
    from memgardend.daemon.screens.text import paragraph

    says = _SAYS if document["purged"] else "was gone already."
    return paragraph(f"{document['memory']} {says}", width)
