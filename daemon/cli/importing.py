"""`memgardend import …`."""

from __future__ import annotations

import shlex
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from memgardend.core.editorial.policies import PolicyName
from memgardend.core.errors import UsageError
from memgardend.daemon.cli.commands import Commands
from memgardend.daemon.cli.options import JsonOption, VerboseOption, WorkspaceOption
from memgardend.daemon.cli.output import answer, say

if TYPE_CHECKING:
    from memgardend.config.model import Config
    from memgardend.core.editorial.importing.request import ImportRequest
    from memgardend.daemon.garden import Workspace
    from memgardend.jobs.context import Garden
    from memgardend.jobs.importing import KeptImport

INTERRUPTED = 130
MIN_PIECE = 6_000
CARDS_A_PIECE = 50
"""Of one batch of 6 000 characters (core/editorial/importing/request.py); longer ones may give more."""

AROUND_CHARS = 26_000
"""What a prompt holds beside the batch: instructions, and up to 16 000 characters of existing cards."""

app = Commands(help="Bring memory along from elsewhere.")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Wanted:
    """What was typed."""

    file: Path
    policy: PolicyName
    keep_specifics: bool
    label: str
    locale: str | None
    batch_chars: int
    storage: str | None
    tenant: str


@app.command("text")
def text(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A text file; - is stdin.")],
    policy: Annotated[
        PolicyName, typer.Option("--policy", help=f"What is worth a card: {', '.join(PolicyName)}.")
    ] = PolicyName.HISTORY_IMPORT,
    keep_specifics: Annotated[
        bool,
        typer.Option("--keep-specifics", help="history_import: keep what happened only once, too."),
    ] = False,
    label: Annotated[
        str, typer.Option("--label", metavar="TEXT", help="What it is, as the model is told.")
    ] = "",
    locale: Annotated[
        str | None,
        typer.Option(
            "--locale", metavar="LOCALE", help="Language of the cards. Default: the workspace's."
        ),
    ] = None,
    batch_chars: Annotated[
        int, typer.Option("--batch-chars", min=200, help="Characters of one batch.")
    ] = MIN_PIECE,
    storage: Annotated[
        str | None,
        typer.Option(
            "--storage", metavar="FILE", help="Store the cards in this file, not the workspace."
        ),
    ] = None,
    tenant: Annotated[
        str, typer.Option("--tenant", metavar="NAME", help="With --storage: whose cards they are.")
    ] = "default",
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what it would take; ask and store nothing.")
    ] = False,
    restart: Annotated[
        bool, typer.Option("--restart", help="Begin anew, whatever was imported of it.")
    ] = False,
    skip_failed: Annotated[
        bool,
        typer.Option("--skip-failed", help="Leave out a batch that the model makes nothing of."),
    ] = False,
    workspace: WorkspaceOption = None,
    verbose: VerboseOption = False,
    as_json: JsonOption = False,
) -> None:
    """Make cards of old text: an export of chats, a diary, notes.

    The workspace's model reads it batch by batch. Each is stored before the next is read.
    So the same command goes on wherever it stopped. It obeys budget and pause, but waits for no peak to end.

    Exit codes: 0 all is imported · 1 a batch failed · 69 model unavailable · 75 budget, pause or breaker.
    """
    from memgardend.daemon.cli.hints import here
    from memgardend.daemon.cli.opening import looking, working
    from memgardend.daemon.screens.importing import import_lines
    from memgardend.jobs.look.importing import estimate_document

    wanted = _Wanted(
        file=file,
        policy=policy,
        keep_specifics=keep_specifics,
        label=label,
        locale=locale,
        batch_chars=batch_chars,
        storage=storage,
        tenant=tenant,
    )
    if dry_run:
        with looking(workspace) as place:
            config = place.outlook.config
            request = _request(wanted, config)
            document = estimate_document(
                request, file=str(file), calls_per_day=_calls_per_day(config)
            )
    else:
        command = f"memgardend import text {shlex.quote(str(file))}"
        with working(workspace, verbose=verbose) as (home, garden):
            try:
                document = _import(home, garden, wanted, restart, skip_failed, verbose=verbose)
            except KeyboardInterrupt as error:
                say(
                    f"interrupted\ntry: {command}{here(workspace)}  # with the same options it goes on"
                )
                raise typer.Exit(INTERRUPTED) from error
    answer(document, lambda width: import_lines(document, width), as_json=as_json)
    raise typer.Exit(1 if document.get("failed") else 0)


def _import(
    home: Workspace,
    garden: Garden,
    wanted: _Wanted,
    restart: bool,
    skip_failed: bool,
    *,
    verbose: bool,
) -> dict[str, Any]:
    from memgardend.core.editorial.gardens import garden_key
    from memgardend.daemon.cli.import_progress import import_bar
    from memgardend.daemon.library.sqlite_store import SqliteStore
    from memgardend.daemon.locations import GARDEN
    from memgardend.daemon.store import open_store
    from memgardend.jobs.importing import run_import
    from memgardend.jobs.look.importing import import_document

    request = _request(wanted, garden.config)
    tenant = GARDEN if wanted.storage is None else wanted.tenant
    path = home.store_file if wanted.storage is None else Path(wanted.storage)
    cards = SqliteStore(
        path, clock=garden.clock, new_id=garden.ids.new, failpoints=garden.failpoints
    )
    store = open_store(
        cards.path,
        garden_key(tenant, None),
        clock=garden.clock,
        failpoints=garden.failpoints,
        create=True,
        own_folder=False,
    )
    try:
        kept = _open(store, wanted, request, restart=restart)
        with import_bar(sum(len(one.text) for one in request.pieces), quiet=verbose) as watch:
            calls = run_import(garden, kept, cards, tenant, skip_failed=skip_failed, watch=watch)
        return import_document(
            request,
            kept.session.progress,
            file=str(wanted.file),
            batches_left=kept.session.batches_left,
            resumed=kept.resumed,
            model_calls=calls,
        )
    finally:
        store.close()


def _open(store: Any, wanted: _Wanted, request: ImportRequest, *, restart: bool) -> KeptImport:
    """Go on, or begin; a person at a terminal is asked before what was begun is begun anew."""
    from memgardend.jobs.importing import ImportChangedError, open_import

    place = _place(wanted.file, request)
    try:
        return open_import(store, place, request, restart=restart)
    except ImportChangedError as error:
        if not (sys.stdin.isatty() and sys.stderr.isatty()):
            again = f"memgardend import text {shlex.quote(str(wanted.file))} --restart"
            raise ImportChangedError(str(error), hint=again) from error
        if not typer.confirm(f"{error}. Begin anew?", err=True):
            raise typer.Abort from error
        return open_import(store, place, request, restart=True)


def _place(file: Path, request: ImportRequest) -> str:
    """What the progress goes by: the file, or for stdin what it said."""
    from memgardend.daemon.text_file import STDIN

    return request.source_digest if str(file) == STDIN else str(file.resolve())


def _request(wanted: _Wanted, config: Config) -> ImportRequest:
    from memgardend.core.editorial.buckets import words_of
    from memgardend.core.editorial.importing.request import ImportRequest
    from memgardend.daemon.text_file import read_text

    locale = wanted.locale or config.locale
    words_of(locale)
    _require_room(wanted.batch_chars, config)
    return ImportRequest(
        locale=locale,
        material=read_text(wanted.file),
        tenant=wanted.tenant if wanted.storage else "",
        policy=wanted.policy,
        keep_specifics=wanted.keep_specifics,
        batch_chars=wanted.batch_chars,
        max_cards=max(CARDS_A_PIECE, CARDS_A_PIECE * wanted.batch_chars // MIN_PIECE),
        material_kind=wanted.label,
        ai_name=config.names.assistant,
        user_name=config.names.person,
    )


def _require_room(batch_chars: int, config: Config) -> None:
    most = config.dreaming_model.max_prompt_chars - AROUND_CHARS
    if batch_chars > most and not config.dreaming_model.offline:
        raise UsageError(
            f"batches of {batch_chars} characters do not fit model.max_prompt_chars",
            hint=f"--batch-chars {max(200, most)}",
        )


def _calls_per_day(config: Config) -> int | None:
    return None if config.dreaming_model.offline else config.budget.calls_per_day
