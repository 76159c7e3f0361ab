"""A model that has nothing but the prompt: it reads the page as a person could, and answers.

Handles, times, quotes, the shape of the answer and the names of the operations all come from the text; the
headings by which it finds its way come from the pack, so that it reads every locale. What it understands of a
conversation is little: a preference, a port that changed, a todo that is done; and of memories, that two begin
with the same word, or that one speaks of something else as well.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any

from memgardend.core.template import fill, parse_labels
from memgardend.core.tokens import tokenize
from memgardend.core.words import Role, RoundName
from support import dreaming


@dataclass(frozen=True)
class Tongue:
    """What the reader understands of a language."""

    port: re.Pattern[str]
    done: re.Pattern[str]
    wish: re.Pattern[str]
    also: re.Pattern[str]
    sentence: re.Pattern[str]
    goal: str


TONGUES = {
    "en": Tongue(
        port=re.compile(r"\bport (\d+)"),
        done=re.compile(r"\b(?:done|finished|is in)\b", re.IGNORECASE),
        wish=re.compile(r"\bI (?:prefer|always want|like)\b"),
        also=re.compile(r"\s+Also, "),
        sentence=re.compile(r"[^.!?\n]+[.!?]?"),
        goal="Bring the server back.",
    ),
    "zh-Hans": Tongue(
        port=re.compile(r"端口\D{0,4}(\d+)"),
        done=re.compile(r"完成|做完"),
        wish=re.compile(r"我(?:更?喜欢|希望|习惯)"),
        also=re.compile(r"另外，"),
        sentence=re.compile(r"[^。！？\n]+[。！？]?"),
        goal="让服务器恢复运行。",
    ),
}


@dataclass(frozen=True)
class Signs:
    """The words of a pack by which a reader finds its way."""

    labels: Mapping[str, str]
    seal: re.Pattern[str]
    rounds: Mapping[RoundName, str]
    operations: str

    def is_rule(self, heading: str, name: str) -> bool:
        return heading == self.labels[f"heading.{name}"]


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

    locale: str
    round: RoundName
    operations: frozenset[str]
    answer_keys: tuple[str, ...]
    shapes: Mapping[str, Mapping[str, Any]]  # an example of each operation
    seal: datetime
    events: tuple[ReadEvent, ...]
    memories: tuple[ReadMemory, ...]


@cache
def signs(locale: str) -> Signs:
    """The signs of a built-in pack, for speakers without names."""
    slot = dreaming.pack(locale)
    labels = parse_labels(slot("labels"), "labels")
    names = {name: labels[name] for name in ("assistant", "person")}

    def first_line(name: str) -> str:
        return slot(name).splitlines()[0]

    before, _, after = first_line("seal").partition("{{seal}}")
    return Signs(
        labels={name: fill(text, names, "labels") for name, text in labels.items()},
        seal=re.compile(rf"^{re.escape(before)}(\S+ \S+?){re.escape(after[:1])}", re.MULTILINE),
        rounds={name: first_line(f"round-{name}") for name in RoundName},
        operations=first_line("operations"),
    )


def read(prompt: str, locale: str = "en") -> Page:
    """Take a prompt apart along the lines that carry its fence."""
    known = signs(locale)
    last = re.escape(known.labels["heading.end"])
    end = re.search(rf"^=== (\S+) {last} ===$", prompt, re.MULTILINE)
    assert end is not None, "the prompt does not say where its data ends"
    fence = re.escape(end[1])
    guide, *sections = re.split(rf"^=== {fence} (.*) ===$", prompt, flags=re.MULTILINE)
    bodies = list(zip(sections[::2], sections[1::2], strict=True))
    shape = re.search(r'^\{"operations".*?^\}?.*"summary".*\}$', guide, re.MULTILINE | re.DOTALL)
    seal = known.seal.search(guide)
    assert shape and seal
    (round_name,) = (name for name, title in known.rounds.items() if title in guide.splitlines())
    example = json.loads(shape[0])
    operations = re.findall(r"^- `(\w+)`", guide.split(known.operations)[1], re.MULTILINE)
    return Page(
        locale=locale,
        round=round_name,
        operations=frozenset(operations),
        answer_keys=tuple(example),
        shapes={row["op"]: row for row in example["operations"]},
        seal=datetime.fromisoformat(seal[1]),
        events=tuple(
            _event(heading, body, fence, known.labels)
            for heading, body in bodies
            if re.match(r"e\d+ · ", heading)
        ),
        memories=tuple(
            memory
            for heading, body in bodies
            if known.is_rule(heading, "memories") or known.is_rule(heading, "changed")
            for memory in _memories(body, known, editable=known.is_rule(heading, "memories"))
        ),
    )


def answer(prompt: str, locale: str = "en") -> str:
    """The answer of this reader."""
    page = read(prompt, locale)
    edit = _topics if page.round is RoundName.TOPIC else _atoms
    operations = [one for one in edit(page) if one["op"] in page.operations]
    values: dict[str, Any] = {"operations": operations, "questions": [], "summary": "as read"}
    return json.dumps({key: values[key] for key in page.answer_keys})


def _event(heading: str, body: str, fence: str, labels: Mapping[str, str]) -> ReadEvent:
    handle, at, speaker, *notes = heading.split(" · ")
    roles = {label: name for name, label in labels.items() if name.startswith("role.")}
    begin, end = (re.escape(labels[f"pasted.{name}"]) for name in ("begin", "end"))
    pasted = rf"\[{fence} {begin}\].*?\[{fence} {end}\]"
    return ReadEvent(
        handle=handle,
        at=datetime.fromisoformat(at),
        speaker=roles[speaker].removeprefix("role."),
        known=labels["event.known"] in notes,
        typed=re.sub(pasted, "", body, flags=re.DOTALL).strip(),
    )


def _memories(body: str, known: Signs, *, editable: bool) -> list[ReadMemory]:
    found = re.findall(r"^- (m\d+) \[(.*?)\] (.*)$", body, re.MULTILINE)
    return [
        ReadMemory(
            handle=handle,
            facts=tuple(facts.split(" · ")),
            known_as_of=datetime.fromisoformat(facts.split(f"{known.labels['memory.as_of']} ")[1]),
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
        if event.speaker == Role.HUMAN and not event.known
        for sentence in TONGUES[page.locale].sentence.findall(event.typed)
        if sentence.strip()
    ]


def _evidence(event: ReadEvent, sentence: str) -> list[dict[str, str]]:
    return [{"event": event.handle, "quote": sentence.strip()}]


def _atoms(page: Page) -> list[dict[str, Any]]:
    operations: list[dict[str, Any]] = []
    tongue = TONGUES[page.locale]
    for event, sentence in _said(page):
        proof = _evidence(event, sentence)
        port = tongue.port.search(sentence)
        if tongue.wish.search(sentence):
            operations.append(_new(page, "user", sentence, proof))
        elif port:
            operations += _port_changed(page, event, sentence, port[1], proof)
        elif tongue.done.search(sentence):
            operations += [
                {"op": "complete", "id": memory.handle, "reason": "done", "evidence": proof}
                for memory in page.memories
                if "todo" in memory.facts and _share_words(page, memory.content, sentence)
            ]
    return [*operations, *_merges(page), *_splits(page)]


def _merges(page: Page) -> list[dict[str, Any]]:
    """Memories of one layer that begin with the same word become one."""
    alike: dict[tuple[str, str], list[ReadMemory]] = {}
    for memory in page.memories:
        words = tokenize(memory.content, page.locale)
        if memory.editable:
            alike.setdefault((memory.facts[0], words[0]), []).append(memory)
    return [
        _shaped(page, "merge", [one.handle for one in group], _joined(group))
        for group in alike.values()
        if len(group) > 1
    ]


def _joined(group: list[ReadMemory]) -> dict[str, Any]:
    return {"layer": group[0].facts[0], "content": " ".join(one.content for one in group)}


def _splits(page: Page) -> list[dict[str, Any]]:
    """A memory that also speaks of something else becomes two."""
    return [
        _shaped(page, "split", memory.handle, [{"content": part} for part in parts])
        for memory in page.memories
        if memory.editable and len(parts := TONGUES[page.locale].also.split(memory.content)) > 1
    ]


def _shaped(page: Page, op: str, old: object, new: object) -> dict[str, Any]:
    """An operation with the keys of its example: old memories by handle, new ones as objects."""
    row = dict(page.shapes[op]) | {"reason": "one matter"}
    (new_key,) = (key for key, value in row.items() if "content" in json.dumps(value))
    (old_key,) = row.keys() - {"op", "reason", new_key}
    return row | {old_key: old, new_key: new}


def _port_changed(
    page: Page, event: ReadEvent, sentence: str, port: str, proof: list[dict[str, str]]
) -> list[dict[str, Any]]:
    by = {"layer": "fact", "content": sentence.strip(), "keywords": ["port"], "importance": 2}
    return [
        {
            "op": "supersede",
            "ids": [memory.handle],
            "by": by,
            "reason": f"port {port}",
            "evidence": proof,
        }
        for memory in page.memories
        if memory.editable
        and event.at > memory.known_as_of
        and (old := TONGUES[page.locale].port.search(memory.content))
        and old[1] != port
    ]


def _topics(page: Page) -> list[dict[str, Any]]:
    said = _said(page)
    if any(memory.editable for memory in page.memories) or not said:
        return []
    event, sentence = max(said, key=lambda item: len(item[1]))
    goal = {"goal": TONGUES[page.locale].goal}
    return [_new(page, "topic", sentence, _evidence(event, sentence)) | goal]


def _new(page: Page, layer: str, sentence: str, proof: list[dict[str, str]]) -> dict[str, Any]:
    return {
        "op": "remember",
        "layer": layer,
        "content": sentence.strip(),
        "keywords": tokenize(sentence, page.locale)[:13],
        "importance": 2,
        "evidence": proof,
    }


def _share_words(page: Page, left: str, right: str) -> bool:
    return len(set(tokenize(left, page.locale)) & set(tokenize(right, page.locale))) > 1
