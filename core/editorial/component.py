"""The library in one object: judge a conversation, recall for a turn, lend a model its tools, consolidate.

A component judges and never writes: it answers with mutations, for whatever store the host has. `MountedGarden`
(`core/editorial/mounted/`) is a component with a store, which it loads and writes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, TypeVar, cast

from memgardend.core.editorial.cards import DEFAULT_MOUNT
from memgardend.core.editorial.dialogue import MAX_RETRIES
from memgardend.core.editorial.host_driven import HostDriven
from memgardend.core.editorial.host_model import HostModel
from memgardend.core.editorial.manifest import manifest_of
from memgardend.core.editorial.mutations import Add
from memgardend.core.editorial.recalling import (
    CONTEXT_CARDS,
    DEFAULT_SELECTION,
    ContextResult,
    context_of,
)
from memgardend.core.editorial.results import CaptureResult, ErrorWord, Failure
from memgardend.core.editorial.seeds import MaintenanceLedger, needs_review, of_mount
from memgardend.core.editorial.text_gate import GENERIC_SIGNALS, LeakSignals
from memgardend.core.editorial.tools import ToolDefinition, ToolResult, invoke, tool_definitions
from memgardend.core.editorial.wording import LOCALES
from memgardend.core.editorial.written import written_card

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from memgardend.core.editorial.host_model import Model, StepSession
    from memgardend.core.editorial.maintenance_request import MaintenanceRequest
    from memgardend.core.editorial.migrate_prompt import MigrateRequest
    from memgardend.core.editorial.migrating import MigrateResult
    from memgardend.core.editorial.results import (
        CaptureRequest,
        MaintenanceCheck,
        MaintenanceResult,
        OnStep,
    )
    from memgardend.core.editorial.selection import SelectionPolicy
    from memgardend.core.editorial.wording.locale_words import LocaleWords

Result = TypeVar("Result", covariant=True)

WRITTEN_SOURCE = "user_request"
"""The origin of a card that somebody asked for in so many words."""


class _Judged(Protocol[Result]):
    @property
    def result(self) -> Result | None: ...


class GardenComponent(HostDriven):
    """What is worth keeping, what comes to mind, when to tidy up. It holds no cards and writes nothing.

    `model` takes a prompt and gives a reply, or is awaited for one by the calls that begin with `a`; whatever
    it raises becomes the error of a result. `selection` chooses cards for a turn. `signals`: what the host
    knows of its own protocol; `locales`: those there are words for; `on_step` hears what happens meanwhile.
    """

    def __init__(
        self,
        model: Model | None = None,
        *,
        selection: SelectionPolicy = DEFAULT_SELECTION,
        max_retries: int = MAX_RETRIES,
        signals: LeakSignals = GENERIC_SIGNALS,
        locales: Mapping[str, LocaleWords] = LOCALES,
        on_step: OnStep | None = None,
    ) -> None:
        super().__init__(max_retries=max_retries, signals=signals, locales=locales)
        self.selection = selection
        self._model = HostModel(model, on_step)

    @property
    def has_model(self) -> bool:
        """Whether it can ask by itself; sessions that the host drives need no model here."""
        return self._model.model is not None

    def drive(self, session: StepSession) -> None:
        """Ask the model until a session has its result. Raises ModelNotConfiguredError."""
        self._model.drive(session)

    async def adrive(self, session: StepSession) -> None:
        """The same, awaited."""
        await self._model.drive_async(session)

    def capture(self, request: CaptureRequest) -> CaptureResult:
        """Judge a stretch of text: cards as mutations, nothing, or an error; never two of these.

        Raises UnknownPolicyError, and ModelNotConfiguredError.
        """
        session = self.capture_session(request)
        self.drive(session)
        return _result(session)

    async def acapture(self, request: CaptureRequest) -> CaptureResult:
        """The same, awaited."""
        session = self.capture_session(request)
        await self.adrive(session)
        return _result(session)

    def recapture_with_feedback(
        self, request: CaptureRequest, reasons: Sequence[str]
    ) -> CaptureResult:
        """Ask once more because of what only the host knows, such as a target that it refused to write.

        Without reasons nobody is asked, and the result is an error.
        """
        if not any(reason.strip() for reason in reasons):
            return CaptureResult(error=Failure(ErrorWord.INVALID_ARGUMENT, "reasons"))
        session = self.capture_session(request, feedback=reasons)
        self.drive(session)
        return _result(session)

    def write_one(
        self, text: str, *, summary: str = "", bucket: str = "", mount: str = DEFAULT_MOUNT
    ) -> CaptureResult:
        """A card of what somebody asked to keep: not judged, no model, but held against the gate.

        Without a `summary` it is the text itself up to 40 characters, else its first 38 and an ellipsis.
        """
        card = written_card(text, summary=summary, bucket=bucket, gate=self.gate())
        if isinstance(card, Failure):
            return CaptureResult(error=card)
        card |= {"source": WRITTEN_SOURCE, "mount": mount}
        return CaptureResult(cards=(card,), mutations=(Add(card=card, mount=mount),))

    def build_context(
        self, query: str, cards: Iterable[Mapping[str, Any]], *, limit: int = CONTEXT_CARDS
    ) -> ContextResult:
        """The cards that should come to mind in this turn, of those that the host lets it see."""
        return context_of(cards, query, policy=self.selection, limit=limit)

    def tools(self) -> tuple[ToolDefinition, ...]:
        """What to offer a model: `memory_search`, `memory_read`, `memory_write`."""
        return tool_definitions()

    def invoke_tool(
        self,
        name: str,
        arguments: Mapping[str, Any] | None,
        *,
        cards: Sequence[Mapping[str, Any]] | None = None,
        mount: str = DEFAULT_MOUNT,
    ) -> ToolResult:
        """Answer a model's call. `cards` are those it may search and read; what it writes is an instruction."""
        return invoke(name, arguments, cards=cards, mount=mount, gate=self.gate())

    def check_maintenance(
        self,
        cards: Iterable[Mapping[str, Any]],
        ledger: Mapping[str, Any],
        *,
        mount: str = DEFAULT_MOUNT,
        min_pending: int = 1,
    ) -> MaintenanceCheck:
        """Whether a consolidation of these cards is due after this ledger, and why; no model is asked."""
        known = MaintenanceLedger.from_state(ledger)
        return needs_review(of_mount(cards, mount), known, min_pending)

    def run_maintenance(self, request: MaintenanceRequest) -> MaintenanceResult:
        """Consolidate one batch if it is due: mutations, questions, and the ledger to commit with them."""
        session = self.maintenance_session(request)
        self.drive(session)
        return _result(session)

    async def arun_maintenance(self, request: MaintenanceRequest) -> MaintenanceResult:
        """The same, awaited."""
        session = self.maintenance_session(request)
        await self.adrive(session)
        return _result(session)

    def migrate(self, request: MigrateRequest) -> MigrateResult:
        """Put cards of an older form into the present one: updates of the cards that may be touched."""
        session = self.migrate_session(request)
        self.drive(session)
        return _result(session)

    async def amigrate(self, request: MigrateRequest) -> MigrateResult:
        """The same, awaited."""
        session = self.migrate_session(request)
        await self.adrive(session)
        return _result(session)

    def manifest(self) -> dict[str, Any]:
        """What it can do, as JSON values; without a model, what needs one is off."""
        return manifest_of(has_model=self.has_model, locales=self.locales)


def _result(session: _Judged[Result]) -> Result:
    """What a session came to that was driven to its end."""
    return cast("Result", session.result)
