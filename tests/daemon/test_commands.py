"""The help of every command."""

from __future__ import annotations

import pytest

from memgardend.daemon.cli.app import app


@pytest.mark.parametrize("line", ["status", "project", "edit", "config check", "install systemd"])
def test_no_help_names_a_type(line: str, capsys: pytest.CaptureFixture[str]) -> None:
    app(args=[*line.split(), "--help"], standalone_mode=False)
    assert "<" not in capsys.readouterr().out
