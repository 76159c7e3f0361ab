"""The help of every command."""

from __future__ import annotations

import pytest

from memgardend.daemon.cli.app import app


def test_no_flag_is_told_to_take_a_value(capsys: pytest.CaptureFixture[str]) -> None:
    for line in (["status"], ["config", "check"], ["install", "systemd"]):
        app(args=[*line, "--help"], standalone_mode=False)
        assert "<bool>" not in capsys.readouterr().out
