"""A command line as the library's model, and where a command line keeps cards."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest

from memgardend import GardenComponent, InMemoryStore, SqliteStore
from memgardend.core.clock import ManualClock, SystemClock
from memgardend.core.errors import UsageError
from memgardend.daemon.library.model_command import ModelCommand, ModelCommandError
from memgardend.daemon.library.places import open_place
from support.capturing import request

PYTHON = shlex.quote(sys.executable)


def command(
    code: str, *, env: tuple[str, ...] = (), heard: list[str] | None = None
) -> ModelCommand:
    return ModelCommand(
        f"{PYTHON} -c {shlex.quote(code)}",
        clock=SystemClock(),
        environ={"PATH": "/usr/bin:/bin", "KEY": "k", "OTHER": "o"},
        env=env,
        tell=(heard if heard is not None else []).append,
    )


def test_a_prompt_in_a_reply_out_and_only_named_variables() -> None:
    code = "import os, sys; print(sys.stdin.read(), os.environ.get('KEY'), os.environ.get('OTHER'))"
    assert command(code, env=("KEY",))("你好").strip() == "你好 k None"


def test_a_command_that_fails_is_told_and_becomes_a_word() -> None:
    heard: list[str] = []
    failing = command("raise SystemExit(3)", heard=heard)
    with pytest.raises(ModelCommandError) as raised:
        failing("x")
    assert (raised.value.hint or "").startswith("echo hello | "), "no workspace has this model"
    result = GardenComponent(model=failing).capture(request())
    assert result.error == "model_failed:ModelCommandError"
    assert len(heard) == 2 and "3" in heard[0]


def test_a_program_is_found_from_where_one_types(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = tmp_path / "my model.sh"
    script.write_text("#!/bin/sh\ncat\n")
    script.chmod(0o700)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("'./my model.sh'", "~/'my model.sh'"):
        model = ModelCommand(name, clock=SystemClock(), environ={"PATH": "/usr/bin:/bin"})
        assert model("hi") == "hi"


@pytest.mark.parametrize("text", ["", "  ", "'unfinished"])
def test_what_is_no_command_is_refused_at_once(text: str) -> None:
    with pytest.raises(UsageError):
        ModelCommand(text, clock=SystemClock(), environ={})


def test_places(tmp_path: Path, clock: ManualClock) -> None:
    file = open_place(f"sqlite:///{tmp_path}/m.db", clock)
    assert isinstance(file, SqliteStore) and file.path == tmp_path / "m.db"
    assert isinstance(open_place("memory://", clock), InMemoryStore)
    for wrong in ("", "sqlite:///", "postgres://x", "memory.db"):
        with pytest.raises(UsageError):
            open_place(wrong, clock)
