"""A daemon with nothing to do among fifty thousand transcript files: its memory, and its share of a core."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from figures import Figure, hand_over

from memgardend.core.clock import DAY_MS

FILES, FOLDERS = 50_000, 500
MEASURED_SECONDS = 120
"""Two of the minutes in which the daemon looks at its sources."""
SETTLED_SECONDS = 20
PATIENCE_SECONDS = 300
COMMAND = Path(sys.executable).with_name("memgardend")


def write_transcripts(agent: Path, work: Path) -> None:
    """Short conversations that ended a month ago, in many projects; those of the first are the workspace's."""
    ended_at = time.time() - 30 * DAY_MS / 1000
    stamp = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(ended_at))
    for number in range(FILES):
        session = f"00000000-0000-4000-8000-{number:012x}"
        file = agent / "projects" / f"-srv-p{number % FOLDERS}" / f"{session}.jsonl"
        file.parent.mkdir(parents=True, exist_ok=True)
        record = {
            "type": "user",
            "uuid": f"00000000-0000-4000-9000-{number:012x}",
            "sessionId": session,
            "cwd": f"/srv/p{number % FOLDERS}" if number % FOLDERS else str(work),
            "timestamp": stamp,
            "isSidechain": False,
            "message": {"role": "user", "content": f"The port of service {number} is 8080."},
        }
        file.write_text(f"{json.dumps(record)}\n", "utf-8")
        os.utime(file, (ended_at, ended_at))


def environment(home: Path) -> dict[str, str]:
    """A home of its own."""
    return {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "XDG_STATE_HOME": str(home / "state"),
        "XDG_CONFIG_HOME": str(home / "config"),
        "XDG_CACHE_HOME": str(home / "cache"),
        "LANG": "C.UTF-8",
    }


def cpu_seconds(pid: int) -> float:
    """User and system time of the process (proc(5), fields 14 and 15 of stat)."""
    fields = Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory_mib(pid: int, name: str) -> float:
    """VmRSS or VmHWM of the process."""
    status = Path(f"/proc/{pid}/status").read_text("ascii")
    found = re.search(rf"^{name}:\s+(\d+) kB$", status, re.MULTILINE)
    assert found is not None
    return int(found[1]) / 1024


def settle(pid: int) -> None:
    """Wait until the first look at everything is done: no work for a while."""
    end = time.monotonic() + PATIENCE_SECONDS
    before = -1.0
    while (now := cpu_seconds(pid)) - before > 0.1:
        assert time.monotonic() < end, "the daemon does not come to rest"
        before = now
        time.sleep(SETTLED_SECONDS)


def main() -> None:
    """Measure."""
    with tempfile.TemporaryDirectory() as name:
        home = Path(name)
        work = home / "work"
        work.mkdir()
        write_transcripts(home / ".claude", work)
        (work / "memgarden.yaml").write_text(
            "locale: en\nsources: [{kind: claude-code}]\n", "utf-8"
        )
        run = {"env": environment(home), "cwd": work}
        subprocess.run([COMMAND, "init", "--yes"], check=True, capture_output=True, **run)
        with subprocess.Popen(
            [COMMAND, "run"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **run
        ) as daemon:
            try:
                settle(daemon.pid)
                before, start = cpu_seconds(daemon.pid), time.monotonic()
                time.sleep(MEASURED_SECONDS)
                used = cpu_seconds(daemon.pid) - before
                passed = time.monotonic() - start
                resident = memory_mib(daemon.pid, "VmRSS")
                peak = memory_mib(daemon.pid, "VmHWM")
            finally:
                daemon.terminate()
        hand_over(
            [
                Figure("resident memory at rest", resident, "MiB", 60),
                Figure("share of a core at rest", 100 * used / passed, "%", 0.2),
                Figure("most memory, while all files were read first", peak, "MiB"),
            ]
        )


if __name__ == "__main__":
    main()
