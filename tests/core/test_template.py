"""Placeholders and labels of prompt texts."""

from __future__ import annotations

import pytest

from memgardend.core.errors import ConfigError
from memgardend.core.template import fill, parse_labels, placeholders


def test_placeholders_are_filled_once() -> None:
    values = {"a": "{{b}}", "b": "{{a}}"}
    assert fill("{{a}} {{ b }} {c}", values, "x") == "{{b}} {{a}} {c}"


def test_an_unknown_placeholder_is_an_error_that_names_slot_and_choices() -> None:
    with pytest.raises(ConfigError, match="slot `seal` has unknown placeholders: zonee") as caught:
        fill("{{zone}} {{zonee}}", {"zone": "UTC", "fence": "f"}, "seal")
    assert caught.value.hint == "known placeholders: fence, zone"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", []),
        ("{{a}}{{ b }}\n\n{{a}}", [(1, "a"), (1, "b"), (3, "a")]),
        ("x\n{{\na\n}}", [(2, "a")]),
        ("{{}}", [(1, "")]),
        ("{{a", []),
        ("{ {a} }", []),
    ],
)
def test_placeholders_stand_in_lines(text: str, found: list[tuple[int, str]]) -> None:
    assert [(one.line, one.name) for one in placeholders(text)] == found


def test_labels_are_lines() -> None:
    text = "# words\n\n a = one = two \nb=x\n"
    assert parse_labels(text, "labels") == {"a": "one = two", "b": "x"}


@pytest.mark.parametrize("line", ["a", "= x", "a ="])
def test_a_line_that_is_no_label_is_an_error(line: str) -> None:
    with pytest.raises(ConfigError, match="`labels`, line 2: not a label"):
        parse_labels(f"a = b\n{line}\n", "labels")
