"""Whether the selection policy that a settings file names is one. Hooks, which read no YAML, do without."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memgardend.config.yaml_tree import Problem, read_yaml
from memgardend.core.errors import ConfigError
from memgardend.daemon.policy import load_policy

if TYPE_CHECKING:
    from memgardend.config.model import Config


def policy_problem(text: str, config: Config) -> list[Problem]:
    """What is wrong with the policy that a settings file names. It is imported, so trust comes first."""
    try:
        load_policy(config.recall.policy)
    except ConfigError as error:
        return [Problem(*read_yaml(text).value_place(("recall", "policy")), str(error), error.hint)]
    return []
