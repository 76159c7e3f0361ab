"""`/dream`, typed to an agent: start the dream of the conversation, and tell the person instead of the model.

The hook becomes this program: claiming takes all of memgardend, and a person who asks for a dream can wait for it.
What goes wrong is a line in the log, as in the hook itself.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

from memgardend.daemon.hook import end_after

ACTOR = "hook"


def main() -> None:
    """`python -m memgardend.daemon.hook_dream AGENT WORKSPACE WINDOW`."""
    sys.excepthook = end_after  # first: what is imported may be half of an update
    from memgardend.core.agent_events import refusal
    from memgardend.core.errors import MemgardendError
    from memgardend.daemon.logs import configure_logs

    root, window = Path(sys.argv[2]), sys.argv[3]
    configure_logs(workspace=root)  # to the file: the agent reads stdout
    try:
        said = _dream(root, window)
    except MemgardendError as error:
        said = "\n".join(filter(None, (str(error), error.hint)))
    sys.stdout.write(json.dumps(refusal(said)))


def _dream(root: Path, window: str) -> str:
    """Read what was said so far, and claim the dream; what a person should know of it."""
    from memgardend.daemon.feed import ingest_workspace
    from memgardend.daemon.garden import find_workspace, open_garden
    from memgardend.daemon.tooling import tool_context
    from memgardend.jobs.tools import ToolName, call

    workspace = find_workspace(root)
    garden = open_garden(workspace, os.environ, feeding=True)
    try:
        ingest_workspace(workspace, garden)
        context = tool_context(garden, root, actor=ACTOR, origin=ACTOR, window=window)
        return call(ToolName.DREAM, {}, context).text
    finally:
        garden.store.close()


if __name__ == "__main__":
    main()
