"""Who may run: a workspace registered by `init`, or named with -w in this command (DESIGN section 8)."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from memgardend.core.errors import ConfigError
from memgardend.daemon.registry import nearest_of, resolved

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from memgardend.config.model import Config
    from memgardend.core.records import Window
    from memgardend.daemon.registry import Registry


def require_registered(registry: Registry, root: Path, named: bool) -> None:
    """Return when anything of the workspace may run. Raises ConfigError, with the way to register, otherwise.

    `named` (-w) stands for registration: whoever types a folder means it, its model command included.
    """
    if not named and not registry.is_registered(root):
        raise ConfigError(
            f"{root} is not registered, so nothing of it runs",
            hint=f"memgardend init -w {shlex.quote(str(root))}",
        )


def require_trust(registry: Registry, root: Path, named: bool, config: Config) -> None:
    """Return when the workspace may run its model command. Raises ConfigError, with the way to agree, otherwise.

    Naming it does not stand for agreement to a change: where somebody once agreed to a model command, another
    one in its place asks again, as the file may have changed under the person's feet (a pull, an agent's edit).
    """
    require_registered(registry, root, named)
    if not is_agreed(registry, root, config):
        raise ConfigError(
            f"the model settings of {root} have changed since you agreed to them",
            hint=f"memgardend config trust -w {shlex.quote(str(root))}",
        )


def is_agreed(registry: Registry, root: Path, config: Config) -> bool:
    """False where somebody agreed to another model command than the one that is set now."""
    return not registry.is_registered(root) or registry.model_trusted(root, config)


def router(
    registry: Registry, root: Path, config: Config, named: Sequence[Path] = ()
) -> Callable[[Window], bool]:
    """Whether a window belongs to this workspace: the nearest one around its first cwd, else the one that
    says `cwd: any`. `named` are the workspaces of -w. Raises ConfigError when two say `any`."""
    home = resolved(root)
    kinds = {source.kind for source in config.sources or () if source.cwd == "any"}
    if kinds:
        registry.any_workspace((home, *named))
    registered = (entry.path for entry in registry.workspaces())
    tended = {home, *registered, *map(resolved, named)}

    def belongs(window: Window) -> bool:
        around = nearest_of(Path(window.cwd), tended) if window.cwd else None
        return around == home or (around is None and window.source in kinds)

    return belongs
