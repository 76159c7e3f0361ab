"""What the daemon says about workspaces whose stores it cannot write to: a file in the state folder."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING

from memgardend.core.records import Owner
from memgardend.daemon.private_files import write_atomically
from memgardend.daemon.procfs import is_running
from memgardend.daemon.registry import resolved
from memgardend.jobs.look.outlook import Trouble

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

NAME = "daemon.json"


def write_troubles(folder: Path, owner: Owner, troubles: Mapping[Path, Trouble]) -> None:
    """Replace what was said before. Raises OSError."""
    listed = {str(root): asdict(trouble) for root, trouble in troubles.items()}
    document = {"owner": owner.text(), "troubles": listed}
    write_atomically(folder / NAME, json.dumps(document).encode())


def trouble_of(folder: Path, workspace: Path) -> Trouble | None:
    """Why the daemon that runs now cannot tend a workspace; None when it can, or none runs."""
    try:
        document = json.loads((folder / NAME).read_text("utf-8"))
        if not is_running(Owner.parse(document["owner"])):
            return None
        found = document["troubles"].get(str(resolved(workspace)))
        return None if found is None else Trouble(**found)
    except (OSError, ValueError, KeyError, AttributeError, TypeError):
        return None  # no daemon ever had any trouble, or the file is not ours
