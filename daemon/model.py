"""The model command: one question on its stdin, one answer on its stdout."""

from __future__ import annotations

import re
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from memgardend.config.presets import Preset, find_preset
from memgardend.core.mask import mask
from memgardend.core.ports import ModelReply
from memgardend.core.price import estimate_tokens
from memgardend.core.words import Outcome
from memgardend.daemon.process import RUN_MARK, ProcessResult, run
from memgardend.daemon.replies import Printed, read_printed

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from memgardend.config.model_command import ModelSettings
    from memgardend.core.clock import Clock
    from memgardend.core.ports import ModelCall

CAP_BYTES = 4 * 1024 * 1024  # far above any answer: a round's whole prompt is 120 000 characters
GRACE_SECONDS = 5.0
_PASSED_ON = re.compile(
    r"PATH|HOME|USER|LANG|TZ|LC_.*|XDG_.*|SSL_CERT_.*|.*_PROXY|.*_proxy", re.DOTALL
)
_TEST = "memgardend model test"


@dataclass(frozen=True, slots=True)
class CommandModel:
    """The configured command. Implements core.ports.Model."""

    settings: ModelSettings
    clock: Clock
    environ: Mapping[str, str]

    def preset(self) -> Preset:
        """The command with its quirks; one of your own has none. Raises ConfigError."""
        settings = self.settings
        if settings.command is not None:
            return Preset(name=settings.command[0], argv=settings.command)
        return find_preset(settings.preset, settings.name)

    def ask(self, call: ModelCall, tick: Callable[[], bool]) -> ModelReply:
        """Run the command once in an empty private folder. Raises ConfigError for a preset without its model."""
        preset = self.preset()
        asked = call.request if self.settings.takes_json else call.prompt
        silent_minutes = self.settings.silent_minutes
        try:
            with tempfile.TemporaryDirectory(
                prefix="memgardend-", ignore_cleanup_errors=True
            ) as folder:
                result = run(
                    preset.argv,
                    asked.encode("utf-8", errors="replace"),
                    env=self.environment(call),
                    cwd=Path(folder),
                    total_seconds=self.settings.timeout_minutes * 60,
                    silent_seconds=silent_minutes * 60 if silent_minutes else preset.silent_seconds,
                    cap_bytes=CAP_BYTES,
                    grace_seconds=GRACE_SECONDS,
                    clock=self.clock,
                    tick=tick,
                )
        except OSError as error:  # no room for the folder, no file handles left
            result = ProcessResult(outcome=Outcome.NOT_EXECUTABLE, detail=str(error))
        return _reply(preset, asked, result)

    def environment(self, call: ModelCall) -> dict[str, str]:
        """What the command may see of ours (DESIGN section 7), and what it is run for."""
        passed = {
            name: value
            for name, value in self.environ.items()
            if _PASSED_ON.fullmatch(name) or name in self.settings.env
        }
        return passed | {
            "MEMGARDEND_PURPOSE": call.purpose,
            "MEMGARDEND_WINDOW": call.window,
            "MEMGARDEND_DREAM": call.dream,
            "MEMGARDEND_ROUND": call.round,
            RUN_MARK: call.run,
        }


def _reply(preset: Preset, asked: str, result: ProcessResult) -> ModelReply:
    printed = read_printed(preset.shape, result.stdout)
    outcome = _outcome(preset, result, printed)
    text = printed.text if outcome is Outcome.OK else None
    reported = printed.tokens_in is not None and printed.tokens_out is not None
    if preset.free:
        tokens_in = tokens_out = 0
    elif reported:
        tokens_in, tokens_out = printed.tokens_in or 0, printed.tokens_out or 0
    else:
        tokens_in, tokens_out = estimate_tokens(asked), estimate_tokens(printed.text or "")
    return ModelReply(
        outcome=outcome,
        text=text,
        detail="" if text is not None else _detail(preset, outcome, result, printed),
        hint=_hint(preset, outcome),
        tokens_in=tokens_in,
        tokens_out=tokens_out,
        tokens_reported=reported or preset.free,
        duration_ms=result.duration_ms,
        model=printed.model or preset.model,
        cost=printed.cost_usd,
        currency="USD" if printed.cost_usd is not None else None,
    )


def _outcome(preset: Preset, result: ProcessResult, printed: Printed) -> Outcome:
    """Return code 0 is not enough: a login notice or an error object is no answer."""
    if result.outcome is Outcome.OK and printed.text is not None:
        return Outcome.OK if printed.text.strip() else Outcome.EMPTY
    if result.outcome not in (Outcome.OK, Outcome.EXIT):
        return result.outcome
    said = f"{result.stdout}\n{result.stderr}".lower()
    if result.returncode in preset.login_exits or any(
        phrase in said for phrase in preset.login_phrases
    ):
        return Outcome.LOGIN
    return Outcome.REPORTED_ERROR if result.outcome is Outcome.OK else Outcome.EXIT


def _detail(preset: Preset, outcome: Outcome, result: ProcessResult, printed: Printed) -> str:
    """What happened, in the command's own words where it left any."""
    parts = [result.detail] if result.detail else []
    if outcome in (Outcome.LOGIN, Outcome.REPORTED_ERROR) or (
        outcome is Outcome.EXIT and not result.stderr.strip()
    ):
        last_line = result.stdout.strip().rpartition("\n")[2]
        parts.append(mask(printed.error or last_line) if last_line else "")
    said = ": ".join(part for part in parts if part)
    return f"{Path(preset.argv[0]).name}: {said or 'gave an empty answer'}"


def _hint(preset: Preset, outcome: Outcome) -> str | None:
    """What can be typed about it."""
    program = preset.argv[0]
    return {
        Outcome.NOT_FOUND: preset.missing_hint or f"command -v {program}",
        Outcome.NOT_EXECUTABLE: f"ls -l {program}",
        Outcome.LOGIN: preset.login_hint or _TEST,
        Outcome.TIMEOUT: "model: {timeout_minutes: 20} in memgarden.yaml",
        Outcome.SILENT: "model: {silent_minutes: 10} in memgarden.yaml",
    }.get(outcome, None if outcome in (Outcome.OK, Outcome.CANCELLED) else _TEST)
