"""The prompt of the first pass of an import: notes, before cards are made of them."""

from __future__ import annotations

_SUMMARY = "one line that says what was learned"
_EVIDENCE = "the words of the material that say so, copied"

TEMPLATES = (_SUMMARY, _EVIDENCE)
"""Texts of the JSON shape that no note may copy."""

FRAMING = (
    "You prepare what {{assistant}} will remember of {{person}}. Below is one piece of old material that "
    "{{person}} brings along{{kind}}. Note what a card could later be made of, when all pieces have been read; "
    "the cards themselves are written afterwards, by somebody who sees your notes and not the material."
)

STEPS = """\
## How to take notes

- One matter a note, with every concrete detail that it needs: names, numbers, places, conditions.
- `about`: `person` for what tells of {{person}} and their life, `relationship` for what is between {{person}}
  and {{assistant}}.
- `summary`: at most 300 characters, readable by itself.
- `evidence`: at most 200 characters, copied from the material.
- `occurred_at`: when it happened, as `YYYY-MM-DD`; null unless the material gives the whole date.
- Write only what was said or plainly happened: no conclusions, no motives of your own, no secrets such as
  passwords. What one person says of another is that person's view: write who says so."""

REPLY = """\
## Your reply

One JSON object and nothing else: no prose, no code fence.

{{shape}}

That is its shape. If nothing deserves a note: {"candidates": []}. Inside a text write \\" for a quotation mark."""

SHAPE = f"""\
{{"candidates": [
  {{"about": "person", "summary": "<{_SUMMARY}>", "evidence": "<{_EVIDENCE}>", "occurred_at": null}}
]}}"""
