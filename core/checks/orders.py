"""Orders: text that nobody typed and that asks for memories to be taken away.

Text of tools, systems and pastes is data. A model may obey it all the same; then an operation that takes
knowledge away, and rests on nothing that a person typed, waits for a person.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memgardend.core.words import Role

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from memgardend.core.records import Event

_VERB = (
    r"(?:delet|remov|eras|forg[eo]t|archiv|wip(?:e|ing)|clear|purg|drop|discard|retir|disregard|ignor|overwrit"
    r"|replac|supersed|complete|merg|split|合并|拆分|删除|删掉|清除|清空|忘记|忘掉|归档|抹掉|覆盖|忽略)"
)
_OBJECT = (
    r"(?:memor(?:y|ies)\b|记忆|(?<![.\w/])m\d{1,4}\b|(?:all|any|previous|prior|earlier|above)\s+(?:\w+\s+)?(?:instruction|rule)s"
    r"|you\s+(?:know|remember)|之前的(?:指令|规则)|所有(?:指令|规则))"
)
_ORDER = re.compile(
    rf"{_VERB}[^\n]{{0,60}}?{_OBJECT}|{_OBJECT}[^\n]{{0,60}}?{_VERB}"
    r'|"op"\s*:\s*"(?:archive|complete|supersede|update|merge|split)"',
    re.IGNORECASE,
)
_NOT_TYPED = frozenset({Role.TOOL, Role.SYSTEM, Role.SCRIPT, Role.REPLAY})


def gives_orders(events: Iterable[Event]) -> bool:
    """True when something in these events that nobody typed here asks for memories to be taken away."""
    return any(_ORDER.search(text) for event in events for text in _untyped(event))


def _untyped(event: Event) -> Iterator[str]:
    if event.role in _NOT_TYPED:
        yield event.text
    elif event.role is Role.HUMAN:
        yield from (event.text[start:end] for start, end in event.pasted)
