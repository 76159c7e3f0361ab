"""`config check` on a narrow terminal."""

from __future__ import annotations

from memgardend.daemon.screens.config import check_lines

PROBLEM = {
    "line": 5,
    "column": 9,
    "message": "`preset` should be one of offline, claude, codex, not 'clod'",
    "text": "preset: clod",
    "hint": "did you mean `codex`?",
}


def test_a_mistake_is_wrapped_at_words_and_its_caret_stays_in_place() -> None:
    document = {"file": "/w/memgarden.yaml", "problems": [PROBLEM], "warnings": []}
    assert [line.plain for line in check_lines(document, 40)] == [
        "memgarden.yaml:5:9: error: `preset`",
        "should be one of offline, claude, codex,",
        "not 'clod'",
        "   5 │ preset: clod",
        "               ^",
        "       did you mean `codex`?",
        "1 problem",
    ]
