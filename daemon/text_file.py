"""Text that a person names or pipes in: whole, UTF-8, of a size that fits in memory; or what is wrong with it."""

from __future__ import annotations

import shlex
import sys
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
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
    if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        raise UsageError(
            f"{name} is UTF-16, not UTF-8", hint=f"iconv -f utf-16 -t utf-8 {shlex.quote(name)}"
        )
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
            hint=f"iconv -f {_likely(data)} -t utf-8 {shlex.quote(name)}",
        ) from error


def _likely(data: bytes) -> str:
    """The encoding it may be in, to name one: pairs of high bytes that make Chinese, or single ones."""
    text = data.decode("gb18030", "replace")
    chinese = sum("\u4e00" <= char <= "\u9fff" for char in text)
    return "gb18030" if "\ufffd" not in text and 4 * chinese > len(text) else "windows-1252"


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
