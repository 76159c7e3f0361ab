"""A command line as the library's model: the prompt on its stdin, the reply on its stdout."""

from __future__ import annotations

import os
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import ValidationError

from memgardend.config.model_command import ModelSettings
from memgardend.core.errors import ModelUnavailableError, UsageError
from memgardend.core.ports import ModelCall
from memgardend.core.words import CallPurpose
from memgardend.daemon.diagnosis import TRY
from memgardend.daemon.model import CommandModel

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from memgardend.core.clock import Clock

TIMEOUT_MINUTES = 10


class ModelCommandError(ModelUnavailableError):
    """A command gave no reply."""


class ModelCommand:
    """Asks by running a command, as `model.command` in memgarden.yaml is run: no shell, a scrubbed environment.

    `command` is split as a shell would, and its program found from here; it runs in an empty folder. `env` names
    further variables that it may see, `purpose` is in one of them. Raises UsageError for what is no command.
    `tell` hears in a sentence why there is no reply.
    """

    def __init__(
        self,
        command: str,
        *,
        clock: Clock,
        environ: Mapping[str, str],
        env: Sequence[str] = (),
        timeout_minutes: int = TIMEOUT_MINUTES,
        purpose: CallPurpose = CallPurpose.CAPTURE,
        tell: Callable[[str], None] = lambda _: None,
    ) -> None:
        try:
            settings = ModelSettings.model_validate(
                {
                    "command": _from_here(shlex.split(command)),
                    "env": list(env),
                    "timeout_minutes": timeout_minutes,
                }
            )
        except (ValueError, ValidationError) as error:
            raise UsageError(
                f"not a command that can be run: {command!r}", hint="--model-cmd 'llm -m gpt-4o'"
            ) from error
        self._command = command
        self._model = CommandModel(settings, clock, environ)
        self._purpose = purpose
        self._tell = tell
        self._calls = 0

    def __call__(self, prompt: str) -> str:
        """The reply. Raises ModelCommandError where there is none."""
        self._calls += 1
        call = ModelCall(
            purpose=self._purpose,
            prompt=prompt,
            request=prompt,
            window="",
            dream="",
            round="",
            run=f"library-{os.getpid()}-{self._calls}",
        )
        reply = self._model.ask(call, lambda: True)
        if reply.text is None:
            self._tell(f"{reply.outcome}: {reply.detail}")
            hint = f"echo hello | {self._command}" if reply.hint == TRY else reply.hint
            raise ModelCommandError(reply.detail, hint=hint)
        return reply.text


def _from_here(argv: Sequence[str]) -> list[str]:
    """The command with its program by its whole path, where it was named by a path: it will run elsewhere."""
    program = [str(Path(one).expanduser().absolute()) if "/" in one else one for one in argv[:1]]
    return [*program, *argv[1:]]
