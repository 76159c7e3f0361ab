"""From the settings to the shape of prompts, and whether these texts leave room in them for a conversation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memgardend.config.yaml_tree import Problem, read_yaml
from memgardend.config.zones import zone
from memgardend.core.errors import ConfigError
from memgardend.core.least import require_room
from memgardend.core.prompt import PromptSettings

if TYPE_CHECKING:
    from memgardend.config.model import Config
    from memgardend.config.packs import Pack


def prompt_settings(config: Config) -> PromptSettings:
    """The settings that shape a prompt."""
    return PromptSettings(
        zone=zone(config.dream.time_zone),
        locale=config.locale,
        max_prompt_chars=config.dreaming_model.max_prompt_chars,
        assistant=config.names.assistant,
        person=config.names.person,
    )


def room_problem(text: str, config: Config, pack: Pack) -> list[Problem]:
    """What is wrong with the `max_prompt_chars` of a settings file: the texts of the pack leave no room."""
    try:
        require_room(pack.slot, prompt_settings(config))
    except ConfigError as error:
        tree = read_yaml(text)
        place = ("delegate", "model") if config.delegate.model is not None else ("model",)
        return [Problem(*tree.value_place((*place, "max_prompt_chars")), str(error), error.hint)]
    return []
