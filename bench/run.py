"""Run every benchmark in a process of its own, print the figures, and keep them in docs/benchmarks.md.

    python bench/run.py [NAME …] [--no-write]

Those that are not named keep their part of the page.

All figures are ratios within one run, or sizes: what a machine's speed cannot change much.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

from figures import Figure

from memgardend.daemon.store import sqlite_version

HERE = Path(__file__).parent
PAGE = HERE.parent / "docs" / "benchmarks.md"
BENCHMARKS = {
    "ingest": "Ingest of 100 MB of generated transcripts, masking on",
    "choosing": "Choosing due windows, and status, in large stores",
    "long_window": "A conversation of 40 MB, dreamed whole",
    "dreaming": "Our own time in a dream, the model left out",
    "recalling": "Recall among a thousand to a hundred thousand memories",
    "recall_quality": "What recall brings back, and what it leaves alone",
    "hooks": 'A hook as a whole process, beside `python -c "import sqlite3, json"`',
    "soak": "A month of the daemon on the driven clock, with a thousand windows",
    "idle": "A daemon at rest among 50 000 transcript files",
}
NOTES = {
    "ingest": "The transcripts are made like recorded sessions of Claude Code: results of tools told twice, "
    "thinking, usage and ids, source code and documentation as text, a file of secrets now and then. On a machine "
    "at rest the first figure lies two or three hundredths above its target; beside other work it may lie "
    "below. For each second of json.loads ingest takes about 0.6 for reading and parsing, 0.6 for what records "
    "say, 1.5 for masking and cutting their texts, 0.7 for the store, and a little for cursors and the disk.",
    "choosing": "`status` names every window with its holds, so that its cost follows their number. Windows at "
    "rest are judged once a kind; reading and writing the rows is what remains.",
    "long_window": "The model answers at once that nothing is worth keeping.",
    "dreaming": "Each dream judges and stores twenty new memories out of twenty turns that nobody has read "
    "before, of words as frequent as in a language. The bare commits run the statements that the dreams wrote "
    "with, on a copy of the store, by SQLite alone: these a dream needs. The second figure is harder: it "
    "takes one small row for each commit instead, and is held to the same limit. The index of the memories is "
    "there before.",
    "recalling": "Recall at a message is all that a hook asks the store for: the state of the window, the two "
    "best memories and their marks, committed; all files lie in /dev/shm, as what a shared disk takes to sync "
    "varies more than all the rest. Messages of ten words, four of them those of a memory; all words as "
    "frequent as in a language. FTS5 is asked for ten memories without any filter; the scan reads, cuts and "
    "scores every memory, as a store without an index does. bm25s, whose index is in memory, is measured where "
    "it is installed (`pip install bm25s`): it is faster, and each process would have to load or make its index.",
    "recall_quality": "English: half of LoCoMo, the turns as memories and 997 questions, by `../shared/bench`; "
    "nothing is shown where that is not there. Two columns: FTS5 with Porter stems and without question words, "
    "the neighbours in a second, lighter column. A memory has the quotes around it where the bench has "
    "neighbours. Unanswerable: the questions of another conversation, as they are, and about the people of "
    "this one, as names alone give many of them away. Chinese: two sets of our own. `zh-Hans` has 100 "
    "memories, 82 questions and 24 without an answer; all but the last 22 were in sight when the lists of "
    "function words were made, so that it flatters us. `zh-Hans-hard` has 305 memories of ten lives and trades, "
    "many alike, 296 questions mostly in other words than theirs, 48 about something else, and 43 about what is "
    "known without that being said: hardly anything that compares words can leave these alone. It was written "
    "before anything ranked it, and tuned on in its first half. The floor is what leaves questions alone; it "
    "costs a little recall. The last rows move each ranker's threshold (ours: the floor) to where it leaves the "
    "most alone at a recall (English with this one's names, Chinese about something else); who does not reach a "
    "recall has no row there.",
    "hooks": "Processor time of the installed program in a home of its own with two hundred memories, the fastest "
    "of thirty runs. On a machine at rest wall time is the same but for what the disk takes to sync one commit.",
    "soak": "The loop of the daemon in this process, its store in files, and conversations that it reads from "
    "files, which their agent deletes after three days; each night the machine sleeps for seven hours, and every "
    "dream has a connection of its own. What still grows are caches with a bound, of stems and of patterns.",
    "idle": "The installed command, measured from /proc for two minutes after it came to rest; "
    "the listing of all files, each quarter of an hour, is not in them and adds 0.06 %. "
    "The modules that are imported take 46 MiB of it. A workspace with `cwd: any`, which registers all of the "
    "files as its own, comes to rest some 10 MiB higher: what the first read leaves between things that "
    "live on stays with Python.",
}
HEAD = """# Benchmarks

Written by `make bench`. Ratios side by side in one run, or sizes; times of one machine mean little on another.

"""


def measure(name: str) -> list[Figure]:
    """Run one benchmark."""
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(HERE), str(HERE.parent / "tests")]),
    }
    done = subprocess.run(
        [sys.executable, str(HERE / f"{name}.py")],
        capture_output=True,
        text=True,
        env=environment,
        check=False,
    )
    if done.returncode:
        raise SystemExit(f"{name} failed:\n{done.stderr}")
    return [Figure(**row) for row in json.loads(done.stdout)]


def section(name: str, figures: list[Figure]) -> str:
    """The part of the page about one benchmark."""
    rows = "\n".join(one.row() for one in figures)
    head = "| what | measured | target | met |\n|---|---|---|---|"
    return f"## {BENCHMARKS[name]}\n\n{NOTES[name]}\n\n{head}\n{rows}\n"


def kept() -> dict[str, str]:
    """The parts that the page has, by benchmark."""
    parts = PAGE.read_text("utf-8").split("\n## ")[1:] if PAGE.exists() else []
    by_title = {part.partition("\n")[0]: f"## {part.rstrip()}\n" for part in parts}
    return {name: by_title[title] for name, title in BENCHMARKS.items() if title in by_title}


def main() -> None:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", choices=[[], *BENCHMARKS], default=[])
    parser.add_argument("--no-write", action="store_true")
    arguments = parser.parse_args()
    names = arguments.names or list(BENCHMARKS)
    sections, missed = kept(), 0
    for name in names:
        figures = measure(name)
        missed += sum(not one.met for one in figures)
        sections[name] = section(name, figures)
        print(sections[name], flush=True)
    machine = (
        f"Measured on {datetime.now(UTC):%Y-%m-%d}: {os.cpu_count()} cores, {platform.system()}, "
        f"Python {platform.python_version()}, SQLite {sqlite_version()}.\n\n"
    )
    if not arguments.no_write:
        ordered = [sections[name] for name in BENCHMARKS if name in sections]
        PAGE.write_text(HEAD + machine + "\n".join(ordered), "utf-8")
    raise SystemExit(1 if missed else 0)


if __name__ == "__main__":
    main()
