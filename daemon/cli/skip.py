"""`memgardend skip WINDOW` and `memgardend unskip WINDOW`."""

from __future__ import annotations

from pathlib import Path

from memgardend.daemon.cli.options import JsonOption, WindowArgument, WorkspaceOption
from memgardend.daemon.cli.output import answer


def skip(
    window: WindowArgument, workspace: WorkspaceOption = None, as_json: JsonOption = False
) -> None:
    """Keep a window from being dreamed automatically.

    `memgardend dream WINDOW` still works.
    """
    _set_skip(window, workspace, True, as_json=as_json)


def unskip(
    window: WindowArgument, workspace: WorkspaceOption = None, as_json: JsonOption = False
) -> None:
    """Let a skipped window be dreamed automatically again."""
    _set_skip(window, workspace, False, as_json=as_json)


def _set_skip(text: str, workspace: Path | None, skipped: bool, *, as_json: bool) -> None:
    from rich.text import Text

    from memgardend.daemon.cli.opening import looking
    from memgardend.daemon.doorbell import ring
    from memgardend.jobs.look import find_window

    with looking(workspace) as place:
        window_id = find_window(place.store, text)
        changed = place.store.set_skip(window_id, skipped)
    ring(Path(place.outlook.workspace))
    document = {"schema": 1, "window": window_id, "skip": skipped, "changed": changed}
    says = {
        (True, True): "is skipped",
        (True, False): "is skipped already",
        (False, True): "is no longer skipped",
        (False, False): "was not skipped",
    }[skipped, changed]
    answer(document, lambda _: [Text(f"{window_id} {says}.")], as_json=as_json)
