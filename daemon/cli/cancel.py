"""`memgardend cancel DREAM`."""

from __future__ import annotations

from memgardend.daemon.cli.options import JsonOption, OpenDreamArgument, WorkspaceOption
from memgardend.daemon.cli.output import answer


def cancel(
    dream: OpenDreamArgument, workspace: WorkspaceOption = None, as_json: JsonOption = False
) -> None:
    """End an open dream without applying it.

    Its window stays due: to keep it from being dreamed again, skip it. Exit code 1 when the dream has ended.
    """
    from pathlib import Path

    from rich.text import Text

    from memgardend.daemon.cli.opening import looking
    from memgardend.daemon.logs import configure_logs
    from memgardend.daemon.process import end_marked
    from memgardend.jobs.cancelling import cancel_dream
    from memgardend.jobs.look import find_dream

    with looking(workspace) as place:
        configure_logs(workspace=Path(place.outlook.workspace))
        cancelled = cancel_dream(
            place.store,
            find_dream(place.store, dream),
            place.clock,
            lambda run: end_marked(run, clock=place.clock),
        )
    document = {
        "schema": 1,
        "dream": cancelled.id,
        "window": cancelled.window,
        "was": str(cancelled.state),
    }
    says = f"{cancelled.id} was {cancelled.state} and is cancelled; {cancelled.window} stays due."
    answer(document, lambda _: [Text(says)], as_json=as_json)
