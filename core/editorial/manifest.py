"""What a component says of itself to a host that mounts it: plain JSON values, the same for the same component."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from memgardend.core.editorial.policies import PolicyName, get_policy
from memgardend.core.editorial.results import RESULT_SCHEMA
from memgardend.core.editorial.tools import tool_definitions
from memgardend.core.ports.capabilities import DEGRADABLE, describe_for_user, missing

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memgardend.core.editorial.wording.locale_words import LocaleWords
    from memgardend.core.ports.capabilities import Capabilities

_ALWAYS = (
    "capture",  # a host may drive it itself, so it needs no model here
    "maintenance",
    "import_session",
    "build_context",
    "tools",
    "write_one",
)
_WITH_MODEL = ("history_import", "migrate")


def manifest_of(*, has_model: bool, locales: Mapping[str, LocaleWords]) -> dict[str, Any]:
    """What it can do, which yardsticks, locales and tools there are. Without a model, what needs one is off."""
    able = dict.fromkeys(_ALWAYS, True) | dict.fromkeys(_WITH_MODEL, has_model)
    return {
        "name": "memgardend",
        "schema": RESULT_SCHEMA,
        "model": has_model,
        "capabilities": able,
        "policies": [
            {"name": str(name), "max_cards": get_policy(name).max_cards} for name in PolicyName
        ],
        "locales": sorted(locales),
        "tools": [asdict(tool) for tool in tool_definitions()],
    }


def storage_manifest(capabilities: Capabilities) -> dict[str, Any]:
    """What a store can do, what works worse with it, and how that is told to a person."""
    able = asdict(capabilities)
    return {
        "capabilities": able,
        "degraded": list(missing(capabilities, DEGRADABLE)),
        "refused": [name for name, can in able.items() if not can and name not in DEGRADABLE],
        "notices": describe_for_user(capabilities),
    }
