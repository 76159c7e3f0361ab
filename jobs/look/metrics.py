"""The figures of a workspace for monitoring: those of `status`, and the sums of all calls ever made."""

from __future__ import annotations

from datetime import UTC
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Literal

from memgardend.core.exposition import Metric, Number, Sample
from memgardend.core.times import parse_time
from memgardend.core.words import DreamState, Status, WindowState
from memgardend.jobs.look.status import status_document

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memgardend.core.spent import Spent
    from memgardend.core.words import Outcome
    from memgardend.jobs.look.outlook import Outlook

PREFIX = "memgardend_"
_SECOND_MS = Decimal(1000)


def metrics_of(outlook: Outlook, at: int, version: str) -> tuple[Metric, ...]:
    """Every metric at an instant, each with the label `workspace`."""
    status = status_document(outlook, at)
    figures = _Figures(outlook.workspace)
    figures.gauge("info", "The program whose figures these are.", {("version", version): 1})
    _states(figures, status, outlook.store.counts())
    _conditions(figures, status)
    _budget(figures, status["budget"])
    _calls(figures, *outlook.store.calls_ever())
    return tuple(figures.metrics)


class _Figures:
    """Collects the metrics of one workspace."""

    def __init__(self, workspace: str) -> None:
        self.metrics: list[Metric] = []
        self._workspace = workspace

    def gauge(
        self, name: str, help_: str, values: Mapping[tuple[str, str], Number] | Number | None
    ) -> None:
        """A value that rises and falls; one a label where several are given; none where it is None."""
        self._add(name, "gauge", help_, values)

    def counter(
        self, name: str, help_: str, values: Mapping[tuple[str, str], Number] | Number
    ) -> None:
        """A sum that only rises."""
        self._add(f"{name}_total", "counter", help_, values)

    def _add(
        self,
        name: str,
        kind: Literal["gauge", "counter"],
        help_: str,
        values: Mapping[tuple[str, str], Number] | Number | None,
    ) -> None:
        here = {"workspace": self._workspace}
        if values is None:
            samples: tuple[Sample, ...] = ()
        elif isinstance(values, int | float | Decimal):
            samples = (Sample(here, values),)
        else:
            samples = tuple(
                Sample(here | {label: word}, value) for (label, word), value in values.items()
            )
        self.metrics.append(Metric(PREFIX + name, kind, help_, samples))


def _states(figures: _Figures, status: dict[str, Any], counts: dict[str, int]) -> None:
    states = [window["state"] for window in status["windows"]]
    figures.gauge(
        "windows",
        "Conversations by state.",
        {("state", word): states.count(word) for word in WindowState if word != WindowState.ASIDE},
    )
    figures.gauge(
        "dreams", "Dreams by state.", {("state", word): counts[word] for word in DreamState}
    )
    figures.gauge(
        "memories", "Memories by status.", {("status", word): counts[word] for word in Status}
    )
    figures.gauge("events", "Messages and tool steps kept.", counts["events"])
    figures.gauge(
        "unreadable_lines", "Lines of conversations not understood.", counts["unreadable_lines"]
    )
    figures.gauge(
        "review_operations", "Operations that wait for a person.", status["counts"]["review"]
    )


def _conditions(figures: _Figures, status: dict[str, Any]) -> None:
    daemon, suppression, breaker = status["daemon"], status["suppression"], status["breaker"]
    figures.gauge(
        "daemon_running",
        "1 while a daemon tends this workspace.",
        int(daemon["state"] == "running"),
    )
    figures.gauge(
        "daemon_last_tick_timestamp_seconds",
        "When the daemon last showed a sign of life.",
        _seconds(daemon["last_tick_at"]),
    )
    figures.gauge("paused", "1 while a person paused all dreams.", int(status["paused"]))
    figures.gauge(
        "suppressed", "1 while no dream starts for a peak.", int(suppression["suppressed"])
    )
    figures.gauge(
        "breaker_failures", "Failures of the model as a whole in a row.", breaker["failures"]
    )
    figures.gauge(
        "breaker_open", "1 while the model is left alone.", int(breaker["open_until"] is not None)
    )
    figures.gauge(
        "next_dream_timestamp_seconds",
        "When the next dream may start, as far as time alone decides.",
        _seconds(status["next"]["at"]),
    )


def _budget(figures: _Figures, budget: dict[str, Any]) -> None:
    limits = budget.get("limits", [])
    for name, help_ in (
        ("spent", "What counts towards each limit."),
        ("limit", "The limits that are set."),
    ):
        figures.gauge(
            f"budget_{name}", help_, {("kind", one["kind"]): Decimal(one[name]) for one in limits}
        )
    figures.gauge("budget_exhausted", "1 while a limit is reached.", int(budget.get("spent", 0)))


def _calls(figures: _Figures, spent: Spent, outcomes: Mapping[Outcome, int]) -> None:
    figures.counter(
        "model_calls",
        "Model calls by how they ended; those of the offline model are not counted.",
        {("outcome", word): count for word, count in outcomes.items()},
    )
    figures.counter(
        "model_tokens",
        "Tokens of these calls, reported or estimated.",
        {("direction", "in"): spent.tokens_in, ("direction", "out"): spent.tokens_out},
    )
    figures.counter(
        "model_seconds", "Seconds that these calls took.", spent.duration_ms / _SECOND_MS
    )
    figures.counter("model_unpriced_calls", "Calls whose cost is unknown.", spent.unpriced)
    figures.counter(
        "model_cost",
        "What the others cost, by currency.",
        {("currency", one.currency): one.cost for one in spent.amounts},
    )
    figures.counter(
        "model_saved",
        "How much less that is than at peak, where it is known.",
        {("currency", one.currency): one.saved for one in spent.amounts if one.saved is not None},
    )


def _seconds(at: str | None) -> Decimal | None:
    return None if at is None else parse_time(at, UTC) / _SECOND_MS
