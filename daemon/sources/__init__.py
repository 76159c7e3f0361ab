"""Where conversations come from: one adapter per agent, and one for files of chat messages."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from memgardend.core.errors import ConfigError
from memgardend.daemon.sources import claude_code, codex, jsonl

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from memgardend.config.model import SourceSettings
    from memgardend.core.ports import Source

_ADAPTERS: dict[str, tuple[Callable[[Path], Source], Callable[[Mapping[str, str]], Path]]] = {
    claude_code.KIND: (claude_code.ClaudeCode, claude_code.default_root),
    codex.Codex.kind: (codex.Codex, codex.default_root),
}
AGENTS = tuple(_ADAPTERS)
"""The agents that this version reads, each in a folder of its own."""
KINDS = (*AGENTS, jsonl.KIND)
"""The kinds of sources that this version reads."""


def source_of(settings: SourceSettings, workspace: Path, environ: Mapping[str, str]) -> Source:
    """The source that the settings of a workspace name. A relative path starts there.

    Raises ConfigError for a kind that this version does not read, and for the home of somebody unknown.
    """
    path = None if settings.path is None else _expanded(settings.path)
    if settings.kind == jsonl.KIND and path is not None:
        return jsonl.JsonLines(workspace, str(path), None if settings.cwd == "any" else workspace)
    if settings.kind not in _ADAPTERS:
        raise ConfigError(
            f"sources: no adapter for {settings.kind!r} in this version",
            hint=f"kind: {AGENTS[0]}",
        )
    if path is None:
        return agent(settings.kind, environ)
    adapter, _ = _ADAPTERS[settings.kind]
    return adapter(workspace / path)


def agent(kind: str, environ: Mapping[str, str]) -> Source:
    """The source of an agent, in the agent's own folder. Raises KeyError for another kind."""
    adapter, default_root = _ADAPTERS[kind]
    return adapter(default_root(environ))


def found(environ: Mapping[str, str]) -> list[str]:
    """The agents that have left conversations on this machine."""
    return [kind for kind, (_, default_root) in _ADAPTERS.items() if default_root(environ).is_dir()]


def _expanded(path: str) -> Path:
    try:
        return Path(path).expanduser()
    except RuntimeError:
        raise ConfigError(f"sources: nobody's home is meant by {path}", hint="path: ~/…") from None
