"""The model command: one question on its stdin, one answer on its stdout."""

from __future__ import annotations

import re
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from memgardend.config.presets import Preset, find_preset
from memgardend.core.ports import ModelReply
from memgardend.core.price import estimate_tokens
from memgardend.core.words import Outcome
from memgardend.daemon.diagnosis import diagnose
from memgardend.daemon.process import RUN_MARK, run
from memgardend.daemon.process_result import ProcessResult
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
_NOT_ASKED = frozenset(
    {
        Outcome.NOT_FOUND,
        Outcome.NOT_EXECUTABLE,
        Outcome.OUTDATED,
        Outcome.LOGIN,
        Outcome.NO_MODEL,
        Outcome.UNREACHABLE,
    }
)
"""Failures before any model reads the prompt: they use no tokens."""


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
                    silent_seconds=self.silent_seconds(),
                    cap_bytes=CAP_BYTES,
                    grace_seconds=GRACE_SECONDS,
                    clock=self.clock,
                    tick=tick,
                )
        except OSError as error:  # no room for the folder, no file handles left
            result = ProcessResult(outcome=Outcome.NOT_EXECUTABLE, detail=str(error))
        return _reply(preset, asked, result)

    def silent_seconds(self) -> float | None:
        """How long it may print nothing; None: until the total deadline."""
        chosen_minutes = self.settings.silent_minutes
        return self.preset().silent_seconds if chosen_minutes is None else chosen_minutes * 60

    def passed_on(self) -> dict[str, str]:
        """What the command may see of our environment (DESIGN section 7)."""
        return {
            name: value
            for name, value in self.environ.items()
            if _PASSED_ON.fullmatch(name) or name in self.settings.env
        }

    def environment(self, call: ModelCall) -> dict[str, str]:
        """All that the command sees: what is passed on, and what it is run for."""
        return self.passed_on() | {
            "MEMGARDEND_PURPOSE": call.purpose,
            "MEMGARDEND_WINDOW": call.window,
            "MEMGARDEND_DREAM": call.dream,
            "MEMGARDEND_ROUND": call.round,
            RUN_MARK: call.run,
        }


def _reply(preset: Preset, asked: str, result: ProcessResult) -> ModelReply:
    printed = read_printed(preset.shape, result.stdout, result.stderr)
    diagnosis = diagnose(preset, result, printed)
    tokens = _tokens(preset, asked, diagnosis.outcome, printed)
    return ModelReply(
        outcome=diagnosis.outcome,
        text=printed.text if diagnosis.outcome is Outcome.OK else None,
        detail=diagnosis.detail,
        hint=diagnosis.hint,
        tokens_in=tokens.read,
        tokens_out=tokens.written,
        tokens_reported=tokens.reported,
        duration_ms=result.duration_ms,
        model=printed.model or preset.model,
        cost=printed.cost_usd,
        currency="USD" if printed.cost_usd is not None else None,
    )


@dataclass(frozen=True, slots=True)
class _Tokens:
    read: int
    written: int
    reported: bool  # False: estimated


def _tokens(preset: Preset, asked: str, outcome: Outcome, printed: Printed) -> _Tokens:
    """What the call used: as reported, or nothing where no model was asked, or else an estimate."""
    if printed.tokens_in is not None and printed.tokens_out is not None:
        return _Tokens(printed.tokens_in, printed.tokens_out, reported=True)
    if preset.free or outcome in _NOT_ASKED:
        return _Tokens(0, 0, reported=True)
    return _Tokens(estimate_tokens(asked), estimate_tokens(printed.text or ""), reported=False)
