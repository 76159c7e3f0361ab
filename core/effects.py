"""What an accepted operation does to memories: each effect is one change, with the revision one higher."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from memgardend.core.checks.form import MAX_IMPORTANCE, MAX_KEYWORDS, MAX_REASON_CHARS
from memgardend.core.checks.heard import as_heard
from memgardend.core.likeness import auto_keywords
from memgardend.core.mask import mask
from memgardend.core.records import Evidence, Memory, MemoryChange
from memgardend.core.tokens import tokenize
from memgardend.core.unheard import is_unheard
from memgardend.core.words import Layer, Status

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memgardend.core.judgement import JudgeContext, Making
    from memgardend.core.operations import Fields, Operation
    from memgardend.core.scope import Scope

DEFAULT_IMPORTANCE = 2
"""Of a memory whose importance nobody gave: ordinary."""


def new_memory(fields: Fields, layer: Layer, scope: Scope, known_at: int, making: Making) -> Memory:
    """A new active memory; without keywords it gets them from its own words, marked auto."""
    content = fields.content or ""
    keywords = fields.keywords or auto_keywords(content, making.locale, MAX_KEYWORDS)
    return Memory(
        id=making.new_id(),
        layer=layer,
        content=content,
        title=fields.title,
        keywords=keywords,
        keywords_auto=not fields.keywords,
        importance=fields.importance or DEFAULT_IMPORTANCE,
        status_at=making.now,
        scope=scope,
        bucket=fields.bucket,
        threads=fields.threads or (),
        origin=making.origin,
        subcategory=fields.subcategory if layer is Layer.PROJECT else None,
        goal=fields.goal if layer is Layer.TOPIC else None,
        corrected=bool(fields.corrected) and layer is Layer.LESSON,
        source_window=making.window,
        created_at=making.now,
        updated_at=making.now,
        as_of=known_at,
    )


def edited(memory: Memory, fields: Fields, scope: Scope | None, *, now: int, locale: str) -> Memory:
    """The memory with the given fields; `updated_at` moves only when its text changes.

    Without new keywords, the old ones follow the content.
    """
    layer = fields.layer or memory.layer
    content = fields.content or memory.content
    after = replace(
        memory,
        layer=layer,
        content=content,
        title=fields.title or memory.title,
        goal=(fields.goal or memory.goal) if layer is Layer.TOPIC else None,
        keywords=fields.keywords or _following(memory, content, locale),
        keywords_auto=memory.keywords_auto and not fields.keywords,
        importance=fields.importance or memory.importance,
        scope=scope or memory.scope,
        bucket=fields.bucket or memory.bucket,
        threads=memory.threads if fields.threads is None else fields.threads,
        subcategory=(fields.subcategory or memory.subcategory) if layer is Layer.PROJECT else None,
        corrected=(memory.corrected if fields.corrected is None else fields.corrected)
        and layer is Layer.LESSON,
    )
    if text_changed(memory, after):
        after = replace(after, updated_at=max(now, memory.updated_at))
    return after


def _following(memory: Memory, content: str, locale: str) -> tuple[str, ...]:
    """Its keywords with another content, since hits go by keywords.

    Those that nobody gave are found anew; of given ones, numbers that it no longer says give way to
    what it says now.
    """
    if content == memory.content:
        return memory.keywords
    found = auto_keywords(content, locale, MAX_KEYWORDS)
    if memory.keywords_auto:
        return found
    was, says = set(tokenize(memory.content, "")), set(tokenize(content, ""))
    lost = {word for word in was - says if any(map(str.isdigit, word))}
    kept = [word for word in memory.keywords if word.casefold() not in lost]
    if len(kept) == len(memory.keywords):
        return memory.keywords
    return tuple(dict.fromkeys((*kept, *(word for word in found if word not in was))))[
        :MAX_KEYWORDS
    ]


def text_changed(before: Memory, after: Memory) -> bool:
    """True when content, title or goal differ."""
    return (before.content, before.title, before.goal) != (after.content, after.title, after.goal)


def joined(memory: Memory, new: Memory, making: Making) -> Memory:
    """An active memory that hears the same again: keywords joined, importance kept at its highest.

    Its wording stays, unless the new one is from later and has all its words and more, so that no value is lost.
    """
    after = replace(
        memory,
        keywords=tuple(dict.fromkeys((*memory.keywords, *new.keywords)))[:MAX_KEYWORDS],
        keywords_auto=memory.keywords_auto and new.keywords_auto,
        importance=min(max(memory.importance, new.importance), MAX_IMPORTANCE),
        title=memory.title or new.title,
        goal=memory.goal or new.goal,
        threads=tuple(dict.fromkeys((*memory.threads, *new.threads))),
        corrected=memory.corrected or new.corrected,
    )
    known = set(tokenize(memory.content, making.locale))
    said = set(tokenize(new.content, making.locale))
    if new.as_of > memory.as_of and said > known:
        after = replace(after, content=new.content)
    if text_changed(memory, after):
        after = replace(after, updated_at=max(making.now, memory.updated_at))
    return after if is_unheard(new) else as_heard(after)


def ended(memory: Memory, status: Status, now: int, successor: str | None = None) -> Memory:
    """The memory finished (stale) or no longer true (archived)."""
    return replace(memory, status=status, status_at=now, superseded_by=successor)


def change(
    before: Memory | None,
    after: Memory,
    operation: Operation,
    context: JudgeContext,
    *,
    known_at: int = 0,
    evidence: Sequence[Evidence] = (),
) -> MemoryChange:
    """The step from one to the other; `as_of` moves with newer evidence, and never back."""
    revision = before.revision + 1 if before else after.revision
    return MemoryChange(
        before=before,
        after=replace(after, revision=revision, as_of=max(after.as_of, known_at)),
        operation=operation.op.value,
        reason=mask(operation.reason)[:MAX_REASON_CHARS] or None,
        round=context.round,
        evidence=tuple(evidence),
    )
