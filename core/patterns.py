"""Regular expressions that are compiled when they are first used: compiling all of them takes a hook too long."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from typing import Any


def regex(source: str, flags: re.RegexFlag | int = 0) -> re.Pattern[str]:
    """As `re.compile`, later. A mistake in the source shows at the first use."""
    return cast("re.Pattern[str]", _Pattern(source, flags))


class _Pattern:
    """Gets each attribute of the compiled pattern when it is asked for, and keeps it."""

    def __init__(self, source: str, flags: int) -> None:
        self._source = source
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        value = getattr(re.compile(self._source, self._flags), name)
        setattr(self, name, value)
        return value
