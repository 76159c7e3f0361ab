"""The daemon as the store knows it: its heartbeat, and whether the process that beat still lives."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from memgardend.core.clock import MINUTE_MS
from memgardend.core.records import Owner
from memgardend.jobs.look.windows import instant
from memgardend.jobs.shared import DAEMON_KEY

if TYPE_CHECKING:
    from collections.abc import Callable

    from memgardend.core.ports import Store
    from memgardend.jobs.look.outlook import Trouble

_DEAD_AFTER_MS = 3 * MINUTE_MS
"""The daemon beats every minute; after three missed beats it counts as dead."""


def daemon_document(
    store: Store,
    now: int,
    *,
    is_gone: Callable[[Owner], bool] = lambda owner: False,
    trouble: Trouble | None = None,
    settings: str = "",
) -> dict[str, Any]:
    """`running`, `dead` or `never`, and what troubles it here. `is_gone` knows whether a process provably is.

    `settings`: the mark of the settings as they are now, where somebody looked.
    """
    text = store.state(DAEMON_KEY)
    beat = json.loads(text) if text else {}
    state = "never"
    if trouble is not None:  # who cannot write its heartbeat, because the disk is full, is not dead
        state = "running"
    elif beat:
        late = now - beat["last_tick_at"] > _DEAD_AFTER_MS
        gone = "owner" in beat and is_gone(Owner.parse(beat["owner"]))
        state = "dead" if late or gone else "running"
    return {
        "state": state,
        "pid": beat.get("pid"),
        "version": beat.get("version"),
        "started_at": instant(beat.get("started_at")),
        "last_tick_at": instant(beat.get("last_tick_at")),
        "errors": beat.get("errors", 0),
        "last_error": beat.get("last_error"),
        "last_error_at": instant(beat.get("last_error_at")),
        "settings_kept": beat.get("kept"),
        "settings_old": state == "running"
        and bool(settings)
        and beat.get("settings", settings) != settings,
        "trouble": trouble.text if trouble else None,
        "retry_at": instant(trouble.retry_at) if trouble else None,
        "hint": trouble.hint if trouble else beat.get("kept_hint"),
    }
