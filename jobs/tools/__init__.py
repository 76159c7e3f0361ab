"""The seven tools, done: by name for agents (`call`), and by function for people and Python."""

from memgardend.core.tools.parameters import ToolName
from memgardend.core.tools.texts import ToolDefinition
from memgardend.core.tools.values import (
    DreamAnswer,
    DreamStart,
    Entry,
    MemoryUpdate,
    NewMemory,
    Outcome,
    Remembered,
    Resemblance,
    Similar,
    ToolAnswer,
    Updated,
)
from memgardend.jobs.tools.calls import call, definitions
from memgardend.jobs.tools.context import ToolContext
from memgardend.jobs.tools.dreaming import dream
from memgardend.jobs.tools.looking import find_similar, read
from memgardend.jobs.tools.remember import remember
from memgardend.jobs.tools.update import update

__all__ = [
    "DreamAnswer",
    "DreamStart",
    "Entry",
    "MemoryUpdate",
    "NewMemory",
    "Outcome",
    "Remembered",
    "Resemblance",
    "Similar",
    "ToolAnswer",
    "ToolContext",
    "ToolDefinition",
    "ToolName",
    "Updated",
    "call",
    "definitions",
    "dream",
    "find_similar",
    "read",
    "remember",
    "update",
]
