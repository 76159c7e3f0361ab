"""Whether the model command of a workspace can be used in an environment: a person's, or a service's."""

from __future__ import annotations

import os
import shlex
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from memgardend.core.words import Outcome
from memgardend.daemon.check import FAILED, OK, Check
from memgardend.daemon.clock import clock
from memgardend.daemon.diagnosis import TRY, Diagnosis, look_for
from memgardend.daemon.model import CommandModel
from memgardend.daemon.model_test import try_model
from memgardend.daemon.process import RUN_MARK, run
from memgardend.daemon.registry import Registry, registry_dir
from memgardend.daemon.trust import require_trust
from memgardend.daemon.units.needs import missing_interpreter

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from memgardend.config.presets import Preset
    from memgardend.daemon.garden import Workspace

ASK = "memgardend doctor --ask"
_VERSION_SECONDS = 20.0  # a node program on a busy small machine takes five
_CANNOT_START = frozenset({Outcome.NOT_FOUND, Outcome.NOT_EXECUTABLE, Outcome.SIGNAL})


def check_model(
    workspace: Workspace,
    environ: Mapping[str, str],
    *,
    name: str = "model",
    start: bool = False,
    ask: bool = False,
) -> Iterator[Check]:
    """A question may cost money, so unless told to `ask`, only our own command is asked. Of others we look for
    the program and its interpreter; told to `start`, we let those we know say their version."""
    model = CommandModel(workspace.config.dreaming_model, clock(os.environ), environ)
    preset = model.preset()
    if ask:
        registry = Registry(registry_dir())
        require_trust(registry, workspace.root, workspace.named, workspace.config)
    if preset.free or ask:
        reply = try_model(model, workspace.config)
        found = Diagnosis(reply.outcome, reply.detail, reply.hint)
        fine = f"{preset.name} answers, in {reply.duration_ms} ms"
    else:
        found = _look(model, preset)
        if start and found.outcome is Outcome.OK and model.settings.command is None:
            found = _version(model, preset)
        fine = f"{preset.argv[0]} is there; to ask it something: {ASK}"
    if found.outcome is Outcome.OK:
        yield Check(name, OK, fine)
    else:
        yield Check(name, FAILED, f"{found.outcome}: {found.detail}", found.hint)


def _look(model: CommandModel, preset: Preset) -> Diagnosis:
    path = model.environ.get("PATH", os.defpath)
    found = look_for(preset, path)
    missing = missing_interpreter(preset.argv[0], path)
    if found.outcome is not Outcome.OK or missing is None:
        return found
    detail = f"{preset.program}: needs {missing}, which is not on the PATH {path}"
    return Diagnosis(Outcome.NOT_FOUND, detail, f"command -v {shlex.quote(missing)}")


def _version(model: CommandModel, preset: Preset) -> Diagnosis:
    """Whether it starts: a wrapper may call what this environment lacks."""
    with tempfile.TemporaryDirectory(prefix="memgardend-", ignore_cleanup_errors=True) as folder:
        result = run(
            (preset.argv[0], "--version"),
            env=model.passed_on() | {RUN_MARK: f"version-{os.getpid()}"},
            cwd=Path(folder),
            total_seconds=_VERSION_SECONDS,
            clock=model.clock,
        )
    if result.outcome not in _CANNOT_START:
        return Diagnosis(Outcome.OK)
    said = " ".join(result.stderr.split()) or result.detail
    return Diagnosis(result.outcome, f"{preset.program} --version: {said}", TRY)
