"""The settings of the model command, of its prices, and of the cheaper delegate."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, StrictInt, model_validator

from memgardend.config.presets import PRESETS
from memgardend.config.section import Section
from memgardend.config.values import Argv, Elapsed, EnvName, Money, Text, mistake

Preset = Literal["offline", "claude", "codex", "gemini", "llm", "ollama"]


class Rate(Section):
    """What a million tokens cost."""

    input: Money
    """A million tokens of the prompt."""
    output: Money
    """A million tokens of the answer."""


class Prices(Section):
    """What the model costs, for receipts and money limits. Left out, costs are `unknown`, never 0."""

    currency: Annotated[Text, Field(pattern="^[A-Z]{3}$")] | None = None
    """The currency of all amounts, as three letters: CNY, USD, EUR."""
    peak: Rate | None = None
    """Prices while `dream.suppress_windows` (or `dream.calendar`) are in force."""
    off_peak: Rate | None = None
    """Prices at all other times."""

    @model_validator(mode="after")
    def _amounts_have_a_currency(self) -> Prices:
        if self.currency is None and (self.peak or self.off_peak):
            at = ("peak",) if self.peak else ("off_peak",)
            raise mistake("prices need a currency", "add currency: USD", at)
        return self

    @property
    def complete(self) -> bool:
        """True when every call can be priced."""
        return None not in (self.currency, self.peak, self.off_peak)


class ModelSettings(Section):
    """The command that dreams. It gets the prompt on its standard input, and answers on its standard output."""

    preset: Preset = "offline"
    """A command that memgardend knows. `offline` is its own: no language model, no network, no key; it keeps
    what a person said word for word."""
    name: Text | None = None
    """The model a preset asks for, such as `llama3.2`; null: the preset's own choice."""
    command: Argv | None = None
    """Your own command instead of a preset, as a list: the program, then one argument each. No shell reads it."""
    env: tuple[EnvName, ...] = ()
    """Names of environment variables that the command may see, such as the one that holds its key. It sees PATH,
    HOME, the language and proxy settings anyway, and nothing else."""
    input: Literal["prompt", "json"] = "prompt"
    """What the command reads: the `prompt` as text, or the request as `json`, which `offline` always does."""
    timeout_minutes: Elapsed = 10
    """After how many minutes a call is ended."""
    silent_minutes: Elapsed | None = None
    """After how many minutes without any output a call is ended; null: the preset's own limit, or none."""
    max_prompt_chars: Annotated[StrictInt, Field(ge=4_000)] = 120_000
    """The longest prompt, in characters. A longer conversation is dreamed in parts. The built-in English prompts
    need about 18000, the Chinese ones 12000, shorter ones of your own less."""
    prices: Prices = Prices()
    """What the model costs."""

    @model_validator(mode="after")
    def _preset_has_its_model(self) -> ModelSettings:
        if self.command is None and self.name is None and PRESETS[self.preset].needs_model:
            raise mistake(
                f"`{self.preset}` needs the name of a model", "add name: llama3.2", ("preset",)
            )
        return self

    @property
    def takes_json(self) -> bool:
        """True when the command reads the JSON request; `offline` always does."""
        if self.command is None and self.preset == "offline":
            return True
        return self.input == "json"

    @property
    def offline(self) -> bool:
        """True for our own consolidator, whose calls no budget counts."""
        return self.command is None and self.preset == "offline"


def split_short(text: str) -> tuple[str | None, str | None]:
    """The preset and the model that `preset/model` names; without a preset, all of it is the name of a model."""
    preset, _, name = text.strip().partition("/")
    if preset in PRESETS and not name:
        return preset, None
    return (preset, name) if preset and name else (None, text.strip() or None)


def of_the_same_preset(model: Any, delegate: str) -> Any:
    """The delegate that only a model's name stands for: `model` itself, as the file says it, with that name.

    Where `model` takes no name, the delegate is left as it is: it is no preset either, and refused as such.
    """
    preset, name = split_short(delegate)
    known = PRESETS.get(str(model.get("preset"))) if isinstance(model, dict) else None
    takes_name = known is not None and (known.model_flag or known.needs_model)
    if preset is not None or name is None or not takes_name or model.get("command") is not None:
        return delegate
    return {**model, "name": name}


def _short_form(value: Any) -> Any:
    """`claude/haiku` is short for {preset: claude, name: haiku}; nothing but blanks is no delegate."""
    if not isinstance(value, str):
        return value
    preset, name = split_short(value)
    if preset is None:
        return None if name is None else {"preset": name}
    return {"preset": preset} | ({"name": name} if name else {})


class Delegate(Section):
    """A cheaper helper for the work that needs no judgement of the main model."""

    model: Annotated[
        ModelSettings | None,
        BeforeValidator(_short_form, json_schema_input_type=ModelSettings | str | None),
    ] = None
    """The model that dreams and reflects instead of `model`: the same settings, or short `preset/name`, or only
    the name of another model of the same preset."""
