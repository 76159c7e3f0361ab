"""A parser of Prometheus' text format, written from its description, to read what we write."""

from __future__ import annotations

import re
from decimal import Decimal

Labels = tuple[tuple[str, str], ...]

_NAME = r"[a-zA-Z_:][a-zA-Z0-9_:]*"
_SAMPLE = re.compile(rf"({_NAME})(?:\{{(.*)\}})? (\S+)", re.DOTALL)
_LABEL = re.compile(r'([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(,|$)')
_UNESCAPED = {"\\\\": "\\", "\\n": "\n", '\\"': '"'}


def parse(page: str) -> dict[tuple[str, Labels], Decimal]:
    """Every sample by name and labels. Raises AssertionError for a page that a scraper would refuse."""
    assert page == "" or page.endswith("\n")
    found: dict[tuple[str, Labels], Decimal] = {}
    kinds: dict[str, str] = {}
    for line in page.split("\n")[:-1]:
        if line.startswith("# HELP "):
            continue
        if line.startswith("# TYPE "):
            _, _, name, kind = line.split(" ")
            assert name not in kinds, "one group a metric"
            assert kind in ("gauge", "counter")
            assert (kind == "counter") is name.endswith("_total")
            kinds[name] = kind
            continue
        sample = _SAMPLE.fullmatch(line)
        assert sample, line
        assert sample[1] == list(kinds)[-1], "a sample stands under its metric"
        key = sample[1], _labels(sample[2] or "")
        assert key not in found, "no sample twice"
        found[key] = Decimal(sample[3])
    return found


def _labels(text: str) -> Labels:
    pairs, at = [], 0
    while at < len(text):
        label = _LABEL.match(text, at)
        assert label, text[at:]
        value = re.sub(r'\\["\\n]', lambda escape: _UNESCAPED[escape[0]], label[2])
        pairs.append((label[1], value))
        at = label.end()
    return tuple(pairs)
