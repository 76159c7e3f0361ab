"""What to type where an extra is missing, in an environment with pip and in one without."""

from __future__ import annotations

import shlex
import sys

import pytest

from memgardend.daemon.cli import extras


@pytest.mark.parametrize(
    ("present", "typed"),
    [
        ({"mcp", "pip"}, None),
        ({"pip"}, f"{shlex.quote(sys.executable)} -m pip install 'memgardend[mcp]'"),
        (set(), "uv tool install 'memgardend[mcp]'"),
    ],
)
def test_the_missing_tools_go_into_this_installation(
    monkeypatch: pytest.MonkeyPatch, present: set[str], typed: str | None
) -> None:
    monkeypatch.setattr(extras, "find_spec", lambda name: name if name in present else None)
    assert extras.missing_tools() == typed
