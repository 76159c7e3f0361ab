"""The service in this process: on a clock that tests move, with workers that work at once, and no scheduler."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from memgardend.config.calendar import suppression
from memgardend.config.zones import zone
from memgardend.core.clock import ManualClock
from memgardend.core.ports import Store
from memgardend.core.records import Owner
from memgardend.daemon.failpoints import NoFailpoints
from memgardend.daemon.garden import Workspace
from memgardend.daemon.service.crew import Crew, Ended, Task, perform
from memgardend.daemon.service.housekeeping import HOUSEKEEPING
from memgardend.daemon.service.orders import Orders
from memgardend.daemon.service.service import Service
from memgardend.daemon.service.tended import Tended
from memgardend.daemon.service.tools import Tools
from memgardend.daemon.store import open_rehearsal
from memgardend.jobs.context import Garden
from memgardend.jobs.look.outlook import Trouble
from support.conversation import say
from support.garden import START, ScriptedModel, make_garden, owner

QUIET = "locale: en\nsources: []\ndream: {suppress_windows: []}\n"
"""Settings without sources and without peaks."""


@dataclass
class AtOnce:
    """A crew that does each task before the loop goes on."""

    done: list[Ended] = field(default_factory=list)

    def start(self, task: Task) -> None:
        self.done.append(perform(task))

    def ended(self) -> list[Ended]:
        done, self.done = self.done, []
        return done


class Stuck:
    """A crew whose tasks never end."""

    def start(self, task: Task) -> None:
        """Leave it lying."""

    def ended(self) -> list[Ended]:
        return []


@dataclass
class Serving:
    """A service over workspaces in a folder, and what it told systemd."""

    folder: Path
    clock: ManualClock = field(default_factory=lambda: ManualClock(START))
    model: ScriptedModel = field(default_factory=ScriptedModel)
    crew: Crew = field(default_factory=AtOnce)
    told: list[dict[str, object]] = field(default_factory=list)
    troubles: list[Mapping[Path, Trouble]] = field(default_factory=list)
    roots: set[Path] = field(default_factory=set)
    opened: Callable[[Garden], Garden] = lambda garden: garden
    is_gone: Callable[[Owner], bool] = lambda owner: False
    on_disk: bool = False  # else in memory: a disk is slow, and a day has 1 440 heartbeats
    rest: Callable[[], None] = lambda: None
    patience_ms: int = 10_000  # real ones: workers in threads of their own may be slow
    stores: dict[Path, Store] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.orders = Orders(self.clock, lambda: None)
        tools = Tools(
            clock=self.clock,
            environ=os.environ,
            open=self.open_garden,
            crew=self.crew,
            orders=self.orders,
            kill_models=lambda run: 0,
            tell=lambda **fields: self.told.append(fields),
            note=self.troubles.append,
            alive=lambda: None,
            rest=self.rest,
            patience_ms=self.patience_ms,
            owner=owner(),
            version="1",
            started_at=self.clock.now_ms(),
        )
        self.service = Service(tools, lambda: self.roots, named=False)

    def workspace(self, name: str = "work", yaml: str = QUIET) -> Path:
        """Settings in a folder that is registered from now on."""
        root = self.folder / name
        root.mkdir(exist_ok=True)
        (root / "memgarden.yaml").write_text(yaml, "utf-8")
        self.roots.add(root)
        return root

    def open_garden(self, place: Workspace) -> Garden:
        """A connection of one's own, as each worker needs it."""
        garden = make_garden(
            place.root,
            clock=self.clock,
            model=self.model,
            is_gone=self.is_gone,
            store=None if self.on_disk else self._in_memory(place.root),
        )
        return self.opened(
            replace(
                garden,
                config=place.config,
                model_settings=place.config.dreaming_model,
                suppression=suppression(place.config.dream),
                zone=zone(place.config.dream.time_zone),
            )
        )

    def _in_memory(self, root: Path) -> Store:
        if root not in self.stores:
            store = open_rehearsal(root / "none.db", "garden", failpoints=NoFailpoints())
            store.close = lambda: None  # type: ignore[method-assign]
            store.backup = lambda target: None  # type: ignore[method-assign]
            store.set_state(HOUSEKEEPING, None, str(self.clock.now_ms()))
            self.stores[root] = store
        return self.stores[root]

    def garden(self, name: str = "work") -> Garden:
        """The garden that the loop works on."""
        opened = self.tended(name).open
        assert opened is not None
        return opened.garden

    def tended(self, name: str = "work") -> Tended:
        return self.service.tended[self.folder / name]

    def speak(
        self, name: str = "work", window: str = "w", text: str = "alpha bravo", ago_ms: int = 0
    ) -> None:
        """Another process stores a person's turn, and rings."""
        place = self.tended(name).open
        assert place is not None
        store = self.open_garden(place.place).store
        say(store, window, text, at=self.clock.now_ms() - ago_ms)
        store.close()
        self.tended(name).look_again()

    def turn(self) -> None:
        """Turn the loop, and again at once as long as a worker that ended wakes it."""
        self.service.turn()
        while isinstance(self.crew, AtOnce) and self.crew.done:
            self.service.turn()

    def pass_time(self, milliseconds: int, doing: Callable[[], Any] = lambda: None) -> None:
        """Turn the loop whenever it wants to be turned, for so long."""
        end = self.clock.now_ms() + milliseconds
        while True:
            self.turn()
            doing()
            left = end - self.clock.now_ms()
            if left <= 0:
                return
            wanted = max(1, round(self.service.wait_seconds() * 1000))
            self.clock.advance(min(left, wanted))
