"""What `config prompts` shows, whole and narrow."""

from __future__ import annotations

from typing import Any

from rich.cells import cell_len

from memgardend.daemon.screens.prompts import check_lines, slots_lines

SLOTS: dict[str, Any] = {
    "slots": [
        {"slot": "opening", "origin": "workspace", "file": "/w/.memgarden/prompts/fr/opening.md"},
        {"slot": "seal", "origin": "built-in", "file": "/lib/prompts/fr/seal.md"},
        {"slot": "round-atomic", "origin": "missing", "file": None},
    ]
}
FOUND: dict[str, Any] = {
    "packs": ["en", "zh-Hans"],
    "problems": [
        {
            "file": "/p/fr/data.md",
            "line": 3,
            "message": "unknown \x1b[31mx",
            "hint": "known: {{y}}",
        },
        {"file": "/p/fr", "line": None, "message": "slots are missing: seal", "hint": None},
    ],
}


def test_each_slot_has_a_row() -> None:
    assert [line.plain for line in slots_lines(SLOTS, None)] == [
        "SLOT          FROM       FILE",
        "opening       workspace  /w/.memgarden/prompts/fr/opening.md",
        "seal          built-in   /lib/prompts/fr/seal.md",
        "round-atomic  missing    -",
    ]


def test_each_problem_has_its_place_and_its_hint() -> None:
    assert [line.plain for line in check_lines(FOUND, None)] == [
        "/p/fr/data.md:3: error: unknown x",
        "  try: known: {{y}}",
        "/p/fr: error: slots are missing: seal",
        "2 problems",
    ]


def test_no_line_is_wider_than_the_terminal() -> None:
    right = {"packs": ["en", "zh-Hans", *("fr", "de", "it", "nl")], "problems": []}
    for lines in (slots_lines(SLOTS, 40), check_lines(FOUND, 24), check_lines(right, 24)):
        assert lines
        assert all(cell_len(line.plain) <= 40 for line in lines)
    assert all(cell_len(line.plain) <= 24 for line in check_lines(FOUND, 24))
