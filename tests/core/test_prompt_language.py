"""Each prompt speaks one language: no English prose in a Chinese one, no Chinese in an English one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from memgardend.config.packs import locales
from memgardend.core.answer_schema import ANSWER_SCHEMA
from memgardend.core.operations import Flaw
from memgardend.core.records import Event, Memory
from memgardend.core.scope import GLOBAL, UNSET, Scope
from memgardend.core.slots import LABELS_SLOT, RECALL_SLOT, SLOTS, TOOLS_SLOT
from memgardend.core.template import parse_labels
from memgardend.core.tools.parameters import TOOLS
from memgardend.core.words import Layer, OperationName, Role, RoundName, Status, Subcategory
from support import dreaming
from support.dreaming import ALPHA, BETA, FENCE, MARKER, WINDOW, event, memory
from support.prompts import SMALLEST, prompt

_CODE = re.compile(r"`[^`\n]*`|^\s*[{\"].*$", re.MULTILINE)
_CJK = re.compile(r"[⺀-〿㇀-鿿豈-﫿︰-﹏＀-￯]")
_NAMES = re.compile(
    rf"{FENCE}|{MARKER}|memgardend|Asia/Shanghai|claude-code|alpha|beta|\b[em]\d+\b"
)
_SHELF = re.compile(rf"^(- m\d+ \[)(?:{'|'.join(Layer)})(?: · (?:{'|'.join(Subcategory)}))?", re.M)
ABBREVIATIONS = {"JSON", "UTC"}
LABELLED = {LABELS_SLOT, TOOLS_SLOT, RECALL_SLOT}
"""Slots of lines `name = text`: the names are no prose."""


def keys(schema: Any) -> Iterator[str]:
    """Every field of an answer."""
    for value in schema.values() if isinstance(schema, dict) else schema:
        if isinstance(value, dict | list):
            yield from keys(value)
    if isinstance(schema, dict):
        yield from schema.get("properties", {})


PROTOCOL = {
    *(*OperationName, *Layer, *Subcategory, *keys(ANSWER_SCHEMA), "global", "unset"),
    *("true", "false", "dream", "window"),
    *(*TOOLS, *(parameter.name for parameters in TOOLS.values() for parameter in parameters)),
    *(choice for parameters in TOOLS.values() for one in parameters for choice in one.choices),
}
"""What code spans and the shape of the answer may say; a reader of any language must write it so."""


def stray_english(text: str) -> list[str]:
    """Latin words that are neither names nor protocol."""
    plain = _NAMES.sub("", _SHELF.sub(r"\1", text))
    code = " ".join(_CODE.findall(plain)).replace(r"\n", "")
    prose = _CODE.sub("", plain)
    return [
        *(word for word in re.findall(r"[A-Za-z_]{2,}", prose) if word not in ABBREVIATIONS),
        *(word for word in re.findall(r"[A-Za-z_]{2,}", code) if word not in PROTOCOL),
    ]


def stray_chinese(text: str) -> list[str]:
    """Chinese characters and their punctuation."""
    return _CJK.findall(text)


STRAY = {"en": stray_chinese, "zh-Hans": stray_english}
SPOKEN = {"en": "The port is 8080.", "zh-Hans": "端口是 8080。"}
NOT_A_NAME = {"en": r"\bthe (?:user|human)\b", "zh-Hans": "用户|人类"}


def all_kinds(locale: str) -> tuple[list[Event], list[Memory]]:
    """An event of each role, one pasted and one too long, and a memory of each layer, status and scope."""
    text = SPOKEN[locale]
    events = [event(0, "¤" * 31_000), event(20, text, pasted=((0, 3),))]
    events += [event(seq, text, role) for seq, role in enumerate(Role, start=21)]
    scopes = [GLOBAL, UNSET, Scope.of(ALPHA.id, BETA.id)]
    fields: dict[str, Any] = {"title": text, "goal": text, "keywords": (), "corrected": True}
    memories = [
        memory(f"{layer}-{status}", text, layer, status=status, scope=scopes[n % 3], **fields)
        for n, layer in enumerate(Layer)
        for status in Status
    ]
    shelf = Subcategory.TODO
    todo = memory("todo", text, Layer.PROJECT, subcategory=shelf, keywords=(text,))
    return events, [*memories, todo]


@pytest.mark.parametrize("round_name", RoundName)
@pytest.mark.parametrize("locale", STRAY)
def test_a_prompt_speaks_the_language_of_its_pack(locale: str, round_name: RoundName) -> None:
    events, memories = all_kinds(locale)
    text = prompt(
        events,
        memories,
        round_name=round_name,
        within=dreaming.settings(2 * SMALLEST, locale=locale),
        window=replace(WINDOW, title=None),
        problems=list(Flaw),
        continues=True,
    )
    assert STRAY[locale](text) == []
    assert not re.search(NOT_A_NAME[locale], text, re.IGNORECASE)
    assert "{{" not in text


@pytest.mark.parametrize("slot", SLOTS)
@pytest.mark.parametrize("locale", STRAY)
def test_a_slot_speaks_its_language(locale: str, slot: str) -> None:
    text = dreaming.pack(locale)(slot)
    said = [*parse_labels(text, slot).values()] if slot in LABELLED else text.splitlines()
    assert [STRAY[locale](re.sub(r"\{\{\w+\}\}", "", line)) for line in said] == [[] for _ in said]


def test_every_built_in_pack_is_looked_at() -> None:
    assert list(STRAY) == locales()


@pytest.mark.parametrize("slot", SLOTS)
def test_chinese_is_punctuated_as_chinese(slot: str) -> None:
    prose = _CODE.sub("", dreaming.pack("zh-Hans")(slot))
    assert re.findall(r"[一-鿿][,;:?!()]|[,;:?!()][一-鿿]", prose) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        pytest.param("用 `supersede` 取代它。", [], id="an operation"),
        pytest.param("只有一个 JSON 对象。", [], id="an abbreviation"),
        pytest.param('{"op": "archive", "id": "m…", "reason": "…"}', [], id="the shape"),
        pytest.param("- m1 [project · todo · 重要性 1] 写完", [], id="a shelf"),
        pytest.param("- m1 [fact · stale · 重要性 1] 写完", ["stale"], id="a bare status"),
        pytest.param("请 supersede 它。", ["supersede"], id="an operation without its ticks"),
        pytest.param("标着 `already dreamed` 的", ["already", "dreamed"], id="prose in ticks"),
        pytest.param('{"summary": "one line"}', ["one", "line"], id="prose in the shape"),
    ],
)
def test_the_search_for_english_finds_counter_examples(text: str, found: list[str]) -> None:
    assert stray_english(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        pytest.param("Résumé “naïve” · 5 € …", [], id="other scripts' marks"),
        pytest.param("a project（项目）", ["（", "项", "目", "）"], id="a gloss"),
        pytest.param("one, two、three", ["、"], id="punctuation"),
        pytest.param("wide ＡＢ", ["Ａ", "Ｂ"], id="wide letters"),
    ],
)
def test_the_search_for_chinese_finds_counter_examples(text: str, found: list[str]) -> None:
    assert stray_chinese(text) == found
