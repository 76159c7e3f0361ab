"""Reads JSON lines from a byte offset: complete lines only, in bounded memory, and whatever is damaged counted."""

from __future__ import annotations

import hashlib
import json
import re
from codecs import BOM_UTF8
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

from pydantic_core import from_json

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

BLOCK_BYTES = 1 << 20
"""A line is read in blocks of this size; the first block decides nothing, so most lines stay as they are."""
LINE_CAP_BYTES = 8 << 20
"""A line that is longer, even without its embedded files, is passed over."""
_BUFFER_BYTES = (
    64 << 10
)  # fetched at once; by itself Python would ask for a block of the file system
_FINGERPRINT_BYTES = 1024
_JSON_SPACE = " \t\r\n"

# A long run of base64 is an embedded file. Its first characters stay: they may end an escape before it.
_EMBEDDED = re.compile(rb"([A-Za-z0-9+/=_-]{8})[A-Za-z0-9+/=_-]{4088,}+")
_DECODER = json.JSONDecoder()


class Line(NamedTuple):
    """One complete line: its JSON objects, and the byte after it. `damaged`: something in it was unreadable."""

    end: int
    records: tuple[dict[str, Any], ...]
    damaged: bool


def read_lines(path: Path, offset: int) -> Iterator[Line]:
    """The complete lines from the offset on. A last line without its line feed is not there yet.

    Raises OSError.
    """
    with path.open("rb", buffering=_BUFFER_BYTES) as stream:
        end = stream.seek(offset)
        while block := stream.readline(BLOCK_BYTES):
            if block.endswith(b"\n"):
                end += len(block)
                yield _parsed(block, end)
            elif (line := _long_line(block, stream)) is not None:
                end = stream.tell()
                yield _parsed(line, end)


def last_complete_byte(path: Path) -> int:
    """The byte after the last line feed. Raises OSError."""
    with path.open("rb") as stream:
        position = stream.seek(0, 2)
        while position > 0:
            start = max(0, position - BLOCK_BYTES)
            stream.seek(start)
            found = stream.read(position - start).rfind(b"\n")
            if found >= 0:
                return start + found + 1
            position = start
    return 0


def line_start_near(path: Path, position: int) -> int:
    """The start of the first line at or after the position. Raises OSError."""
    if position <= 0:
        return 0
    with path.open("rb") as stream:
        stream.seek(position - 1)
        while (block := stream.readline(BLOCK_BYTES)) and not block.endswith(b"\n"):
            pass
        return stream.tell()


def lines_until(path: Path, offset: int) -> int:
    """How many lines end at or before the offset. Raises OSError."""
    count, left = 0, offset
    with path.open("rb") as stream:
        while left > 0 and (block := stream.read(min(left, BLOCK_BYTES))):
            count, left = count + block.count(b"\n"), left - len(block)
    return count


def start_of_lines_before(path: Path, offset: int, count: int) -> int:
    """The start of the line so many lines before the offset, which is a line's start. Raises OSError."""
    with path.open("rb") as stream:
        position, wanted = offset, count + 1  # the line feed before that line counts too
        while position > 0:
            start = max(0, position - BLOCK_BYTES)
            stream.seek(start)
            block = stream.read(position - start)
            feeds = block.count(b"\n")
            if feeds >= wanted:
                at = len(block)
                for _ in range(wanted):
                    at = block.rfind(b"\n", 0, at)
                return start + at + 1
            position, wanted = start, wanted - feeds
    return 0


def fingerprint(path: Path, offset: int) -> str:
    """A hash of the first bytes and of those before the offset. Raises OSError."""
    with path.open("rb") as stream:
        head = stream.read(min(offset, _FINGERPRINT_BYTES))
        stream.seek(max(0, offset - _FINGERPRINT_BYTES))
        tail = stream.read(min(offset, _FINGERPRINT_BYTES))
    return hashlib.sha256(head + tail).hexdigest()[:32]


def holds_any(path: Path, needles: Sequence[bytes]) -> bool:
    """Whether one of the needles stands anywhere in the file. Raises OSError."""
    overlap = max(map(len, needles), default=1) - 1
    with path.open("rb") as stream:
        kept = b""
        while block := stream.read(BLOCK_BYTES):
            searched = kept + block
            if any(needle in searched for needle in needles):
                return True
            kept = searched[-overlap:] if overlap else b""
    return False


def _long_line(block: bytes, stream: BinaryIO) -> bytes | None:
    """The line that this block begins; NUL when it is too long to keep; None when it is not complete.

    Blocks are counted from the start of the line, so that a line reads the same from any offset.
    """
    parts, size = [], 0
    while block:
        if size <= LINE_CAP_BYTES:
            parts.append(_EMBEDDED.sub(rb"\1[left out]", block))
            size += len(parts[-1])
        if block.endswith(b"\n"):
            return b"".join(parts) if size <= LINE_CAP_BYTES else b"\0"
        block = stream.readline(BLOCK_BYTES)
    return None


def _parsed(raw: bytes, end: int) -> Line:
    """One object a line, mostly. The fast reader refuses some that `json` accepts, which is the judge."""
    try:
        record = from_json(raw, allow_inf_nan=False, cache_strings="keys")
    except ValueError:
        return _repaired(raw, end)
    return Line(end, (record,), False) if type(record) is dict else _repaired(raw, end)


def _repaired(raw: bytes, end: int) -> Line:
    """NUL bytes (a crash leaves blocks of them) are dropped; several objects may share a line.

    A byte order mark, with which some programs begin a file, says nothing.
    """
    text, damaged = _decoded(raw.removeprefix(BOM_UTF8))
    records: list[dict[str, Any]] = []
    position = _skip_space(text, 0)
    while position < len(text):
        try:
            value, position = _DECODER.raw_decode(text, position)
        except (ValueError, RecursionError):
            damaged = True
            break
        if isinstance(value, dict):
            records.append(value)
        else:
            damaged = True
        position = _skip_space(text, position)
    return Line(end, tuple(records), damaged)


def _decoded(raw: bytes) -> tuple[str, bool]:
    whole = raw.replace(b"\0", b"")
    try:
        return whole.decode(), len(whole) < len(raw)
    except UnicodeDecodeError:
        return whole.decode(errors="replace"), True


def _skip_space(text: str, position: int) -> int:
    while position < len(text) and text[position] in _JSON_SPACE:
        position += 1
    return position
