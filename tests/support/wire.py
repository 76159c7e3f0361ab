"""A service in this process: requests in few words, answers as they are sent."""

from __future__ import annotations

import io
import json
from dataclasses import dataclass, field
from typing import Any

from memgardend import GardenComponent, InMemoryStore
from memgardend.core.clock import ManualClock
from memgardend.daemon.serve.desk import Desk
from memgardend.daemon.serve.lines import serve
from memgardend.daemon.serve.service import Service
from memgardend.daemon.serve.sessions import Sessions
from support.mounting import Answers

MEI = {"tenant": "t", "owner": "mei"}


@dataclass
class Wire:
    """A service whose model gives some replies, or is none."""

    model: Answers | None = None
    store: Any = field(default_factory=InMemoryStore)
    clock: ManualClock = field(default_factory=lambda: ManualClock(1_796_083_200_000))
    capacity: int = 1024

    def __post_init__(self) -> None:
        sessions = Sessions(self.clock, capacity=self.capacity)
        component = GardenComponent(model=self.model)
        self.service = Service(Desk(component, self.store, sessions, "9.9"))

    def lines(self, *lines: bytes) -> list[dict[str, Any]]:
        """What is answered to these lines."""
        given, said = io.BytesIO(b"\n".join(lines)), io.BytesIO()
        serve(self.service, given, said)
        return [json.loads(line) for line in said.getvalue().splitlines()]

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        """The answer to one request."""
        request = {"id": 1, "method": method, "params": params}
        [answer] = self.lines(json.dumps(request).encode())
        return answer

    def ok(self, method: str, **params: Any) -> dict[str, Any]:
        """The result of a request that must succeed."""
        answer = self.ask(method, **params)
        assert answer["ok"], answer
        result: dict[str, Any] = answer["result"]
        return result

    def mei(self, method: str, **params: Any) -> dict[str, Any]:
        """The result of one about Mei's garden."""
        return self.ok(method, scope=MEI, **params)

    def code(self, method: str, **params: Any) -> str:
        """The code of a request that must fail."""
        answer = self.ask(method, **params)
        assert not answer["ok"], answer
        return str(answer["error"]["code"])
