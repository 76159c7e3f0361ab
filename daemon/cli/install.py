"""`memgardend install` and `memgardend uninstall`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from memgardend.core.errors import UsageError
from memgardend.daemon.cli import install_hooks
from memgardend.daemon.cli.commands import Commands
from memgardend.daemon.cli.options import JsonOption
from memgardend.daemon.cli.output import answer

if TYPE_CHECKING:
    from memgardend.daemon.registry import Registry
    from memgardend.daemon.units.install import Step
    from memgardend.daemon.units.needs import Needs
    from memgardend.daemon.units.place import Place

installing = Commands(help="Let something else start memgardend, or ask it.")
uninstalling = Commands(help="Take back exactly what `install` wrote.")
_HOOKED = {
    "claude-code": (
        "Let Claude Code recall: put our hooks into its settings; what others wrote there stays.",
        "Take our hooks out of the settings of Claude Code: byte for byte, where nobody else "
        "wrote since.",
    ),
    "codex": (
        "Let Codex recall: put our hooks beside its settings; what others wrote there stays.",
        "Take our hooks away from Codex: byte for byte, where nobody else wrote since.",
    ),
}
for _agent, (_in, _out) in _HOOKED.items():
    installing.command(_agent, help=_in)(install_hooks.installer(_agent))
    uninstalling.command(_agent, help=_out)(install_hooks.uninstaller(_agent))

SystemOption = Annotated[
    bool, typer.Option("--system", help="A service of the machine, for a user who need not log in.")
]
UserOption = Annotated[
    str | None,
    typer.Option(
        "--user", metavar="NAME", help="Whose memories, with --system. Default: who called sudo."
    ),
]
DryRunOption = Annotated[
    bool, typer.Option("--dry-run", help="Show what would be done, and do nothing.")
]


@installing.command("systemd")
def install_systemd(
    system: SystemOption = False,
    user: UserOption = None,
    force: Annotated[
        bool,
        typer.Option(
            "--force", help="Replace units that were changed by hand; they are kept beside."
        ),
    ] = False,
    dry_run: DryRunOption = False,
    as_json: JsonOption = False,
) -> None:
    """Write a service that dreams day and night; say what was written, and what to type next.

    It holds whole paths: a service does not read the settings of your shell.
    """
    import os

    from memgardend.daemon.screens.install import install_lines
    from memgardend.daemon.units.install import apply, plan_install, require_systemd
    from memgardend.daemon.units.needs import find_needs, installation

    place = _place(system=system, user=user, dry_run=dry_run)
    argv = installation()
    _require_lasting(place, Path(argv[0]))
    needs = find_needs(place, os.environ, _registry(place))
    steps = plan_install(place, needs, argv, force=force)
    if not dry_run:
        require_systemd()
        apply(steps)
    document = _document(place, steps, dry_run=dry_run) | {
        "programs": list(needs.programs),
        "variables": list(needs.names),
        "env_file": str(place.env_file),
        "next": _after_install(place, needs, steps),
    }
    answer(document, lambda width: install_lines(document, width), as_json=as_json)


@uninstalling.command("systemd")
def uninstall_systemd(
    system: SystemOption = False,
    user: UserOption = None,
    force: Annotated[
        bool, typer.Option("--force", help="Remove units that were changed by hand, too.")
    ] = False,
    dry_run: DryRunOption = False,
    as_json: JsonOption = False,
) -> None:
    """Remove what `install systemd` wrote, and nothing else.

    What you changed or filled in stays, and is named.
    """
    from memgardend.daemon.screens.install import uninstall_lines
    from memgardend.daemon.units.install import Action, apply, plan_removal

    place = _place(system=system, user=user, dry_run=dry_run)
    steps = plan_removal(place, force=force)
    if not dry_run:
        apply(steps)
    there = any(step.action is not Action.ABSENT for step in steps)
    typed = [place.typed("stop", place.unit), place.typed("daemon-reload")] if there else []
    document = _document(place, steps, dry_run=dry_run) | {"next": typed}
    answer(document, lambda width: uninstall_lines(document, width), as_json=as_json)


def _place(*, system: bool, user: str | None, dry_run: bool) -> Place:
    """Raises UsageError where it cannot be known whose, or root must do it."""
    import os

    from memgardend.daemon.units.place import system_place, user_place

    if not system:
        if user is not None:
            raise UsageError(
                "--user names whose system service; your own needs no name",
                hint=f"memgardend install systemd --system --user {user}",
            )
        return user_place(os.environ)
    name = user or os.environ.get("SUDO_USER")
    if name is None:
        raise UsageError(
            "whose memories? A system service runs as one user",
            hint="memgardend install systemd --system --user NAME",
        )
    if os.geteuid() != 0 and not dry_run:
        raise UsageError("only root writes services of the system", hint="sudo -s")
    return system_place(name)


def _require_lasting(place: Place, program: Path) -> None:
    """Raises UsageError for an installation that the service could not run, today or tomorrow."""
    import os
    import pwd
    import sys

    from memgardend.daemon.units.needs import may_vanish, reachable

    uid = pwd.getpwnam(place.user).pw_uid
    for needed in (program, Path(sys.executable).resolve()):
        if not reachable(needed, uid):
            raise UsageError(
                f"{place.user} cannot reach {needed}",
                hint="python3 -m venv /opt/memgardend && /opt/memgardend/bin/pip install memgardend",
            )
    if may_vanish(program, place.home, os.environ):
        raise UsageError(
            f"{program} lies in a cache, and may be gone tomorrow",
            hint="uv tool install memgardend",
        )


def _registry(place: Place) -> Registry:
    from memgardend.daemon.registry import Registry, registry_dir

    return Registry(place.home / ".local/state/memgardend" if place.system else registry_dir())


def _document(place: Place, steps: list[Step], *, dry_run: bool) -> dict[str, Any]:
    return {
        "schema": 1,
        "dry_run": dry_run,
        "unit": place.unit,
        "files": [
            {"path": str(step.file), "action": str(step.action)}
            | ({"text": step.text} if dry_run else {})
            for step in steps
        ],
    }


def _after_install(place: Place, needs: Needs, steps: list[Step]) -> list[str]:
    from memgardend.daemon.units.install import Action, missing_values

    typed = [] if needs.tends else ["memgardend init"]
    typed += [place.edited] if missing_values(place, needs) else []
    typed += [place.typed("daemon-reload"), place.typed("enable --now", place.unit)]
    if any(step.action in (Action.UPDATED, Action.REPLACED) for step in steps):
        typed.append(place.typed("restart", place.unit))
    typed += [] if place.lingers else ["loginctl enable-linger"]
    return [*typed, "memgardend doctor"]
