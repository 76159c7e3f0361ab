"""The host's model as sessions ask it: called or awaited, with every step told to whoever listens."""

from __future__ import annotations

import asyncio
import inspect
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeAlias

from memgardend.core.editorial.asking import Session, drive, drive_async
from memgardend.core.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from memgardend.core.editorial.results import ModelReply, OnStep, Step

    Reply: TypeAlias = str | ModelReply
    Model: TypeAlias = Callable[[str], Reply | Awaitable[Reply]]
    """Takes a prompt, gives a reply; whatever it raises becomes the error of a result."""


class ModelNotConfiguredError(UsageError):
    """A judgement was asked of a component without a model, or of one that must be awaited."""


class StepSession(Session, Protocol):
    """A session that says what it did."""

    @property
    def steps(self) -> Sequence[Step]:
        """What happened so far."""
        ...


@dataclass(frozen=True, slots=True)
class HostModel:
    """Drives sessions to their results. `on_step` hears each step at once; what it raises ends no judgement."""

    model: Model | None
    on_step: OnStep | None = None

    def drive(self, session: StepSession) -> None:
        """Ask until the session has its result. Raises ModelNotConfiguredError where it would have to ask."""
        heard = _Listener(session, self.on_step)
        if session.next_prompt is not None:
            model = self._called()

            def ask(prompt: str) -> Reply:
                heard.tell()
                return model(prompt)

            drive(session, ask)
        heard.tell()

    async def drive_async(self, session: StepSession) -> None:
        """The same; a model that is not awaited runs in a thread, so that nothing else has to wait."""
        heard = _Listener(session, self.on_step)
        if session.next_prompt is not None:
            model = self._configured()

            async def ask(prompt: str) -> Reply:
                heard.tell()
                if _is_awaited(model):
                    said = model(prompt)
                else:
                    said = await asyncio.to_thread(model, prompt)
                return await said if inspect.isawaitable(said) else said

            await drive_async(session, ask)
        heard.tell()

    def _configured(self) -> Model:
        if self.model is None:
            raise ModelNotConfiguredError(
                "this needs a model", hint="GardenComponent(model=…), or drive the session yourself"
            )
        return self.model

    def _called(self) -> Callable[[str], Reply]:
        model = self._configured()
        if _is_awaited(model):
            raise ModelNotConfiguredError(
                "this model has to be awaited",
                hint="await the async call: acapture, arun_maintenance",
            )
        return model  # type: ignore[return-value]


class _Listener:
    """Tells steps once, in order."""

    def __init__(self, session: StepSession, on_step: OnStep | None) -> None:
        self._session = session
        self._on_step = on_step
        self._told = 0

    def tell(self) -> None:
        """Tell what happened since the last time."""
        if self._on_step is None:
            return
        for step in self._session.steps[self._told :]:
            self._told += 1
            try:
                self._on_step(step)
            except Exception as error:  # noqa: BLE001 - a listener's fault must not lose what was judged
                warnings.warn(
                    f"on_step raised {type(error).__name__}", RuntimeWarning, stacklevel=2
                )


def _is_awaited(model: Model) -> bool:
    call = getattr(model, "__call__", None)  # noqa: B004 - of an object, the method is what is awaited
    return inspect.iscoroutinefunction(model) or inspect.iscoroutinefunction(call)
