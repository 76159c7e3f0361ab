"""Text that a person names or pipes in: whole, UTF-8, of a size that fits in memory; or what is wrong with it."""

from __future__ import annotations

import shlex
import sys
from typing import TYPE_CHECKING

from memgardend.core.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path

MAX_BYTES = 64 * 1024 * 1024
"""Ten thousand batches; whatever is longer is better imported in parts."""
STDIN = "-"


def read_text(file: Path) -> str:
    """What the file says, or stdin for `-`. Raises UsageError for what cannot be read as text."""
    data = _read(file)
    name = "stdin" if str(file) == STDIN else str(file)
    if len(data) > MAX_BYTES:
        raise UsageError(
            f"{name} is too large: more than {MAX_BYTES // 1024 // 1024} MB",
            hint=f"split -C 50m {shlex.quote(name)} part-",
        )
    if not data.strip():
        raise UsageError(f"{name} is empty", hint=f"ls -l {shlex.quote(name)}")
    if b"\0" in data:
        place = data.index(b"\0")
        raise UsageError(
            f"{name} is no text: a zero at byte {place}", hint=f"file {shlex.quote(name)}"
        )
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise UsageError(
            f"{name} is not UTF-8: byte 0x{data[error.start]:02X} at {error.start}, line {line}",
            hint=f"iconv -f windows-1252 -t utf-8 {shlex.quote(name)}",
        ) from error


def _read(file: Path) -> bytes:
    """One byte more than is allowed tells what is too large."""
    if str(file) == STDIN:
        return sys.stdin.buffer.read(MAX_BYTES + 1)
    try:
        with file.open("rb") as stream:
            return stream.read(MAX_BYTES + 1)
    except OSError as error:
        raise UsageError(
            f"{file}: {error.strerror}", hint=f"ls -l {shlex.quote(str(file.parent))}"
        ) from error
