"""What the tools say, in the words of a prompt pack (slot `tools`, lines of `name = text`)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from memgardend.core.label_texts import LabelTexts
from memgardend.core.slots import TOOLS_SLOT
from memgardend.core.tools.parameters import TOOLS, Kind
from memgardend.core.tools.problems import Problem, problem_of
from memgardend.core.words import GateName

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from memgardend.core.errors import MemgardendError
    from memgardend.core.tools.parameters import ToolName
    from memgardend.core.tools.reading import ArgumentProblem

ANSWERS = frozenset(
    {
        *(f"remember.{outcome}" for outcome in ("stored", "merged", "known")),
        *(f"remember.{what}" for what in ("unheard", "alike", "project")),
        *(f"update.{outcome}" for outcome in ("changed", "unchanged")),
        *(f"similar.{what}" for what in ("none", "same", "contrary", "seen", "written")),
        *(f"dream.{state}" for state in ("queued", "waiting", "running", "held", "unknown")),
        *(f"dream.{what}" for what in ("until", "changed")),
        *(f"gate.{gate}" for gate in GateName),
        *(f"problem.{problem}" for problem in Problem),
        *(f"entry.{what}" for what in ("evidence", "none", "revision")),
        "error",
        "ignored",
        "unknown_tool",
    }
)
"""The names of what the tools answer."""

SERVER_TEXTS = frozenset(
    {
        *("mcp.window", "mcp.block", "mcp.guide", "mcp.dream", "mcp.dream.ask"),
        *("mcp.recall", "mcp.recall.about", "mcp.recall.ask"),
    }
)
"""The names of what a server says around the tools."""

TOOL_TEXTS = frozenset(
    {
        *map(str, TOOLS),
        *(f"{tool}.{one.name}" for tool, parameters in TOOLS.items() for one in parameters),
        *(
            f"{tool}.{one.name}.missing"
            for tool, parameters in TOOLS.items()
            for one in parameters
            if one.required
        ),
        *(f"unreadable.{kind}" for kind in Kind),
        "unreadable.choice",
        *ANSWERS,
        *SERVER_TEXTS,
    }
)
"""Every name in the slot `tools`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolDefinition:
    """One tool as an agent is told of it; `parameters` is a JSON schema of well-formed arguments.

    Arguments are read more tolerantly than it says (core/tools/reading.py): do not check them against it.
    """

    name: str
    description: str
    parameters: Mapping[str, Any]


class ToolTexts(LabelTexts):
    """The texts of a pack. Raises ConfigError for a slot with mistakes."""

    def __init__(self, slot: Callable[[str], str], names: Mapping[str, str]) -> None:
        """`names`: the values of {{assistant}} and {{person}}."""
        super().__init__(slot, TOOLS_SLOT, names)

    def definition(self, tool: ToolName) -> ToolDefinition:
        """What an agent is told of a tool."""
        parameters = TOOLS[tool]
        return ToolDefinition(
            name=str(tool),
            description=self.say(str(tool)),
            parameters={
                "type": "object",
                "properties": {
                    one.name: one.schema(self.say(f"{tool}.{one.name}")) for one in parameters
                },
                "required": [one.name for one in parameters if one.required],
                "additionalProperties": False,
            },
        )

    def failure(self, error: MemgardendError) -> str:
        """What to tell whoever called a tool in vain."""
        values = error.values or {"detail": error}
        return self.say("error", detail=self.say(f"problem.{problem_of(error)}", **values))

    def problem(self, tool: ToolName, problem: ArgumentProblem) -> str:
        """What to tell whoever called a tool wrongly, and how to do better."""
        parameter = problem.parameter
        if problem.given is None:
            return self.say(f"{tool}.{parameter.name}.missing")
        known = parameter.choices
        return self.say(
            "unreadable.choice" if known else f"unreadable.{parameter.kind}",
            name=parameter.name,
            given=problem.given,
            known=", ".join(known),
        )
