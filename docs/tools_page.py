"""The page on the seven tools, written from their definitions."""

from __future__ import annotations

from memgardend.config.packs import EXAMPLE, Pack
from memgardend.core.tools.parameters import TOOLS, Kind, Parameter, ToolName
from memgardend.core.tools.texts import ToolTexts

TOP = """\
# Tools

What an agent can do with its memory: over MCP, by hooks, and from [Python](../python.md) with `Garden.call`. The
descriptions are those of the English [prompt pack](../prompt-packs.md), slot `tools`; each garden uses its own.

Arguments are read more tolerantly than their schema says. A list may be JSON text, words between commas, or JSON
in JSON; numbers and booleans may be text; numbers are brought within their bounds. What is missing is told apart
from what cannot be read, one problem at a time, and what nobody knows is ignored and said. An id is whole, or the
only start of one: an ambiguous one is an error that lists the candidates, and there are no wildcards. What is
stored is read back from the store before it is confirmed.
"""


def tools_page() -> str:
    """Every tool with its arguments."""
    texts = ToolTexts(Pack(EXAMPLE).slot, {"assistant": "the assistant", "person": "the person"})
    return "\n".join([TOP, *(_tool(tool, texts) for tool in ToolName)])


def _tool(tool: ToolName, texts: ToolTexts) -> str:
    rows = [
        f"| `{one.name}`{' *' if one.required else ''} | {_kind(one)} | "
        f"{texts.say(f'{tool}.{one.name}')} |"
        for one in TOOLS[tool]
    ]
    table = ["| argument | | |", "|---|---|---|", *rows, ""] if rows else []
    return "\n".join([f"## {tool}\n", f"{texts.say(str(tool))}\n", *table])


def _kind(one: Parameter) -> str:
    kind = {Kind.TEXTS: "list", Kind.NUMBER: "number", Kind.FLAG: "true or false"}.get(
        one.kind, "text"
    )
    said = [kind]
    if one.choices:
        said.append(" ".join(f"`{choice}`" for choice in one.choices))
    if one.most is not None:
        said.append(f"{one.least} to {one.most:,}")
    if one.default is not None:
        said.append(f"default `{one.default}`")
    return ", ".join(said)
