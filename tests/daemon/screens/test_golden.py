"""Every screen, line by line, narrow, usual, wide and on a pipe.

`UPDATE_GOLDEN=1 python -m pytest tests/daemon/screens` writes them anew; read the difference before you keep it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from rich.cells import cell_len
from rich.text import Text

from memgardend.daemon.screens.capture import capture_lines
from memgardend.daemon.screens.diff import diff_lines, stat_lines
from memgardend.daemon.screens.dreams import dreams_lines, show_lines
from memgardend.daemon.screens.importing import import_lines
from memgardend.daemon.screens.logs import logs_lines
from memgardend.daemon.screens.manifest import manifest_lines
from memgardend.daemon.screens.memories import history_lines, memories_lines, proof_lines
from memgardend.daemon.screens.recalls import recalls_lines
from memgardend.daemon.screens.remembered import (
    panorama_lines,
    remembered_lines,
    updated_lines,
)
from memgardend.daemon.screens.retry import retry_lines
from memgardend.daemon.screens.status import status_lines
from memgardend.daemon.screens.times import View
from memgardend.daemon.screens.windows import why_lines, windows_lines
from support import documents

GOLDEN = Path(__file__).parent / "golden"
WIDTHS = {"40": 40, "80": 80, "120": 120, "pipe": None}

Screen = Callable[[View], Sequence[Text]]
SCREENS: dict[str, Screen] = {
    "status": lambda view: status_lines(documents.status(), view, "0.1.0"),
    "status-alarms": lambda view: status_lines(documents.alarms(), view, "0.1.0"),
    "status-troubled": lambda view: status_lines(documents.troubled(), view, "0.1.0"),
    "status-edited": lambda view: status_lines(documents.edited(), view, "0.1.0"),
    "status-empty": lambda view: status_lines(documents.nothing(), view, "0.1.0"),
    "windows": lambda view: windows_lines({"windows": documents.windows()}, view),
    "why": lambda view: why_lines(documents.why(), view),
    "why-failed": lambda view: why_lines(documents.why_failed(), view),
    "why-old": lambda view: why_lines(documents.why_old(), view),
    "dreams": lambda view: dreams_lines({"dreams": documents.dreams()}, view),
    "show": lambda view: show_lines(documents.show(), view),
    "diff": lambda view: diff_lines(documents.diff(), view),
    "diff-stat": lambda view: stat_lines(documents.diff(), view),
    "diff-nothing": lambda view: diff_lines(documents.no_diff(), view),
    "memories": lambda view: memories_lines({"memories": documents.memories()}, view),
    "remember": lambda view: remembered_lines(documents.remembered(), view),
    "remember-known": lambda view: remembered_lines(
        documents.remembered(outcome="known", alike=[], new_projects=[]), view
    ),
    "edit": lambda view: updated_lines(documents.updated("content", "scope"), view),
    "edit-nothing": lambda view: updated_lines(documents.updated(), view),
    "project": lambda view: panorama_lines(documents.panorama("rules", "todo"), view),
    "project-nothing": lambda view: panorama_lines(documents.panorama(), view),
    "logs": lambda view: logs_lines(documents.logs(), view),
    "recalls": lambda view: recalls_lines(documents.recalls(), view),
    "recalls-memory": lambda view: recalls_lines(documents.recalls("0195c3"), view),
    "recalls-none": lambda view: recalls_lines({"recalls": [], "memory": None}, view),
    "import": lambda view: import_lines(documents.imported(), view.width),
    "import-done": lambda view: import_lines(
        documents.imported(done=True, failed=[], skipped=[], resumed=False), view.width
    ),
    "import-estimate": lambda view: import_lines(documents.estimated(), view.width),
    "capture": lambda view: capture_lines(documents.captured(), view.width),
    "capture-nothing": lambda view: capture_lines({"mutations": []}, view.width),
    "manifest": lambda view: list(manifest_lines(documents.manifest(), view.width)),
    "retry": lambda view: retry_lines(documents.retried(), view),
    "history": lambda view: history_lines(documents.history(), view),
}


def seen(screen: str, width: int | None) -> list[str]:
    """The lines of a screen as plain text."""
    view = View(documents.NOW_MS, ZoneInfo("Asia/Shanghai"), width)
    return [line.plain for line in SCREENS[screen](view)]


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("screen", SCREENS)
def test_screen_is_as_agreed(screen: str, width: str) -> None:
    text = "\n".join(seen(screen, WIDTHS[width])) + "\n"
    golden = GOLDEN / f"{screen}-{width}.txt"
    if os.environ.get("UPDATE_GOLDEN"):
        golden.parent.mkdir(exist_ok=True)
        golden.write_text(text, "utf-8")
    assert text == golden.read_text("utf-8")


@pytest.mark.parametrize("width", [width for width in WIDTHS.values() if width])
@pytest.mark.parametrize("screen", SCREENS)
def test_no_line_is_wider_than_the_terminal(screen: str, width: int) -> None:
    assert [line for line in seen(screen, width) if cell_len(line) > width] == []


@pytest.mark.parametrize("screen", SCREENS)
def test_a_pipe_gets_everything_whole(screen: str) -> None:
    assert not any("…" in line.strip("… ") for line in seen(screen, None))


def test_an_event_of_the_backlog_is_called_so() -> None:
    view = View(documents.NOW_MS, ZoneInfo("Asia/Shanghai"), None)
    proof = documents.memory()["evidence"][0] | {"event": -19}
    assert "event -19 (backlog)," in proof_lines(proof, view)[-1].plain
