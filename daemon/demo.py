"""`make demo`: the main job on our own fixture conversations, offline, in a temporary folder."""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import re
import shutil
import sys
import tempfile
from datetime import UTC
from pathlib import Path

from memgardend.core.clock import HOUR_MS, SystemClock
from memgardend.core.errors import MemgardendError
from memgardend.core.times import parse_time, rfc3339
from memgardend.daemon.cli.app import run_command

FIXTURES = Path(__file__).resolve().parents[1] / "tests" / "fixtures"
AGENTS = {"claude-code": "claude", "codex": "codex"}
"""Which fixtures go into the folder of which agent."""
TOLD_HOME = "/srv/mira"
"""The folder around all folders that the fixtures name."""
QUIET_MS = 5 * HOUR_MS
"""So long ago the last of the conversations went quiet."""
SETTINGS = """\
locale: {locale}
sources: [{{kind: claude-code}}, {{kind: codex}}]
dream:
  suppress_windows: []   # so that the demo runs at any time of day
  max_age_hours: 96      # the conversations lie three days apart
"""
_TIME = re.compile(r'(?<="timestamp":")[^"]+(?=")')


def main() -> int:
    """Run the demo; the exit code of the first command that failed."""
    parser = argparse.ArgumentParser(prog="make demo", description=__doc__)
    parser.add_argument("--keep", action="store_true", help="keep the folder")
    keep = parser.parse_args().keep
    if not FIXTURES.is_dir():
        parser.error("the conversations are in a checkout alone: git clone, then make demo")
    folder = Path(tempfile.mkdtemp(prefix="memgardend-demo-"))
    try:
        return _run(folder)
    finally:
        if keep:
            sys.stdout.write(f"\nKept: {folder}\n")
        else:
            shutil.rmtree(folder)


def _run(folder: Path) -> int:
    english, chinese = folder / "mira", folder / "mira" / "denglong"
    _isolate(folder)
    _copy_conversations(folder, english)
    for project in ("harbor", "lantern", "denglong"):
        (english / project / ".git").mkdir(parents=True)  # what makes a folder a project
    _say("The conversations of one made-up person with two agents, in two languages.")
    _say(f"\n# {chinese}")
    (chinese / "memgarden.yaml").write_text(SETTINGS.format(locale="zh-Hans"), "utf-8")
    code = _commands(chinese, "init", "run --once", "memories")
    if code:
        return code
    _say(f"\n# {english}")
    (english / "memgarden.yaml").write_text(SETTINGS.format(locale="en"), "utf-8")
    code = _commands(english, "init", "run --once", "status", "dreams")
    return code or _commands(english, f"show {_richest_dream()}", "memories")


def _commands(workspace: Path, *lines: str) -> int:
    """Type these in the workspace; the exit code of the first that fails."""
    os.chdir(workspace)
    return next((code for line in lines if (code := _command(line))), 0)


def _isolate(folder: Path) -> None:
    """Nothing of the person who runs the demo is read or written."""
    for name in [name for name in os.environ if name.startswith("MEMGARDEND_")]:
        del os.environ[name]
    os.environ |= {
        "HOME": str(folder),
        "XDG_STATE_HOME": str(folder / "state"),
        "XDG_CONFIG_HOME": str(folder / "config"),
        "XDG_CACHE_HOME": str(folder / "cache"),
        "CLAUDE_CONFIG_DIR": str(folder / "claude"),
        "CODEX_HOME": str(folder / "codex"),
    }


def _copy_conversations(folder: Path, work: Path) -> None:
    """The fixtures, as if they had been held in `work` and had ended five hours ago."""
    texts = {
        path: path.read_text("utf-8")
        for kind in AGENTS
        for path in sorted((FIXTURES / kind).rglob("*.jsonl"))
    }
    if not texts:
        raise MemgardendError(f"no conversations in {FIXTURES}", hint="run it in a checkout")
    newest = max(_at(time) for text in texts.values() for time in _TIME.findall(text))
    shift_ms = SystemClock().now_ms() - QUIET_MS - newest
    for path, text in texts.items():
        moved = _TIME.sub(lambda time: rfc3339(_at(time[0]) + shift_ms), text)
        kind, *rest = path.relative_to(FIXTURES).parts
        copy = folder.joinpath(AGENTS[kind], *rest)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(moved.replace(TOLD_HOME, str(work)), "utf-8")


def _at(time: str) -> int:
    """Epoch milliseconds of a time that names its zone."""
    return parse_time(time, UTC)


def _command(line: str) -> int:
    _say(f"\n$ memgardend {line}")
    return run_command(line.split())


def _richest_dream() -> str:
    """The dream that changed most."""
    answer = io.StringIO()
    with contextlib.redirect_stdout(answer):
        run_command(["dreams", "-n", "0", "--json"])
    dreams = json.loads(answer.getvalue())["dreams"]
    return str(max(dreams, key=lambda dream: sum(dream["changes"].values()))["short"])


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
