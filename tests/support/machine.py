"""A machine that a real systemd boots: in namespaces of its own, on a throw-away overlay of this one's root.

All mounts are made in a mount namespace that ends with the machine, so nothing of it can stay behind, and
nothing it writes reaches this machine. Its control groups are its own, and removed: else two machines at a time
would kill each other's processes.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import sysconfig
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

ROOT = Path(__file__).parents[2]
PERSON = "mira"
INSTALLED = "/opt/memgardend/bin/memgardend"
_BOOT_SECONDS = 30.0
_LOOK_SECONDS = 0.1
_BOOT = """
set -e
mount -t tmpfs -o size=1g,mode=755 tmpfs "$1"
mkdir "$1/upper" "$1/work" "$1/root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$1/upper,workdir=$1/work" "$1/root"
rm -f "$1/root/etc/systemd/system/multi-user.target.wants/"* "$1/root/etc/machine-id"
: > "$1/root/etc/machine-id"
for hierarchy in /sys/fs/cgroup /sys/fs/cgroup/systemd /sys/fs/cgroup/unified; do
    if [ -w "$hierarchy/cgroup.procs" ]; then
        mkdir "$hierarchy/$2" && echo $$ > "$hierarchy/$2/cgroup.procs"
    fi
done
shift 2
exec systemd-nspawn "$@"
"""
_INSTALL = """
set -e
useradd --create-home mira
"$1" -m venv --without-pip /opt/memgardend
printf '%s\\n' /opt/checkout/src /opt/site > "$(echo /opt/memgardend/lib/python3*/site-packages)/memgardend.pth"
printf '#!/opt/memgardend/bin/python\\nfrom memgardend.daemon.cli.app import main\\nmain()\\n' > "$2"
chmod 755 "$2"
"""


class CannotBootError(Exception):
    """Why a systemd cannot be booted here."""


class Machine:
    """A booted machine with a person, and memgardend installed for everybody."""

    def __init__(self, leader: int) -> None:
        self._leader = leader
        self.root = Path(f"/proc/{leader}/root")

    def run(self, *argv: str, ok: bool = True, stdin: str = "") -> subprocess.CompletedProcess[str]:
        """Run a program as root; it must succeed unless `ok` is False."""
        enter = ["nsenter", "--target", str(self._leader), "--all", "env", "-i"]
        done = subprocess.run(
            [*enter, "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LANG=C.UTF-8", *argv],
            input=stdin,
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert not ok or done.returncode == 0, f"{argv}: {done.stdout}{done.stderr}"
        return done

    def out(self, *argv: str) -> str:
        """What it prints."""
        return self.run(*argv).stdout.strip()

    def person(
        self, *argv: str, ok: bool = True, stdin: str = ""
    ) -> subprocess.CompletedProcess[str]:
        """Run a program as the person, with their home and their systemd."""
        uid = self.out("id", "-u", PERSON)
        known = [f"HOME=/home/{PERSON}", f"XDG_RUNTIME_DIR=/run/user/{uid}"]
        return self.run("runuser", "-u", PERSON, "--", "env", *known, *argv, ok=ok, stdin=stdin)

    def memgardend(self, *arguments: str, ok: bool = True, stdin: str = "") -> str:
        """Run our command as the person."""
        return self.person(INSTALLED, *arguments, ok=ok, stdin=stdin).stdout

    def write(self, file: str, text: str, *, mode: int = 0o644) -> None:
        """Write a file, and the folders around it."""
        path = self.root / file.lstrip("/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        path.chmod(mode)


def until(holds: Callable[[], object], what: str, seconds: float = 15.0) -> None:
    """Wait for what another process must do."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, f"waited in vain until {what}"
        time.sleep(_LOOK_SECONDS)


@contextmanager
def booted(folder: Path) -> Iterator[Machine]:
    """A machine that lives as long as the block. Raises CannotBootError where none can be booted."""
    _require_programs()
    console = folder / "console.log"
    mounts = folder / "mounts"
    mounts.mkdir()
    site = sysconfig.get_path("purelib")
    name = f"memgardend-{os.getpid()}"
    options = ["--quiet", f"--directory={mounts}/root", f"--machine={name}"]
    options += ["--register=no", "--keep-unit", "--private-network", "--boot"]
    options += [f"--bind-ro={ROOT}:/opt/checkout", f"--bind-ro={site}:/opt/site"]
    with console.open("wb") as log:
        nspawn = subprocess.Popen(
            ["unshare", "--mount", "sh", "-c", _BOOT, "sh", mounts, name, *options],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
        )
    leader = None
    try:
        leader = _leader(nspawn, console)
        machine = Machine(leader)
        until(lambda: _is_up(machine), "it is up", _BOOT_SECONDS)
        _open_the_way_to(Path(sys.base_prefix), machine)
        machine.run("sh", "-c", _INSTALL, "sh", f"{sys.base_prefix}/bin/python3", INSTALLED)
        yield machine
    finally:
        if leader is None:
            nspawn.kill()
        else:
            os.kill(leader, signal.SIGKILL)  # ends its namespaces, and all that is in them
        nspawn.wait(timeout=30)
        until(lambda: _removed(name), "its control groups are empty")


def _removed(name: str) -> bool:
    """Remove the machine's control groups, innermost first; False while something dies in them."""
    roots = [*Path("/sys/fs/cgroup").glob(name), *Path("/sys/fs/cgroup").glob(f"*/{name}")]
    for root in roots:
        for folder in (
            *sorted((one for one in root.rglob("*") if one.is_dir()), reverse=True),
            root,
        ):
            with suppress(OSError):
                folder.rmdir()
    return not any(root.exists() for root in roots)


def _require_programs() -> None:
    if os.geteuid() != 0:
        raise CannotBootError("only root can boot a machine")
    if "CI" in os.environ and not shutil.which("systemd-nspawn") and shutil.which("apt-get"):
        _install_nspawn()
    for program in ("systemd-nspawn", "nsenter", "unshare"):
        if not shutil.which(program):
            raise CannotBootError(f"no {program}: apt-get install systemd-container")


def _install_nspawn() -> None:
    """On a machine of CI nobody misses what is installed; without a network it is given up soon."""
    quickly = ("-q", "-o", "Acquire::Retries=0", "-o", "Acquire::http::Timeout=10")
    packages = ("install", "-y", "--no-install-recommends", "systemd-container")
    with suppress(subprocess.TimeoutExpired):
        for words in (("update",), packages):
            subprocess.run(("apt-get", *quickly, *words), capture_output=True, timeout=90)


def _leader(nspawn: subprocess.Popen[bytes], console: Path) -> int:
    """The process that is PID 1 inside."""
    end = time.monotonic() + _BOOT_SECONDS
    while nspawn.poll() is None and time.monotonic() < end:
        children = Path(f"/proc/{nspawn.pid}/task/{nspawn.pid}/children").read_text().split()
        for child in children:
            if _is_pid_one(Path("/proc", child)):
                return int(child)
        time.sleep(_LOOK_SECONDS)
    said = console.read_text("utf-8", errors="replace").strip().splitlines()
    raise CannotBootError(said[-1] if said else "systemd-nspawn booted nothing")


def _is_pid_one(process: Path) -> bool:
    try:
        status = (process / "status").read_text()
        program = (process / "exe").readlink().name
    except OSError:
        return False
    numbers = next(line for line in status.splitlines() if line.startswith("NSpid:"))
    return program == "systemd" and numbers.split()[-1] == "1"


def _is_up(machine: Machine) -> bool:
    state = machine.run("systemctl", "is-system-running", ok=False).stdout.strip()
    return state in ("running", "degraded")


def _open_the_way_to(folder: Path, machine: Machine) -> None:
    """Let the person pass the folders around our Python: it may lie in a home that is closed to others."""
    for around in folder.resolve().parents:
        inside = machine.root / str(around).lstrip("/")
        inside.chmod(inside.stat().st_mode | 0o011)
