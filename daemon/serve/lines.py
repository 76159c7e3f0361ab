"""Requests as lines of bytes, and answers as lines of JSON."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, BinaryIO, NoReturn

from memgardend.daemon.serve.errors import ServeError, WireError
from memgardend.daemon.serve.service import id_of, refusal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memgardend.daemon.serve.desk import Answer
    from memgardend.daemon.serve.service import Service

MAX_LINE_BYTES = 16 * 1024 * 1024
"""A longer line is no request: 5 MB of material in the widest escapes fit into it."""
_CHUNK_BYTES = 64 * 1024


def serve(service: Service, given: BinaryIO, answers: BinaryIO) -> None:
    """Answer each line, at once and in order, until there are no more."""
    for line in _lines(given):
        answers.write(encoded(answered(service, line)))
        answers.flush()


def answered(service: Service, line: bytes | None) -> Answer:
    """The answer to one line; None is one that was too long."""
    try:
        request = _parsed(line)
    except ServeError as error:
        return refusal(error)
    if line and b"\\ud" in line.lower() and not _is_text(request):
        broken = ServeError(WireError.INVALID_REQUEST, "half a surrogate pair is no text")
        return refusal(broken, id_of(request))
    return service.handle(request)


def encoded(answer: Answer) -> bytes:
    """One line of JSON."""
    return (
        json.dumps(answer, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
        + b"\n"
    )


def _lines(given: BinaryIO) -> Iterator[bytes | None]:
    """Every line that is not blank; of one that is too long nothing is kept."""
    while line := given.readline(MAX_LINE_BYTES + 1):
        if len(line) > MAX_LINE_BYTES and not line.endswith(b"\n"):
            while (rest := given.readline(_CHUNK_BYTES)) and not rest.endswith(b"\n"):
                pass
            yield None
        elif line.strip():
            yield line


def _parsed(line: bytes | None) -> object:
    if line is None:
        raise ServeError(WireError.INVALID_JSON, f"a line has at most {MAX_LINE_BYTES} bytes")
    try:
        value: object = json.loads(line.decode("utf-8"), parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise ServeError(WireError.INVALID_JSON) from error
    return value


def _is_text(value: object) -> bool:
    """False where an escape left half a surrogate pair, as a program that cuts texts by 16 bits does."""
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except (UnicodeEncodeError, RecursionError):
        return False
    return True


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")
