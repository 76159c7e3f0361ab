"""What a model call came to: one word, what it says in a sentence, and what can be typed about it."""

from __future__ import annotations

import shlex
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from memgardend.config.symptoms import EVERY_COMMAND, Recognised, recognise
from memgardend.core.clean import clean_line
from memgardend.core.mask import mask
from memgardend.core.words import Outcome
from memgardend.daemon.replies import last_line

if TYPE_CHECKING:
    from memgardend.config.presets import Preset
    from memgardend.daemon.process_result import ProcessResult
    from memgardend.daemon.replies import Printed

SAID_CHARS = 300  # of the command's own words: a sentence or two
TRY = "memgardend model test"
_EXPLAINS = frozenset({Outcome.OK, Outcome.EXIT, Outcome.TIMEOUT, Outcome.SILENT, Outcome.EMPTY})


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """How a call ended. `detail` and `hint` are empty for an answer."""

    outcome: Outcome
    detail: str = ""
    hint: str | None = None


def look_for(preset: Preset, path: str | None) -> Diagnosis:
    """Whether the program is there, without running it: OK, NOT_FOUND or NOT_EXECUTABLE."""
    program = preset.argv[0]
    if shutil.which(program, path=path):
        return Diagnosis(Outcome.OK)
    if "/" in program and Path(program).exists():
        outcome, said = Outcome.NOT_EXECUTABLE, "is there, but cannot be run"
    else:
        outcome, said = Outcome.NOT_FOUND, "no such program"
    return Diagnosis(outcome, _sentence(preset, said), _remedy(preset, outcome))


def diagnose(preset: Preset, result: ProcessResult, printed: Printed) -> Diagnosis:
    """Return code 0 is not enough: a login notice or an error object is no answer."""
    ended_well = result.outcome is Outcome.OK
    if ended_well and printed.text is not None and printed.text.strip():
        return Diagnosis(Outcome.OK)
    if result.outcome is Outcome.CANCELLED:
        return Diagnosis(Outcome.CANCELLED, _sentence(preset, result.detail))
    found = _recognised(preset, result, printed)
    outcome = found.outcome if found else result.outcome
    if outcome is Outcome.OK:
        outcome = Outcome.EMPTY if printed.error is None else Outcome.REPORTED_ERROR
    said = found.line if found else _last_words(result, printed)
    hint = found.hint if found else ""
    return Diagnosis(
        outcome, _sentence(preset, result.detail, said), hint or _remedy(preset, outcome)
    )


def _recognised(preset: Preset, result: ProcessResult, printed: Printed) -> Recognised | None:
    """What the command says about itself, on whichever stream it says it."""
    if result.outcome not in _EXPLAINS:
        return None
    said = "\n".join(
        (result.stderr, printed.error or result.stdout)
    )  # its error says more than its log
    symptoms = (*preset.symptoms, *EVERY_COMMAND)
    return recognise(symptoms, said, result.returncode, preset.model)


def _last_words(result: ProcessResult, printed: Printed) -> str:
    if not result.stdout.strip() and not result.stderr.strip():
        return ""  # how it ended is all there is to say
    if printed.error is not None:
        return printed.error
    return last_line(result.stderr) or last_line(result.stdout)


def _sentence(preset: Preset, *parts: str) -> str:
    """The program, how it ended, and its own words."""
    said = ": ".join(filter(None, (clean_line(mask(part)[:SAID_CHARS]) for part in parts)))
    return f"{preset.program}: {said or 'gave an empty answer'}"


def _remedy(preset: Preset, outcome: Outcome) -> str:
    """What can be typed when the command's own words hold no better hint."""
    program = shlex.quote(preset.argv[0])
    return {
        Outcome.NOT_FOUND: preset.install_hint or f"command -v {program}",
        Outcome.NOT_EXECUTABLE: f"ls -l {program}",
        Outcome.OUTDATED: preset.install_hint or f"{program} --help",
        Outcome.UNREACHABLE: preset.network_hint or "",
        Outcome.TIMEOUT: "model: {timeout_minutes: 20} in memgarden.yaml",
        Outcome.SILENT: "model: {silent_minutes: 10} in memgarden.yaml",
    }.get(outcome, "") or TRY
