"""When to try again: the backoff of one dream, and the breaker of the model as a whole."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace

from memgardend.core.clock import HOUR_MS, MINUTE_MS

FIRST_BACKOFF_MS = 5 * MINUTE_MS
LONGEST_BACKOFF_MS = 6 * HOUR_MS
JITTER = 0.2

BREAKER_FAILURES = 3
BREAKER_OPEN_MS = 15 * MINUTE_MS


def backoff_ms(failures: int, jitter: float) -> int:
    """How long to wait after so many consecutive failures, in milliseconds.

    5 minutes, doubled with each further failure, to 6 hours; `jitter` in [-1, 1] moves it by up to 20 %
    (DESIGN 5.6).
    """
    doublings = min(max(failures, 1) - 1, 10)  # ten doublings are past the longest wait
    plain = min(FIRST_BACKOFF_MS << doublings, LONGEST_BACKOFF_MS)
    return round(plain * (1 + JITTER * max(-1.0, min(1.0, jitter))))


@dataclass(frozen=True, slots=True)
class Breaker:
    """Keeps us from a model command that fails as a whole: three failures in a row shut it for 15 minutes.

    Then it is half-open: one dream takes the probe, and the others wait for how it ends, or until the
    probe's own deadline, so that a probe that dies cannot hold them for ever.
    """

    failures: int = 0
    open_until: int | None = None
    probe: str | None = None

    def may(self, now: int, dream: str | None = None) -> bool:
        """True when the model may be called, for this dream."""
        if self.open_until is None or now >= self.open_until:
            return True
        return dream is not None and dream == self.probe

    def half_open(self, now: int) -> bool:
        """True when whoever calls next must take the probe first."""
        return self.open_until is not None and now >= self.open_until

    def take_probe(self, dream: str, until: int) -> Breaker:
        """The one call of a half-open breaker is this dream's, until it ends or `until`."""
        return replace(self, probe=dream, open_until=until)

    def after_failure(self, now: int) -> Breaker:
        """One more failure of the model as a whole."""
        failures = self.failures + 1
        if failures < BREAKER_FAILURES:
            return Breaker(failures)
        return Breaker(failures, now + BREAKER_OPEN_MS)

    def by_hand(self, now: int) -> Breaker:
        """A person says that the model works again: half-open now, not when the time is up."""
        open_now = self.open_until is not None and now < self.open_until and self.probe is None
        return replace(self, open_until=now) if open_now else self

    def after_success(self) -> Breaker:
        """The model answered: closed again."""
        return Breaker()

    def to_json(self) -> str:
        """The stored form."""
        return json.dumps(asdict(self), separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str | None) -> Breaker:
        """Read what `to_json` wrote; None is a breaker that never saw a failure."""
        return cls(**json.loads(text)) if text else cls()
