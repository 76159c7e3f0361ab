"""Everything that memgarden.yaml may say. The docstrings are the documentation users see."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from memgardend.config.model_command import (
    Delegate,
    ModelSettings,
    Prices,
    Rate,
    of_the_same_preset,
)
from memgardend.config.section import Section
from memgardend.config.values import (
    Count,
    CountOrZero,
    Days,
    Hours,
    Locale,
    Minutes,
    Money,
    Switch,
    Text,
    TimeOfDay,
    ZoneName,
    minute_of_day,
    mistake,
)

__all__ = [
    "WEEKDAYS",
    "BudgetSettings",
    "Config",
    "Delegate",
    "DreamSettings",
    "MetricsSettings",
    "ModelSettings",
    "Names",
    "PeakSettings",
    "Prices",
    "Rate",
    "RecallSettings",
    "ReflectSettings",
    "RetentionSettings",
    "Section",
    "SourceSettings",
]

SourceKind = Literal["claude-code", "codex", "dsh", "gemini", "opencode", "openclaw", "jsonl"]
Weekday = Literal["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
WEEKDAYS: tuple[Weekday, ...] = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


class Names(Section):
    """How memories call the two who talk. Empty means unknown: memories then avoid the name."""

    assistant: Text = ""
    """The assistant's name."""
    person: Text = ""
    """The person's name."""


class SourceSettings(Section):
    """One agent whose conversations are read. Its files are never written."""

    kind: SourceKind
    """Which agent it is."""
    path: Text | None = None
    """Its folder, or for `jsonl` a pattern of files; null: the agent's own folder, which its environment
    variables may move. A relative path starts at the workspace."""
    cwd: Literal["workspace", "any"] = "workspace"
    """Which conversations belong here: those begun inside this workspace, or `any` that no other workspace
    claims. Only one workspace of a user may say `any`."""

    @model_validator(mode="after")
    def _files_have_a_path(self) -> SourceSettings:
        if self.kind == "jsonl" and not self.path:
            raise mistake("`jsonl` needs a path", "add path: logs/*.jsonl", ("kind",))
        return self


class PeakSettings(Section):
    """A time of day at which no dream starts."""

    start: TimeOfDay
    """When it begins, as "9:00" or "09:00"; this minute belongs to it."""
    end: TimeOfDay
    """When it ends, up to "24:00"; that minute is out of it. If earlier than `start`, it crosses midnight."""
    weekdays: Annotated[tuple[Weekday, ...], Field(min_length=1)] | None = None
    """The local days on which it begins, such as [mon, fri]; null: every day."""

    @model_validator(mode="after")
    def _has_a_length(self) -> PeakSettings:
        if minute_of_day(self.start) == 24 * 60:
            raise mistake(
                "`start` should be before 24:00, which can only be an end",
                'write start: "0:00"',
                ("start",),
            )
        if minute_of_day(self.start) == minute_of_day(self.end):
            hint = 'for the whole day write start: "0:00", end: "24:00"'
            raise mistake("`start` and `end` are the same", hint, ("end",))
        return self


class DreamSettings(Section):
    """When a conversation may be dreamed."""

    enabled: Switch = True
    """Whether dreams start by themselves. `memgardend dream` works all the same."""
    idle_minutes: Minutes = 180
    """How long a conversation must have been quiet, in minutes."""
    time_zone: ZoneName = "Asia/Shanghai"
    """The zone of suppress_windows and of every time shown or typed: an IANA name."""
    suppress_windows: tuple[PeakSettings, ...] = (
        PeakSettings(start="09:00", end="12:00"),
        PeakSettings(start="14:00", end="18:00"),
    )
    """Times of day at which no dream starts, because the model costs more then. []: none."""
    suppress_lead_minutes: Minutes = 15
    """How many minutes before each of these times dreams stop starting."""
    calendar: Literal["deepseek"] | None = None
    """A vendor's own dated price times instead of time_zone and suppress_windows; the lead stays."""
    park_at_peak: Switch = False
    """Whether a dream that meets a peak finishes its round and goes on afterwards; false: it runs to its end."""
    avoid_crossing: Switch = False
    """Whether a dream waits when, as long as most dreams take, it would end inside a peak."""
    check_minutes: Annotated[Minutes, Field(ge=1)] = 15
    """How often the daemon looks for due conversations, in minutes."""
    max_age_hours: Hours = 24
    """How far back the first look goes, in hours. Older conversations count as `old`: known, not dreamed."""
    max_wait_hours: Annotated[Hours, Field(ge=1)] | None = None
    """After how many hours a conversation that never goes quiet is dreamed up to its last pause; null: never."""
    rules_review_days: Days = 2
    """Rules that nobody touched for so many days are not shown to a dream. 0: all are."""
    related_limit: CountOrZero = 40
    """How many memories that resemble the conversation a dream is shown."""
    max_concurrent: Count = 1
    """How many dreams of this workspace may run at the same time."""
    max_attempts: Count = 5
    """How often a dream is tried before it is set aside."""


class RecallSettings(Section):
    """What an agent is told from memory."""

    hit_top_k: CountOrZero = 2
    """How many facts, lessons, rules and topics a message may call up; 0: none."""
    first_turn_chars: CountOrZero = 6000
    """How long the block beside the first message, and each panorama after a compaction, may be in characters;
    0: neither."""
    policy: Text | None = None
    """Another way to choose for block, hits and search: `module:function`, or the name of an entry point in the
    group `memgardend.policies`; null: ours."""


class ReflectSettings(Section):
    """Learning from a long stretch of work as soon as it ends."""

    enabled: Switch = True
    """Whether it happens."""
    tool_steps: Count = 7
    """From how many steps in a row on."""


class BudgetSettings(Section):
    """Limits on what models are asked. The offline preset is not counted. null: no limit."""

    calls_per_hour: CountOrZero | None = None
    """Model calls in any hour."""
    calls_per_day: CountOrZero | None = 60
    """Model calls in a day of `dream.time_zone`."""
    tokens_per_day: CountOrZero | None = None
    """Tokens in and out in a day."""
    money_per_day: Money | None = None
    """Money in a day, in the currency of `model.prices`."""


class RetentionSettings(Section):
    """How long copies are kept after they were dreamed. Quotes live as long as their memory."""

    event_days: Annotated[Days, Field(ge=1)] = 90
    """Days that messages are kept."""
    answer_days: Annotated[Days, Field(ge=1)] = 30
    """Days that answers of models are kept, and the records of `logs --recalls`."""


class MetricsSettings(Section):
    """Figures for monitoring."""

    textfile: Text | None = None
    """A file for the node exporter's textfile collector, such as /var/lib/node_exporter/memgardend.prom, written
    after each look; null: none. A relative path starts at the workspace."""


class Config(Section):
    """The settings of one workspace."""

    locale: Locale
    """The language of memories and prompts: `en`, `zh-Hans`, or any complete prompt pack."""
    names: Names = Names()
    """How memories call the two who talk."""
    sources: tuple[SourceSettings, ...] | None = None
    """Whose conversations are read; null: every agent found on this machine, []: none."""
    model: ModelSettings = ModelSettings()
    """The command that dreams."""
    delegate: Delegate = Delegate()
    """A cheaper model for dreams and reflection."""
    dream: DreamSettings = DreamSettings()
    """When a conversation may be dreamed."""
    recall: RecallSettings = RecallSettings()
    """What an agent is told from memory."""
    reflect: ReflectSettings = ReflectSettings()
    """Learning from a long stretch of work as soon as it ends."""
    budget: BudgetSettings = BudgetSettings()
    """Limits on what models are asked."""
    retention: RetentionSettings = RetentionSettings()
    """How long copies are kept."""
    metrics: MetricsSettings = MetricsSettings()
    """Figures for monitoring."""

    @model_validator(mode="before")
    @classmethod
    def _delegate_may_be_a_name(cls, said: Any) -> Any:
        delegate = said.get("delegate") if isinstance(said, dict) else None
        if not isinstance(delegate, dict) or not isinstance(delegate.get("model"), str):
            return said
        model = of_the_same_preset(said.get("model"), delegate["model"])
        return {**said, "delegate": {**delegate, "model": model}}

    @model_validator(mode="after")
    def _money_limits_need_prices(self) -> Config:
        if self.budget.money_per_day is not None and not self.dreaming_model.prices.complete:
            owner = "delegate.model" if self.delegate.model else "model"
            raise mistake(
                f"a limit of money needs {owner}.prices with currency, peak and off_peak",
                "memgardend config explain model.prices",
                ("budget", "money_per_day"),
            )
        return self

    @property
    def dreaming_model(self) -> ModelSettings:
        """The model that dreams: the delegate's, where one is named."""
        return self.delegate.model or self.model
