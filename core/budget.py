"""What models may be asked in an hour and in a day, what was spent of it, and when there is room again."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

from memgardend.core.clock import HOUR_MS
from memgardend.core.days import day_of
from memgardend.core.words import BudgetKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import tzinfo

_UNITS = {
    BudgetKind.CALLS_PER_HOUR: "calls within an hour",
    BudgetKind.CALLS_PER_DAY: "calls today",
    BudgetKind.TOKENS_PER_DAY: "tokens today",
    BudgetKind.MONEY_PER_DAY: "{} today",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The limits of one store; None is no limit. A day is one of `zone`."""

    zone: tzinfo
    calls_per_hour: int | None = None
    calls_per_day: int | None = None
    tokens_per_day: int | None = None
    money_per_day: Decimal | None = None
    currency: str | None = None

    @property
    def any(self) -> bool:
        """True when something is limited."""
        return any(limit is not None for limit in self._of.values())

    @property
    def _of(self) -> dict[BudgetKind, int | Decimal | None]:
        return {kind: getattr(self, kind) for kind in BudgetKind}

    def set_ones(self) -> Iterator[tuple[BudgetKind, int | Decimal]]:
        """The limits that there are."""
        for kind, limit in self._of.items():
            if limit is not None:
                yield kind, limit

    def since(self, at: int) -> int:
        """From when on calls count at this instant, in epoch milliseconds."""
        return min(at - HOUR_MS + 1, day_of(at, self.zone)[0])


@dataclass(frozen=True, slots=True)
class Call:
    """One counted model call. `cost` is in `currency`; None when it is not known."""

    at: int
    tokens: int = 0
    cost: Decimal | None = None
    currency: str | None = None


@dataclass(frozen=True, slots=True)
class Standing:
    """How one limit stands. `opens_at`: from when on there is room; None when never."""

    kind: BudgetKind
    spent: int | Decimal
    limit: int | Decimal
    opens_at: int | None

    @property
    def full(self) -> bool:
        """True when nothing more may be asked."""
        return self.spent >= self.limit

    def text(self, currency: str | None) -> str:
        """`60 of 60 calls today`; amounts of money in `currency`."""
        return f"{_plain(self.spent)} of {_plain(self.limit)} {_UNITS[self.kind].format(currency)}"


@dataclass(frozen=True, slots=True)
class Spending:
    """The limits, and the calls that may count towards them, in any order."""

    limits: Limits
    calls: Sequence[Call] = ()

    def standings(self, at: int) -> tuple[Standing, ...]:
        """Each limit at an instant."""
        return tuple(
            Standing(kind, self._spent(kind, at), limit, self._room(kind, limit, at))
            for kind, limit in self.limits.set_ones()
        )

    def text(self, at: int) -> str:
        """Every limit that is reached; where none is, how each stands."""
        standings = self.standings(at)
        shown = [one for one in standings if one.full] or standings
        return ", ".join(one.text(self.limits.currency) for one in shown)

    def opens(self, at: int) -> int | None:
        """The earliest instant from `at` on at which no limit is reached; None when there is none."""
        while True:
            room = [self._room(kind, limit, at) for kind, limit in self.limits.set_ones()]
            latest = at
            for one in room:
                if one is None:
                    return None
                latest = max(latest, one)
            if latest == at:
                return at
            at = latest

    def _room(self, kind: BudgetKind, limit: int | Decimal, at: int) -> int | None:
        """The earliest instant from `at` on at which this limit is not reached."""
        if limit == 0:
            return None
        while self._spent(kind, at) >= limit:
            if kind is BudgetKind.CALLS_PER_HOUR:
                times = sorted(call.at for call in self._in_hour(at))
                at = times[len(times) - int(limit)] + HOUR_MS
            else:
                at = day_of(at, self.limits.zone)[1]
        return at

    def _spent(self, kind: BudgetKind, at: int) -> int | Decimal:
        if kind is BudgetKind.CALLS_PER_HOUR:
            return len(self._in_hour(at))
        start, end = day_of(at, self.limits.zone)
        calls = [call for call in self.calls if start <= call.at < end]
        if kind is BudgetKind.CALLS_PER_DAY:
            return len(calls)
        if kind is BudgetKind.TOKENS_PER_DAY:
            return sum(call.tokens for call in calls)
        known = (call.cost for call in calls if call.currency == self.limits.currency)
        return sum((cost for cost in known if cost is not None), Decimal(0))

    def _in_hour(self, at: int) -> list[Call]:
        """The calls of the last hour. Those stamped up to an hour ahead count: the clock was set back."""
        return [call for call in self.calls if at - HOUR_MS < call.at < at + HOUR_MS]


def _plain(amount: int | Decimal) -> str:
    """Digits alone: no exponent, and no zeros after the last decimal that counts."""
    text = format(Decimal(amount), "f")
    return text.rstrip("0").rstrip(".") if "." in text else text
