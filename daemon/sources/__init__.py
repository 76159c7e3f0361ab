"""Where conversations come from: one adapter per agent."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from memgardend.core.errors import ConfigError
from memgardend.daemon.sources import claude_code

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from memgardend.core.ports import Source

_ADAPTERS: dict[str, tuple[Callable[[Path], Source], Callable[[Mapping[str, str]], Path]]] = {
    claude_code.KIND: (claude_code.ClaudeCode, claude_code.default_root),
}
KINDS = tuple(_ADAPTERS)
"""The kinds of sources that this version reads."""


def source_for(kind: str, path: str | None, environ: Mapping[str, str]) -> Source:
    """The source of this kind, in the agent's own folder unless a path is given.

    Raises ConfigError for a kind that this version does not read.
    """
    if kind not in _ADAPTERS:
        raise ConfigError(
            f"sources: no adapter for {kind!r} in this version", hint=f"kind: {KINDS[0]}"
        )
    adapter, default_root = _ADAPTERS[kind]
    return adapter(Path(path).expanduser() if path else default_root(environ))


def found(environ: Mapping[str, str]) -> list[str]:
    """The kinds whose agent has left conversations on this machine."""
    return [kind for kind, (_, default_root) in _ADAPTERS.items() if default_root(environ).is_dir()]
