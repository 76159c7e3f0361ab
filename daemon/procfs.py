"""Which processes live on this machine, read from /proc: boot, namespace, start times, environments.

Where there is no /proc every answer is the careful one: nothing is provably gone, nothing is found.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memgardend.core.records import Owner

PROC = Path("/proc")
_STATE, _START = 0, 19  # fields 3 and 22 of proc_pid_stat(5), counted after the name
_DEAD = frozenset({"Z", "X", "x"})


def boot_id() -> str:
    """The id of this boot of the machine; empty where the kernel does not tell."""
    try:
        return (PROC / "sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    except OSError:
        return ""


def pid_namespace() -> str:
    """The namespace in which our pids mean something; empty where the kernel does not tell."""
    try:
        return str((PROC / "self/ns/pid").readlink())
    except OSError:
        return ""


def process_start(pid: int) -> str | None:
    """When the process started, in clock ticks since boot; None when it is gone or only a zombie is left."""
    try:
        stat = (PROC / str(pid) / "stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    fields = stat.rpartition(")")[2].split()  # the name in parentheses may hold anything
    if len(fields) <= _START or fields[_STATE] in _DEAD:
        return None
    return fields[_START]


def is_running(owner: Owner) -> bool:
    """False only when the owner is provably gone: same boot and pid namespace, pid absent or reused."""
    here = (boot_id(), pid_namespace())
    if "" in here or (owner.boot_id, owner.pid_namespace) != here:
        return True
    return process_start(owner.pid) == owner.process_start


def unit_of(pid: int) -> str | None:
    """The systemd service in whose control group a process runs, such as `memgardend.service`, or None."""
    try:
        groups = (PROC / str(pid) / "cgroup").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    names = [line.strip().rpartition("/")[2] for line in groups.splitlines()]
    return next((name for name in names if name.endswith(".service")), None)


def marked_pids(name: str, value: str) -> Iterator[int]:
    """Our user's other processes whose environment holds `name=value`."""
    wanted = os.fsencode(f"{name}={value}")
    for folder in PROC.glob("[0-9]*"):
        pid = int(folder.name)
        if pid != os.getpid() and wanted in _environment(folder):
            yield pid


def _environment(folder: Path) -> list[bytes]:
    try:
        if folder.stat().st_uid != os.geteuid():
            return []
        return (folder / "environ").read_bytes().split(b"\0")
    except OSError:  # it ended meanwhile, or the kernel hides it from us
        return []
