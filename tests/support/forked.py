"""Run a command line in a forked process: one of its own, whose modules are loaded already.

Starting an interpreter costs twenty times what most commands do. What the start itself does is tested by the
installed program (`CommandLine.installed`).
"""

from __future__ import annotations

import functools
import importlib
import io
import os
import pkgutil
import sys
import tempfile
import traceback
from collections.abc import Mapping, Sequence
from pathlib import Path

import structlog
import typer.main

import memgardend.daemon
import memgardend.jobs
from memgardend.daemon.cli.app import app, main

for _package in (memgardend.daemon, memgardend.jobs):
    for _module in pkgutil.walk_packages(_package.__path__, f"{_package.__name__}."):
        if not _module.name.endswith(("offline", "demo", "mcp.server")):
            importlib.import_module(_module.name)
importlib.import_module("sqlite_utils")  # the driver asks for it when it opens a store

# Typer builds the tree of all commands anew for each command line, which costs more than most commands do.
typer.main.get_command = functools.cache(typer.main.get_command)
typer.main.get_command(app)


def run_forked(
    arguments: Sequence[str], stdin: str, env: Mapping[str, str], cwd: Path
) -> tuple[int, str, str]:
    """Exit code (negative: the signal that ended it), stdout and stderr of one command line."""
    with (
        tempfile.TemporaryFile() as given,
        tempfile.TemporaryFile() as out,
        tempfile.TemporaryFile() as err,
    ):
        given.write(stdin.encode())
        given.seek(0)
        child = os.fork()
        if child == 0:
            _become_command(arguments, env, cwd, (given.fileno(), out.fileno(), err.fileno()))
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        return code, _read(out.fileno()), _read(err.fileno())


def _become_command(
    arguments: Sequence[str], env: Mapping[str, str], cwd: Path, files: tuple[int, int, int]
) -> None:
    """Never returns: ends as the installed program would."""
    code = 1
    try:
        for number, file in enumerate(files):
            os.dup2(file, number)
        sys.stdin = io.TextIOWrapper(io.BufferedReader(io.FileIO(0)), encoding="utf-8")
        sys.stdout = io.TextIOWrapper(io.FileIO(1, "w"), encoding="utf-8", write_through=True)
        sys.stderr = io.TextIOWrapper(io.FileIO(2, "w"), encoding="utf-8", write_through=True)
        os.chdir(cwd)
        os.environ.clear()
        os.environ.update(env)
        structlog.reset_defaults()
        sys.argv = ["memgardend", *arguments]
        main()
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:  # noqa: BLE001 - whatever it is, this process must not go on as pytest
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def _read(file: int) -> str:
    os.lseek(file, 0, os.SEEK_SET)
    with os.fdopen(os.dup(file), "rb") as stream:
        return stream.read().decode("utf-8", errors="replace")
