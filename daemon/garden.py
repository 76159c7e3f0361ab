"""Wire a workspace: its settings, its store and every effect that its jobs may use."""

from __future__ import annotations

import random
import secrets
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from memgardend.config.calendar import suppression
from memgardend.config.load import FILENAME, find, load
from memgardend.config.packs import STORE_FOLDER
from memgardend.config.zones import zone
from memgardend.core.errors import ConfigError
from memgardend.core.ids import Ids
from memgardend.daemon.clock import clock as clock_of
from memgardend.daemon.clock import guard_clock, note_clock
from memgardend.daemon.effective import keep_effective
from memgardend.daemon.failpoints import failpoints
from memgardend.daemon.locations import GARDEN, STORE_FILE
from memgardend.daemon.model import CommandModel
from memgardend.daemon.owner import this_process
from memgardend.daemon.process import end_marked
from memgardend.daemon.procfs import is_running
from memgardend.daemon.prompts import pack_of
from memgardend.daemon.registry import Registry, registry_dir, resolved
from memgardend.daemon.store import open_rehearsal, open_store
from memgardend.daemon.trust import require_registered, require_trust
from memgardend.jobs.context import Garden

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from memgardend.config.model import Config
    from memgardend.core.clock import Clock
    from memgardend.core.ports import Store
    from memgardend.jobs.context import Progress

NO_KEY = b""
"""Of a garden that signs nothing."""


@dataclass(frozen=True, slots=True)
class Workspace:
    """A folder that is tended. `named`: the person typed it (-w), which stands for registering it."""

    root: Path
    config: Config
    named: bool

    @property
    def folder(self) -> Path:
        """Our own folder in it."""
        return self.root / STORE_FOLDER

    @property
    def store_file(self) -> Path:
        """The SQLite file."""
        return self.folder / STORE_FILE


def find_workspace(given: Path | None) -> Workspace:
    """The workspace named, or the nearest one around the current folder.

    Raises ConfigError when there is none, or when its settings are wrong.
    """
    root = given if given is not None else find(Path())
    if root is None:
        raise ConfigError(f"no {FILENAME} in {Path.cwd()} or above", hint="memgardend init")
    root = root.parent if root.name == FILENAME else root
    return Workspace(resolved(root), load(root / FILENAME), given is not None)


def look(
    workspace: Workspace, environ: Mapping[str, str], clock: Clock | None = None
) -> tuple[Store, Clock]:
    """The store for looking: an absent one is empty, and nothing is created.

    Whoever looks again and again gives the same `clock`: a driven one begins when it is made.
    """
    clock = clock or clock_of(environ)
    store = _store(workspace, environ, clock, create=False)
    return store, clock


def open_garden(
    workspace: Workspace,
    environ: Mapping[str, str],
    *,
    watch: Callable[[Progress], None] = lambda progress: None,
    rehearsal: bool = False,
    feeding: bool = False,
    clock: Clock | None = None,
) -> Garden:
    """The garden for work: made if need be, and allowed to run its model command.

    `feeding` only takes events in: it dreams nothing, so that none is lost while a change of the model command
    waits for a person. A `rehearsal` works on a copy of the store that ends with it. Whoever opens several
    gardens gives them one `clock`: a driven one begins when it is made. Raises ConfigError when nobody agreed
    to the model command.
    """
    registry = Registry(registry_dir())
    config = workspace.config
    if feeding:
        require_registered(registry, workspace.root, workspace.named)
    else:
        require_trust(registry, workspace.root, workspace.named, config)
    clock = clock or clock_of(environ)
    if rehearsal:
        store: Store = open_rehearsal(workspace.store_file, GARDEN, failpoints=failpoints(environ))
        guard_clock(store, clock)
    else:
        store = _store(workspace, environ, clock, create=True)
        keep_effective(workspace.folder, config, pack_of(workspace.root, config.locale).slot)
    if not feeding:
        note_clock(store, clock)
    return _garden(workspace, store, clock, environ, registry.key(), watch)


def look_garden(
    workspace: Workspace,
    environ: Mapping[str, str],
    clock: Clock | None = None,
    *,
    signing: bool = False,
) -> Garden:
    """The garden for looking: an absent one is empty, nothing is created in the workspace and nothing written.

    Only with `signing` may what it says be signed as our own text. Where nobody registered or named the workspace,
    its prompt texts and its selection policy do not count.
    """
    registry = Registry(registry_dir())
    trusted = workspace.named or registry.is_registered(workspace.root)
    if not trusted:
        workspace = replace(workspace, config=_without_policy(workspace.config))
    store, clock = look(workspace, environ, clock)
    key = registry.key() if signing else NO_KEY
    return _garden(workspace, store, clock, environ, key, lambda progress: None, trusted=trusted)


def _without_policy(config: Config) -> Config:
    return config.model_copy(update={"recall": config.recall.model_copy(update={"policy": None})})


def _garden(
    workspace: Workspace,
    store: Store,
    clock: Clock,
    environ: Mapping[str, str],
    key: bytes,
    watch: Callable[[Progress], None],
    *,
    trusted: bool = True,
) -> Garden:
    config = workspace.config
    settings = config.dreaming_model
    return Garden(
        store=store,
        config=config,
        clock=clock,
        ids=Ids(clock),
        model=CommandModel(settings, clock, environ),
        model_settings=settings,
        suppression=suppression(config.dream),
        zone=zone(config.dream.time_zone),
        slot=pack_of(workspace.root if trusted else None, config.locale).slot,
        owner=this_process(),
        is_gone=lambda owner: not is_running(owner),
        end_models=partial(end_marked, clock=clock),
        failpoints=failpoints(environ),
        key=key,
        jitter=lambda: random.uniform(-1, 1),  # noqa: S311 - spreads retries, guards nothing
        token=lambda: secrets.token_hex(8),
        watch=watch,
    )


def _store(
    workspace: Workspace, environ: Mapping[str, str], clock: Clock, *, create: bool
) -> Store:
    store = open_store(
        workspace.store_file, GARDEN, clock=clock, failpoints=failpoints(environ), create=create
    )
    guard_clock(store, clock)
    return store
