"""`memgardend`: one module a command, and every way to end in an exit code (DESIGN section 9)."""

from __future__ import annotations

import io
import os
import shlex
import signal
import sys
from itertools import takewhile
from typing import TYPE_CHECKING, Annotated

import typer

from memgardend.core.errors import MemgardendError
from memgardend.daemon.cli import (
    backup,
    cancel,
    capture,
    config,
    diff,
    doctor,
    dream,
    dreams,
    edit,
    event,
    importing,
    ingest,
    init,
    install,
    logs,
    mcp,
    memories,
    metrics,
    model,
    pause,
    project,
    purge,
    recall,
    remember,
    restore,
    retry,
    run,
    serve,
    show,
    skip,
    status,
    version,
    why,
    windows,
)
from memgardend.daemon.cli.commands import Commands
from memgardend.daemon.cli.hints import here, named, placed
from memgardend.daemon.cli.options import FEED, LOOK, RUN, SET_UP, TEND
from memgardend.daemon.cli.output import report, say
from memgardend.daemon.lean import spare_openssl

if TYPE_CHECKING:
    from collections.abc import Sequence

INTERRUPTED = 130

app = Commands(
    name="memgardend",
    help="The night shift for agent memory: reads the conversations that agents leave on disk, waits until "
    "they are quiet, and dreams them into a small, readable memory.",
    epilog="Exit codes: 0 fine · 1 failed · 2 usage · 3 no daemon · 69 model unavailable · 75 not now · "
    "78 configuration, trust, schema or corruption · 130 interrupted.",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("status", rich_help_panel=LOOK)(status.status)
app.command("windows", rich_help_panel=LOOK)(windows.windows)
app.command("dreams", rich_help_panel=LOOK)(dreams.dreams)
app.command("show", rich_help_panel=LOOK)(show.show)
app.command("diff", rich_help_panel=LOOK)(diff.diff)
app.command("why", rich_help_panel=LOOK)(why.why)
app.command("memories", rich_help_panel=LOOK)(memories.memories)
app.command("project", rich_help_panel=LOOK)(project.project)
app.command("recall", rich_help_panel=LOOK)(recall.recall)
app.command("logs", rich_help_panel=LOOK)(logs.logs)
app.command("metrics", rich_help_panel=LOOK)(metrics.metrics)
app.command("dream", rich_help_panel=TEND)(dream.dream)
app.command("cancel", rich_help_panel=TEND)(cancel.cancel)
app.command("retry", rich_help_panel=TEND)(retry.retry)
app.command("skip", rich_help_panel=TEND)(skip.skip)
app.command("unskip", rich_help_panel=TEND)(skip.unskip)
app.command("pause", rich_help_panel=TEND)(pause.pause)
app.command("resume", rich_help_panel=TEND)(pause.resume)
app.add_typer(importing.app, name="import", rich_help_panel=TEND)
app.command("remember", rich_help_panel=TEND)(remember.remember)
app.command("edit", rich_help_panel=TEND)(edit.edit)
app.command("archive", rich_help_panel=TEND)(edit.archive)
app.command("purge", rich_help_panel=TEND)(purge.purge)
app.command("backup", rich_help_panel=TEND)(backup.backup)
app.command("restore", rich_help_panel=TEND)(restore.restore)
app.command("ingest", rich_help_panel=FEED)(ingest.ingest)
app.command("event", rich_help_panel=FEED)(event.event)
app.command("capture", rich_help_panel=FEED)(capture.capture)
app.command("init", rich_help_panel=SET_UP)(init.init)
app.add_typer(install.installing, name="install", rich_help_panel=SET_UP)
app.add_typer(install.uninstalling, name="uninstall", rich_help_panel=SET_UP)
app.add_typer(config.app, name="config", rich_help_panel=SET_UP)
app.add_typer(model.app, name="model", rich_help_panel=SET_UP)
app.command("doctor", rich_help_panel=SET_UP)(doctor.doctor)
app.command("version", rich_help_panel=SET_UP)(version.version)
app.command("run", rich_help_panel=RUN)(run.run)
app.command("mcp", rich_help_panel=RUN)(mcp.mcp)
app.command("serve", rich_help_panel=RUN)(serve.serve)
app.command("manifest", rich_help_panel=RUN)(serve.manifest)


def _print_version(wanted: bool) -> None:
    if wanted:
        sys.stdout.write(f"memgardend {version.installed()}\n")
        raise typer.Exit


@app.callback()
def _before_any_command(
    version: Annotated[
        bool,
        typer.Option(
            "--version",
            help="Print the version and exit.",
            is_eager=True,
            callback=_print_version,
        ),
    ] = False,
) -> None: ...


def main() -> None:
    """The installed command."""
    spare_openssl()
    _open_missing_streams()
    _let_signals_interrupt()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a terminal that cannot show ✓ gets a `?`
            stream.reconfigure(errors="replace")
    code = run_command(sys.argv[1:])
    _drop_what_cannot_be_written()
    sys.exit(code)


def run_command(arguments: Sequence[str]) -> int:
    """Run one command line; returns the exit code. Expected errors are said in two lines."""
    as_json = "--json" in arguments
    try:
        code = app(args=list(arguments), prog_name="memgardend", standalone_mode=False)
        sys.stdout.flush()
    except MemgardendError as error:
        hint = placed(error.hint, here(named(arguments)))
        return report(str(error), hint, error.exit_code, as_json=as_json)
    except typer.TyperException as error:
        message = error.format_message()
        if not message:  # no arguments at all: the help is printed already
            return error.exit_code
        message = message.replace(": Value error, ", ": ")  # pydantic's word for what we refused
        return report(message, _help_of(error, arguments), error.exit_code, as_json=as_json)
    except (KeyboardInterrupt, typer.Abort):
        say("interrupted")
        return INTERRUPTED
    except BrokenPipeError:  # whoever read stdout has seen enough
        return MemgardendError.exit_code
    except OSError as error:  # what no seam expected: stdout on a full disk, files nobody may read
        message = ": ".join(filter(None, (error.strerror or str(error), error.filename)))
        hint = placed("memgardend doctor", here(named(arguments)))
        return report(message, hint, MemgardendError.exit_code, as_json=as_json)
    return code if isinstance(code, int) else 0


def _open_missing_streams() -> None:
    """Who started us may have closed some of the three: what nobody reads is said to nobody."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115, PTH123


def _drop_what_cannot_be_written() -> None:
    """Python would fail over it once more when it ends, and say so with exit code 120."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _let_signals_interrupt() -> None:
    """A command that is told to end, or whose terminal closes, ends its model as after Ctrl-C."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) == signal.SIG_DFL:  # nohup ignores the latter
            signal.signal(number, signal.default_int_handler)


def _help_of(error: typer.TyperException, arguments: Sequence[str]) -> str:
    """The help page of the command that was typed wrong; the parser of options does not say which that is."""
    context = getattr(error, "ctx", None)
    typed = takewhile(lambda word: not word.startswith("-"), arguments)
    return f"{context.command_path if context else shlex.join(['memgardend', *typed])} --help"
