"""Find the JSON object of an answer: after reasoning, in fences, with prose around it."""

from __future__ import annotations

import json
import re
from math import isfinite
from typing import Any, NoReturn

from memgardend.core.quote_repair import repair_quotes

MAX_FAILED_STARTS = 64
"""Braces in prose that are tried and found to begin no JSON; a bound keeps the search linear."""

MAX_DEPTH = 32
"""An answer nests four levels; what nests deeper is no answer, and would cost recursion later."""

_REASONING = re.compile(r"<(/?)(think|thinking|thought|reasoning)>", re.IGNORECASE)
_START = re.compile(r'\{(?=\s*["}])')


def find_object(text: str, key: str = "operations") -> dict[str, Any] | None:
    """The object of the answer: the last with rows under `key`, else the last with the key, else the last."""
    stripped = _without_reasoning(text)
    for candidate in (text, stripped):
        whole = _load(candidate.strip())
        if isinstance(whole, dict):
            return whole
    found = _objects(stripped) or [value for value in _objects(text) if _quotes_reasoning(value)]
    best = max(enumerate(found), key=lambda one: _rank(one, key), default=(0, None))[1]
    if best is not None and key in best:
        return best
    mended, outside = _mended(text, key), _mended(stripped, key)
    if text.lstrip().startswith("{"):  # then tags that look like reasoning stand in its texts
        return mended or outside or best
    return outside or (mended if mended and _quotes_reasoning(mended) else best)


def begins_object(text: str) -> bool:
    """True where a JSON object begins outside of reasoning: what is no answer then may be a broken one."""
    return _START.search(_without_reasoning(text)) is not None


def _quotes_reasoning(value: dict[str, Any]) -> bool:
    """True for an object whose texts hold such tags: its own, where they make it look like reasoning."""
    return _REASONING.search(json.dumps(value, ensure_ascii=False)) is not None


def _rank(indexed: tuple[int, dict[str, Any]], key: str) -> tuple[bool, bool, int]:
    index, value = indexed
    return bool(value.get(key)), key in value, index


def _mended(text: str, key: str) -> dict[str, Any] | None:
    start = re.search(rf'\{{\s*"{re.escape(key)}"\s*:', text) or _START.search(text)
    block = repair_quotes(text, start.start()) if start else None
    loaded = _load(block) if block else None
    return loaded if isinstance(loaded, dict) else None


def _without_reasoning(text: str) -> str:
    """The text without its reasoning blocks.

    A closing tag without an opening one ends reasoning that began with the text; any other residue means
    that the tags are part of the answer, and the text stays as it is.
    """
    kept: list[str] = []
    opened, last = "", 0
    for tag in _REASONING.finditer(text):
        closing, name = tag.group(1), tag.group(2).lower()
        if not closing and not opened:
            kept.append(text[last : tag.start()])
            opened = name
        elif closing and opened == name:
            opened, last = "", tag.end()
        elif closing and not opened:
            kept.clear()
            last = tag.end()
    return text if opened else "".join([*kept, text[last:]])


def _objects(text: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    at = failed = 0
    while failed < MAX_FAILED_STARTS and (start := _START.search(text, at)):
        try:
            value, end = _DECODER.raw_decode(text, start.start())
            found.append(_clean(value))
        except (ValueError, RecursionError):
            failed += 1
            end = start.end()
        at = end
    return found


def _load(text: str) -> Any:
    try:
        return _clean(_DECODER.decode(text))
    except (ValueError, RecursionError):
        return None


def _clean(value: Any, depth: int = 0) -> Any:
    """Replace lone surrogates, which JSON can escape and UTF-8 cannot hold. ValueError when nested too deep."""
    if depth > MAX_DEPTH:
        raise ValueError("nested too deep")
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, list):
        return [_clean(item, depth + 1) for item in value]
    if isinstance(value, dict):
        return {_clean(key): _clean(item, depth + 1) for key, item in value.items()}
    return value


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")


def _finite(digits: str) -> float:
    value = float(digits)
    if not isfinite(value):
        raise ValueError(f"{digits} is out of range")
    return value


_DECODER = json.JSONDecoder(strict=False, parse_constant=_no_constant, parse_float=_finite)
