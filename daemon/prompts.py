"""The prompt packs of a workspace: the folders that count, where each slot comes from, what is wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import platformdirs

from memgardend.config.packs import Pack
from memgardend.core.slots import SLOTS

if TYPE_CHECKING:
    from pathlib import Path

    from memgardend.config.pack_check import PackProblem


def user_dir() -> Path:
    """The user's config folder of this program; it may be absent."""
    return platformdirs.user_config_path("memgardend")


def pack_of(root: Path | None, locale: str) -> Pack:
    """The pack with the overrides of a workspace that is trusted (None: of no workspace) and of the user."""
    return Pack(locale, root, user_dir())


def slots_document(pack: Pack) -> dict[str, Any]:
    """Where each slot of a pack comes from."""
    found = {name: pack.find(name) for name in SLOTS}
    return {
        "schema": 1,
        "locale": pack.locale,
        "slots": [
            {
                "slot": name,
                "origin": one.origin if one else "missing",
                "file": str(one.file) if one else None,
            }
            for name, one in found.items()
        ],
    }


def check_document(problems: list[PackProblem], locales: list[str]) -> dict[str, Any]:
    """What is wrong in the packs, and which packs there are."""
    return {
        "schema": 1,
        "packs": locales,
        "problems": [
            {"file": one.file, "line": one.line, "message": one.message, "hint": one.hint}
            for one in problems
        ],
    }
