"""`memgardend show DREAM`."""

from __future__ import annotations

from memgardend.daemon.cli.options import DreamArgument, JsonOption, WorkspaceOption
from memgardend.daemon.cli.output import answer


def show(
    dream: DreamArgument, workspace: WorkspaceOption = None, as_json: JsonOption = False
) -> None:
    """One dream whole: rounds, changes with their proof, refusals, receipts."""
    from memgardend.daemon.cli.opening import looking
    from memgardend.daemon.screens.dreams import show_lines
    from memgardend.jobs.look import show_document

    with looking(workspace) as place:
        document = show_document(place.store, dream)
        now = place.instant(None)
    answer(document, lambda width: show_lines(document, place.view(now, width)), as_json=as_json)
