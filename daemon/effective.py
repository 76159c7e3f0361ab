"""The settings and texts that a hook needs, in one file that takes no YAML, no packs and no checks to read."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import structlog

from memgardend.core.errors import ConfigError
from memgardend.core.slots import GUIDE_SLOT, LABELS_SLOT, RECALL_SLOT
from memgardend.daemon.locations import EFFECTIVE_FILE, EFFECTIVE_SCHEMA
from memgardend.daemon.private_files import write_atomically

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from memgardend.config.model import Config

log = structlog.get_logger()

_SLOTS = (RECALL_SLOT, GUIDE_SLOT, LABELS_SLOT)


def effective(config: Config, slot: Callable[[str], str]) -> dict[str, Any]:
    """What recall goes by in a hook. Raises ConfigError where a text is missing."""
    return {
        "schema": EFFECTIVE_SCHEMA,
        "time_zone": config.dream.time_zone,
        "policy": config.recall.policy,
        "recall": {
            "locale": config.locale,
            "hit_top_k": config.recall.hit_top_k,
            "first_turn_chars": config.recall.first_turn_chars,
            "assistant": config.names.assistant,
            "person": config.names.person,
        },
        "texts": {name: slot(name) for name in _SLOTS},
    }


def is_effective(folder: Path, config: Config, slot: Callable[[str], str]) -> bool:
    """Whether hooks go by these settings and texts. Raises as `effective`, and OSError where they go by none."""
    return (folder / EFFECTIVE_FILE).read_bytes() == _data(config, slot)


def keep_effective(folder: Path, config: Config, slot: Callable[[str], str]) -> None:
    """Write the file in our folder of a workspace where it says something else.

    Where that cannot be, hooks go on with the old one, and the log tells why.
    """
    file = folder / EFFECTIVE_FILE
    try:
        data = _data(config, slot)
        if not file.exists() or file.read_bytes() != data:
            write_atomically(file, data)
    except (OSError, ConfigError) as error:
        log.warning("hook_settings_kept", file=str(file), reason=str(error))


def _data(config: Config, slot: Callable[[str], str]) -> bytes:
    text = json.dumps(effective(config, slot), ensure_ascii=False, indent=1)
    return f"{text}\n".encode()
