"""Which conversation a client speaks for, as far as its program says so itself.

The protocol names none. Seen in the programs: Codex 0.171 names its thread in the `_meta` of each call; Claude
Code 2.1.332 starts a server with its session in the environment, and adds no more than the id of the call.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from memgardend.daemon.sources import claude_code, codex_head

if TYPE_CHECKING:
    from collections.abc import Mapping

_CODEX, _CLAUDE_CODE = "codex", "claude-code"
"""How the names of these clients begin."""
_THREAD, _SESSION = "threadId", "CLAUDE_CODE_SESSION_ID"
_ID_CHARS = 200


@dataclass(frozen=True, slots=True)
class Caller:
    """The program that calls: the name that it gave, and what it adds to this call."""

    client: str = ""
    meta: Mapping[str, Any] = field(default_factory=dict)

    @property
    def thread(self) -> str | None:
        """The window that the call itself is made in."""
        return _window(codex_head.KIND, self.meta.get(_THREAD)) if self._is(_CODEX) else None

    def session(self, environ: Mapping[str, str]) -> str | None:
        """The window for which the server was started; after `/clear` it is the one before.

        Only for the client that says so: programs pass on the environment in which they were started.
        """
        if not self._is(_CLAUDE_CODE):
            return None
        return _window(claude_code.KIND, environ.get(_SESSION))

    def _is(self, client: str) -> bool:
        return self.client.startswith(client)


def _window(source: str, native: object) -> str | None:
    if not isinstance(native, str) or not native.isprintable() or not 0 < len(native) <= _ID_CHARS:
        return None
    return f"{source}:{native}"
