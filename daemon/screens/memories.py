"""`memories` and `why MEMORY`: each memory with the quotes that prove it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.text import Text

from memgardend.daemon.screens.table import Cell, Column, facts, table
from memgardend.daemon.screens.text import clean, dotted, lead, many, paragraph
from memgardend.daemon.screens.times import ago, exact
from memgardend.daemon.screens.words import style

if TYPE_CHECKING:
    from memgardend.daemon.screens.times import View

_HISTORY = (
    Column("WHEN", head=True),
    Column("CHANGE", head=True),
    Column("FIELDS", least=12),
    Column("BY", phrase="by {}"),
    Column("BECAUSE", least=16),
)


def memories_lines(document: dict[str, Any], view: View) -> list[Text]:
    """`memories`: a block each."""
    memories = document["memories"]
    if not memories:
        return [Text("No memories found.")]
    lines: list[Text] = []
    for memory in memories:
        lines += [*memory_lines(memory, view), Text()]
    counted = many(len(memories), "memory", "memories")
    command = f"memgardend why {memories[0]['short']}{view.here}"
    return [*lines, *lead(f"{counted}. For the history of one, try:", command, view.width)]


def memory_lines(memory: dict[str, Any], view: View) -> list[Text]:
    """What it says, then what it is, then its proof."""
    layer = clean(memory["layer"])
    joint = "\n" if "\n" in memory["content"] else ": "
    first_line = memory["content"].partition("\n")[0].strip()
    said = memory["title"] and memory["title"] != first_line
    title = f"{memory['title']}{joint}" if said else ""
    gap = " " * max(9 - len(layer), 1)
    lines = paragraph(title + memory["content"], view.width, indent=9, first=layer + gap)
    if lines:
        lines[0].stylize("bold", 0, len(layer))
    lines += dotted(_about(memory, view), view.width, indent=9, style="dim")
    for proof in memory["evidence"]:
        lines += proof_lines(proof, view)
    return lines


def _about(memory: dict[str, Any], view: View) -> list[str]:
    scope = memory["scope"]
    return [
        memory["short"],
        "" if memory["status"] == "active" else memory["status"],
        scope if isinstance(scope, str) else ", ".join(scope),
        memory["subcategory"] or "",
        f"goal: {memory['goal']}" if memory["goal"] else "",
        f"importance {memory['importance']}",
        f"as of {ago(memory['as_of'], view)}",
        f"superseded by {memory['superseded_by_short']}" if memory["superseded_by"] else "",
        ", ".join(memory["keywords"]),
    ]


def proof_lines(proof: dict[str, Any], view: View) -> list[Text]:
    """A quote, and who said it where and when."""
    number = proof["event"]
    event = f"event {number}" if number > 0 else f"event {number} (backlog)"
    origin = f"{proof['role']}, {proof['window_short']} {event}, {ago(proof['at'], view)}"
    lines = paragraph(f"“{clean(proof['quote'])}”", view.width, indent=9, style="italic")
    return lines + paragraph(origin, view.width, indent=11, style="dim")


def history_lines(document: dict[str, Any], view: View) -> list[Text]:
    """`why MEMORY`: the memory with its proof, then its history, oldest first."""
    memory = document["memory"]
    status = memory["status"]
    head = f"Memory {memory['id']} · {memory['layer']} · {status}"
    lines = paragraph(head, view.width, style=f"bold {style(status)}".strip())
    lines += [Text(), *memory_lines(memory, view), Text()]
    lines += facts(
        [
            ("as of", exact(memory["as_of"], view)),
            ("created", exact(memory["created_at"], view)),
            ("updated", exact(memory["updated_at"], view)),
            ("revision", str(memory["revision"])),
        ],
        view.width,
    )
    lines.append(Text())
    return lines + table(_HISTORY, [_step(step, view) for step in document["history"]], view.width)


def _step(step: dict[str, Any], view: View) -> list[Cell]:
    fields = "; ".join(
        f"{name}: {before} → {after}" for name, (before, after) in step["changed"].items()
    )
    return [
        Cell(exact(step["at"], view).removesuffix(f" {view.zone}")),
        Cell(step["operation"]),
        Cell(fields or "-"),
        Cell(f"dream {step['dream_short']}" if step["dream_short"] else step["actor"]),
        Cell(step["reason"] or "-"),
    ]
