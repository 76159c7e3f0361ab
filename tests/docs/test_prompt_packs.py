"""The contributor's page on prompt packs lists what a pack needs."""

from __future__ import annotations

import re
from pathlib import Path

from memgardend.core.slots import COMMON_PLACEHOLDERS, SLOTS

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "prompt-packs.md").read_text("utf-8")


def test_every_slot_is_listed_with_what_it_must_hold() -> None:
    rows = re.findall(r"^\| `([\w-]+)` \| .+ \| (.*)\|$", PAGE, re.MULTILINE)
    assert {name: set(re.findall(r"\{\{(\w+)\}\}", held)) for name, held in rows} == SLOTS


def test_every_common_placeholder_is_named() -> None:
    assert [name for name in COMMON_PLACEHOLDERS if f"`{{{{{name}}}}}`" not in PAGE] == []


def test_files_that_the_page_names_exist() -> None:
    named = re.findall(r"`((?:core|tests|config)/[\w/.-]+\.\w+)`", PAGE)
    assert named
    assert [name for name in named if "LOCALE" not in name and not (ROOT / name).exists()] == []
