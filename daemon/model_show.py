"""What exactly will be run, so that a person can run it by hand."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from memgardend.daemon.model import CommandModel


def show_document(model: CommandModel) -> dict[str, Any]:
    """The `model show` document. Values of environment variables are not in it: they may be keys."""
    settings, preset = model.settings, model.preset()
    silent_seconds = model.silent_seconds()
    return {
        "schema": 1,
        "model": settings.preset if settings.command is None else settings.command[0],
        "command": list(preset.argv),
        "program": shutil.which(preset.argv[0], path=model.environ.get("PATH")),
        "reads": "json" if settings.takes_json else "prompt",
        "environment": sorted(model.passed_on()),
        "missing": sorted(set(settings.env) - set(model.environ)),
        "timeout_minutes": settings.timeout_minutes,
        "silent_minutes": None if silent_seconds is None else silent_seconds / 60,
        "max_prompt_chars": settings.max_prompt_chars,
    }
