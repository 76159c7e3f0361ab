"""A call of one of the seven tools by name: its arguments read, done, and answered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memgardend.core.errors import MemgardendError
from memgardend.core.tools.parameters import ALL_STATUSES, ToolName
from memgardend.core.tools.reading import ArgumentProblem, read_arguments
from memgardend.core.tools.texts import ToolTexts
from memgardend.core.tools.values import MemoryUpdate, NewMemory, ToolAnswer
from memgardend.core.words import Layer, Status, Subcategory
from memgardend.jobs.look.windows import SCHEMA
from memgardend.jobs.recall import PanoramaRequest, SearchRequest, panorama, search
from memgardend.jobs.recall.context import forms_of, names_of
from memgardend.jobs.tools import documents, dreaming, looking
from memgardend.jobs.tools.remember import remember
from memgardend.jobs.tools.rendering import Rendering
from memgardend.jobs.tools.scopes import known_ids
from memgardend.jobs.tools.update import update

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from memgardend.core.tools.reading import Arguments
    from memgardend.core.tools.texts import ToolDefinition
    from memgardend.jobs.tools.context import ToolContext

Said = tuple[str, dict[str, Any]]
"""Text and document of an answer."""
_AROUND_IDS = "[]()<>`'\""
"""What agents put around an id that they copy."""


def definitions(context: ToolContext) -> tuple[ToolDefinition, ...]:
    """All seven as an agent is told of them, in the words of the pack. Raises ConfigError for a broken pack."""
    texts = texts_of(context)
    return tuple(map(texts.definition, ToolName))


def call(name: str, arguments: Mapping[str, Any], context: ToolContext) -> ToolAnswer:
    """Do what an agent asks. What it did wrong, and what went wrong, is in the answer.

    Raises ConfigError for a broken prompt pack.
    """
    texts = texts_of(context)
    if name not in frozenset(map(str, ToolName)):
        return _failed(texts.say("unknown_tool", name=name, known=", ".join(ToolName)), name)
    tool = ToolName(name)
    asked = read_arguments(tool, arguments)
    if isinstance(asked, ArgumentProblem):
        return _failed(texts.problem(tool, asked), name)
    rendering = Rendering(context.garden.store, texts, forms_of(context.recall, _now(context)))
    try:
        text, document = _CALLS[tool](context, asked, rendering)
    except MemgardendError as error:
        return _failed(texts.failure(error), name, hint=error.hint)
    if asked.ignored:
        text += "\n" + texts.say("ignored", names=", ".join(asked.ignored))
    return ToolAnswer(
        text=text,
        document={
            **document,
            "tool": name,
            "ok": True,
            "ignored": list(asked.ignored),
        },
    )


def new_memory_of(asked: Arguments) -> NewMemory:
    """The arguments of memory_remember."""
    return NewMemory(
        content=asked.text("content") or "",
        projects=asked.texts("project") or (),
        keywords=asked.texts("keywords") or (),
        importance=asked.number("importance"),
        layer=Layer(asked.text("layer") or Layer.FACT),
        title=asked.text("title"),
        goal=asked.text("goal"),
        subcategory=_subcategory(asked),
        corrected=asked.flag("corrected"),
    )


def update_of(asked: Arguments) -> MemoryUpdate:
    """The arguments of memory_update."""
    layer, status = asked.text("layer"), asked.text("status")
    return MemoryUpdate(
        id=_id(asked),
        content=asked.text("content"),
        projects=asked.texts("project"),
        keywords=asked.texts("keywords"),
        importance=asked.number("importance"),
        layer=Layer(layer) if layer else None,
        status=Status(status) if status else None,
        title=asked.text("title"),
        goal=asked.text("goal"),
        subcategory=_subcategory(asked),
        corrected=asked.flag("corrected"),
        reason=asked.text("reason"),
        revision=asked.number("revision"),
    )


def search_of(context: ToolContext, asked: Arguments) -> SearchRequest:
    """The arguments of memory_search. Raises UsageError for a project that is not known."""
    words = asked.texts("status") or ()
    statuses = tuple(Status) if ALL_STATUSES in words else tuple(map(Status, words))
    return SearchRequest(
        query=asked.text("query") or "",
        at=_now(context),
        window=context.window,
        recorded=True,
        layers=tuple(map(Layer, asked.texts("layer") or ())),
        projects=known_ids(asked.texts("project") or (), context.garden.store.projects()),
        statuses=statuses,
        days=asked.number("days"),
        k=asked.number("k") or 0,
        content_chars=asked.number("content_chars") or 0,
    )


def _remember(context: ToolContext, asked: Arguments, rendering: Rendering) -> Said:
    done = remember(context, new_memory_of(asked))
    return rendering.remembered(done), documents.remembered_document(context.garden.store, done)


def _update(context: ToolContext, asked: Arguments, rendering: Rendering) -> Said:
    done = update(context, update_of(asked))
    return rendering.updated(done), documents.updated_document(context.garden.store, done)


def _search(context: ToolContext, asked: Arguments, rendering: Rendering) -> Said:
    context.garden.store.keep_index(context.garden.config.locale)
    result = search(context.recall, search_of(context, asked))
    return result.text, documents.search_document(context.garden.store, result)


def _project(context: ToolContext, asked: Arguments, rendering: Rendering) -> Said:
    store = context.garden.store
    ids = known_ids(asked.texts("project") or (), store.projects())
    request = PanoramaRequest(projects=ids, at=_now(context), window=context.window)
    found = panorama(context.recall, request)
    return found.text, documents.panorama_document(store, ids, found)


def _read(context: ToolContext, asked: Arguments, rendering: Rendering) -> Said:
    entry = looking.read(context, _id(asked))
    return rendering.entry(entry), documents.entry_document(context.garden.store, entry)


def _find_similar(context: ToolContext, asked: Arguments, rendering: Rendering) -> Said:
    chars = asked.number("content_chars") or 0
    found = looking.find_similar(context, _id(asked), asked.number("k") or 0)
    text = rendering.similar(_id(asked), found, chars)
    return text, documents.similar_document(context.garden.store, found, chars)


def _dream(context: ToolContext, asked: Arguments, rendering: Rendering) -> Said:
    done = dreaming.dream(context)
    return rendering.dream(done), documents.dream_document(done)


_CALLS: Mapping[ToolName, Callable[[ToolContext, Arguments, Rendering], Said]] = {
    ToolName.REMEMBER: _remember,
    ToolName.SEARCH: _search,
    ToolName.PROJECT: _project,
    ToolName.FIND_SIMILAR: _find_similar,
    ToolName.READ: _read,
    ToolName.UPDATE: _update,
    ToolName.DREAM: _dream,
}


def texts_of(context: ToolContext) -> ToolTexts:
    """What the tools say, in the words of the pack. Raises ConfigError for a broken one."""
    return ToolTexts(context.garden.slot, names_of(context.recall))


def _failed(text: str, name: str, hint: str | None = None) -> ToolAnswer:
    document = {"schema": SCHEMA, "tool": name, "ok": False, "error": text, "hint": hint}
    return ToolAnswer(text=text, ok=False, document=document)


def _now(context: ToolContext) -> int:
    return context.garden.clock.now_ms()


def _id(asked: Arguments) -> str:
    return (asked.text("id") or "").strip(_AROUND_IDS)


def _subcategory(asked: Arguments) -> Subcategory | None:
    word = asked.text("subcategory")
    return Subcategory(word) if word else None
