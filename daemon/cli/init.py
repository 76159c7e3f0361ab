"""`memgardend init`."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from memgardend.daemon.cli.consent import ask
from memgardend.daemon.cli.options import JsonOption, WorkspaceOption
from memgardend.daemon.cli.output import answer, say

if TYPE_CHECKING:
    from memgardend.daemon.setup import InitPlan
    from memgardend.daemon.survey import Survey


def init(
    workspace: WorkspaceOption = None,
    locale: Annotated[
        str | None,
        typer.Option("--locale", help="The language of memories: en, zh-Hans, or a pack of yours."),
    ] = None,
    assistant: Annotated[str, typer.Option("--assistant", help="The assistant's name.")] = "",
    person: Annotated[str, typer.Option("--person", help="Your name.")] = "",
    yes: Annotated[
        bool, typer.Option("--yes", help="Agree to the model command that memgarden.yaml names.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Tend this folder: write memgarden.yaml and register the workspace.

    Finds the agents on this machine. On a terminal it asks for the language of memories.
    Never overwrites settings.
    """
    import os

    from memgardend.config.load import FILENAME, load
    from memgardend.config.packs import locales
    from memgardend.daemon.clock import clock
    from memgardend.daemon.feed import every_source
    from memgardend.daemon.prompts import pack_of, user_dir
    from memgardend.daemon.registry import Registry, registry_dir, resolved
    from memgardend.daemon.screens.init import init_lines
    from memgardend.daemon.setup import apply_init, plan_init
    from memgardend.daemon.survey import survey

    root = resolved(workspace or Path.cwd())
    registry = Registry(registry_dir())
    found = survey(root, every_source(os.environ), registry, os.environ.get("LANG"))
    if locale is None and sys.stdin.isatty() and not (root / FILENAME).exists():
        locale = _ask_locale(found, locales(root, user_dir()))
    plan = plan_init(found, registry, locale, assistant=assistant, person=person)
    pack_of(root, plan.config.locale).require()
    _agree(plan, workspace, yes=yes, as_json=as_json)
    done = apply_init(plan, registry, clock(os.environ).now_ms())
    where = "" if workspace is None else f" -w {shlex.quote(str(workspace))}"
    document: dict[str, Any] = {
        "schema": 1,
        "workspace": str(root),
        "locale": load(root / FILENAME).locale,
        "model": plan.model_line,
        "wrote": [str(path) for path in done.wrote],
        "known_before": done.known_before,
        "agents": [
            {"kind": one.kind, "here": one.here, "elsewhere": one.elsewhere} for one in found.agents
        ],
        "next": [f"memgardend run --once{where}", f"memgardend status{where}"],
    }
    answer(document, lambda width: init_lines(document, width), as_json=as_json)


def _ask_locale(found: Survey, choices: list[str]) -> str:
    proposal = found.proposal
    basis = {"writing": "your own turns are in it", "client": "your machine's language"}
    because = f" ({basis[proposal.basis]})" if proposal.basis in basis else ""
    question = f"Language of memories, {' or '.join(choices)}{because}"
    return str(typer.prompt(question, default=proposal.locale or "en", err=True))


def _agree(plan: InitPlan, workspace: Path | None, *, yes: bool, as_json: bool) -> None:
    """Ask before a model command that came with the folder may run."""
    for name in plan.brought:
        say(f"warning: this folder brought its own .memgarden/{name}")
    if plan.must_agree:
        named = f"memgarden.yaml names a model command: {plan.model_line}"
        question = "May dreams run it?"
        ask(named, ["init"], workspace, yes=yes, as_json=as_json, question=question)
