"""A garden with a real store, a clock that a test moves, and a model that a test scripts."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from memgardend.config.calendar import suppression
from memgardend.config.load import check
from memgardend.config.packs import Pack
from memgardend.config.zones import zone
from memgardend.core.clock import HOUR_MS, Clock, ManualClock
from memgardend.core.ids import Ids
from memgardend.core.ports import Failpoints, ModelCall, ModelReply, Store
from memgardend.core.records import Owner
from memgardend.core.words import Outcome
from memgardend.daemon.failpoints import NoFailpoints
from memgardend.daemon.store import open_store
from memgardend.jobs.context import Garden, Progress

START = 1_796_083_200_000  # 2026-12-01T00:00:00Z, 08:00 in Shanghai
KEY = b"k" * 32

Answer = dict[str, Any] | str | ModelReply
Script = Callable[[dict[str, Any]], Answer]


def nothing(request: dict[str, Any]) -> Answer:
    """The answer of a model that finds nothing worth keeping."""
    return {"operations": [], "questions": [], "summary": "nothing"}


@dataclass
class ScriptedModel:
    """Answers from the JSON request alone; remembers every call."""

    script: Script = nothing
    calls: list[ModelCall] = field(default_factory=list)
    requests: list[dict[str, Any]] = field(default_factory=list)
    ticks: int = 1

    def ask(self, call: ModelCall, tick: Callable[[], bool]) -> ModelReply:
        self.calls.append(call)
        request = json.loads(call.request)
        self.requests.append(request)
        for _ in range(self.ticks):
            if not tick():
                return ModelReply(outcome=Outcome.CANCELLED)
        answer = self.script(request)
        if isinstance(answer, ModelReply):
            return answer
        text = answer if isinstance(answer, str) else json.dumps(answer)
        return ModelReply(outcome=Outcome.OK, text=text, tokens_in=10, tokens_out=5)


def owner(name: str = "a") -> Owner:
    """A worker of a machine that nobody else can look into."""
    return Owner(host=name, boot_id=f"boot-{name}", pid_namespace="ns", pid=1, process_start="1")


def config_of(yaml: str = "") -> Any:
    """The settings of this YAML, without peak suppression unless it says so."""
    base = "locale: en\n" if "locale:" not in yaml else ""
    quiet = "" if "dream:" in yaml else "dream: {suppress_windows: []}\n"
    config, problems = check(base + quiet + yaml)
    assert config is not None, problems
    return config


def make_garden(
    folder: Path,
    *,
    clock: Clock | None = None,
    model: ScriptedModel | None = None,
    yaml: str = "",
    failpoints: Failpoints | None = None,
    name: str = "a",
    store: Store | None = None,
    is_gone: Callable[[Owner], bool] = lambda owner: False,
    watch: Callable[[Progress], None] = lambda progress: None,
) -> Garden:
    """A garden over `folder/memory.db`; several of them on one folder are several processes."""
    clock = clock or ManualClock(START)
    config = config_of(yaml)
    points = failpoints or NoFailpoints()
    opened = store or open_store(
        folder / ".memgarden" / "memory.db", "garden", clock=clock, failpoints=points, create=True
    )
    calendar = suppression(config.dream)
    return Garden(
        store=opened,
        config=config,
        clock=clock,
        ids=Ids(clock),
        model=model or ScriptedModel(),
        model_settings=config.dreaming_model,
        suppression=calendar,
        zone=zone(config.dream.time_zone),
        slot=Pack(config.locale, None, None).slot,
        owner=owner(name),
        is_gone=is_gone,
        end_models=lambda run: 0,
        failpoints=points,
        key=KEY,
        jitter=lambda: 0.0,
        token=lambda: "fence",
        watch=watch,
    )


def as_process(garden: Garden, **changes: Any) -> Garden:
    """The same garden seen by another worker."""
    return replace(garden, **changes)


QUIET_MS = 4 * HOUR_MS
