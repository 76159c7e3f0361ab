"""A model that has nothing but the prompt: it reads the page as a person could, and answers.

Handles, times, quotes, the shape of the answer and the names of the operations all come from the text.
What it understands of a conversation is little: a preference, a port that changed, a todo that is done.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from datetime import datetime
from typing import Any

_RULE = re.compile(r"^=== (\S+) end of the data ===$", re.MULTILINE)
_PORT = re.compile(r"\bport (\d+)")
_DONE = re.compile(r"\b(?:done|finished|is in)\b", re.IGNORECASE)
_WISH = re.compile(r"\bI (?:prefer|always want|like)\b")


@dataclass(frozen=True)
class ReadEvent:
    handle: str
    at: datetime
    speaker: str
    known: bool
    typed: str  # without pasted parts


@dataclass(frozen=True)
class ReadMemory:
    handle: str
    facts: tuple[str, ...]
    known_as_of: datetime
    content: str
    editable: bool


@dataclass(frozen=True)
class Page:
    """What a reader finds in a prompt."""

    round_title: str
    operations: frozenset[str]
    answer_keys: tuple[str, ...]
    seal: datetime
    events: tuple[ReadEvent, ...]
    memories: tuple[ReadMemory, ...]


def read(prompt: str) -> Page:
    """Take a prompt apart along the lines that carry its fence."""
    end = _RULE.search(prompt)
    assert end is not None, "the prompt does not say where its data ends"
    fence = re.escape(end[1])
    guide, *sections = re.split(rf"^=== {fence} (.*) ===$", prompt, flags=re.MULTILINE)
    bodies = list(zip(sections[::2], sections[1::2], strict=True))
    shape = re.search(r'^\{"operations".*?^\}?.*"summary".*\}$', guide, re.MULTILINE | re.DOTALL)
    seal = re.search(r"seal: (\S+ \S+)", guide)
    title = re.search(r"^## This round: (.*)$", guide, re.MULTILINE)
    assert shape and seal and title
    return Page(
        round_title=title[1],
        operations=frozenset(
            re.findall(r"^- `(\w+)`: ", guide.split("## The operations")[1], re.M)
        ),
        answer_keys=tuple(json.loads(shape[0])),
        seal=datetime.fromisoformat(seal[1]),
        events=tuple(
            _event(heading, body, fence)
            for heading, body in bodies
            if re.match(r"e\d+ · ", heading)
        ),
        memories=tuple(
            memory
            for heading, body in bodies
            if "memories" in heading or "changed earlier" in heading
            for memory in _memories(body, editable="memories" in heading)
        ),
    )


def answer(prompt: str) -> str:
    """The answer of this reader."""
    page = read(prompt)
    edit = _topics if "topics" in page.round_title.split()[:1] else _atoms
    operations = [one for one in edit(page) if one["op"] in page.operations]
    values: dict[str, Any] = {"operations": operations, "questions": [], "summary": "as read"}
    return json.dumps({key: values[key] for key in page.answer_keys})


def _event(heading: str, body: str, fence: str) -> ReadEvent:
    handle, at, speaker, *notes = heading.split(" · ")
    pasted = rf"\[{fence} pasted[^\]]*\].*?\[{fence} end[^\]]*\]"
    return ReadEvent(
        handle=handle,
        at=datetime.fromisoformat(at),
        speaker=speaker.split(":")[0],
        known=any("already dreamed" in note for note in notes),
        typed=re.sub(pasted, "", body, flags=re.DOTALL).strip(),
    )


def _memories(body: str, *, editable: bool) -> list[ReadMemory]:
    found = re.findall(r"^- (m\d+) \[(.*?)\] (.*)$", body, re.MULTILINE)
    return [
        ReadMemory(
            handle=handle,
            facts=tuple(facts.split(" · ")),
            known_as_of=datetime.fromisoformat(facts.split("known as of ")[1]),
            content=content,
            editable=editable,
        )
        for handle, facts, content in found
    ]


def _said(page: Page) -> list[tuple[ReadEvent, str]]:
    """New sentences that the person typed."""
    return [
        (event, sentence)
        for event in page.events
        if event.speaker == "human" and not event.known
        for sentence in re.findall(r"[^.!?\n]+[.!?]?", event.typed)
        if sentence.strip()
    ]


def _evidence(event: ReadEvent, sentence: str) -> list[dict[str, str]]:
    return [{"event": event.handle, "quote": sentence.strip()}]


def _atoms(page: Page) -> list[dict[str, Any]]:
    operations: list[dict[str, Any]] = []
    for event, sentence in _said(page):
        proof = _evidence(event, sentence)
        port = _PORT.search(sentence)
        if _WISH.search(sentence):
            operations.append(_new("user", sentence, proof))
        elif port:
            operations += _port_changed(page, event, sentence, port[1], proof)
        elif _DONE.search(sentence):
            operations += [
                {"op": "complete", "id": memory.handle, "reason": "done", "evidence": proof}
                for memory in page.memories
                if "todo" in memory.facts and _shares_a_word(memory.content, sentence)
            ]
    return operations


def _port_changed(
    page: Page, event: ReadEvent, sentence: str, port: str, proof: list[dict[str, str]]
) -> list[dict[str, Any]]:
    by = {"layer": "fact", "content": sentence.strip(), "keywords": ["port"], "importance": 2}
    return [
        {
            "op": "supersede",
            "ids": [memory.handle],
            "by": by,
            "reason": f"the port is {port} now",
            "evidence": proof,
        }
        for memory in page.memories
        if memory.editable
        and event.at > memory.known_as_of
        and (old := _PORT.search(memory.content))
        and old[1] != port
    ]


def _topics(page: Page) -> list[dict[str, Any]]:
    said = _said(page)
    if any(memory.editable for memory in page.memories) or not said:
        return []
    event, sentence = max(said, key=lambda item: len(item[1]))
    goal = {"goal": "Bring the server back."}
    return [_new("topic", sentence, _evidence(event, sentence)) | goal]


def _new(layer: str, sentence: str, proof: list[dict[str, str]]) -> dict[str, Any]:
    return {
        "op": "remember",
        "layer": layer,
        "content": sentence.strip(),
        "keywords": sorted({word.lower() for word in re.findall(r"[A-Za-z]{4,}", sentence)})[:13],
        "importance": 2,
        "evidence": proof,
    }


def _shares_a_word(left: str, right: str) -> bool:
    words = [{word.lower() for word in re.findall(r"\w{5,}", text)} for text in (left, right)]
    return bool(words[0] & words[1])
