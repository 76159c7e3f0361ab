"""Commands to type next: they name the workspace again where the current folder does not lead to it."""

from __future__ import annotations

import os
import re
import shlex
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from memgardend.core.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Sequence

_COMMAND = re.compile(r"\bmemgardend [a-z]+(?: [^\s,;&|<>]+)*")
_NAMES = (re.compile(r"--workspace=(.+)"), re.compile(r"-w(.+)"))


def here(given: Path | None) -> str:
    """What a command must add to mean the same workspace: ` -w DIR`, or nothing."""
    if given is None or os.environ.get("MEMGARDEND_WORKSPACE") == str(given):
        return ""
    from memgardend.config.load import FILENAME, find

    root = given.parent if given.name == FILENAME else given
    with suppress(ConfigError):  # the current folder may be gone
        around = find(Path())
        if around is not None and os.path.realpath(around.parent) == os.path.realpath(root):
            return ""
    return f" -w {shlex.quote(str(given))}"


def placed(hint: str | None, where: str) -> str | None:
    """The hint, each command of ours in it with this addition, unless it names a workspace already."""
    if hint is None or not where:
        return hint
    return _COMMAND.sub(lambda one: one[0] if " -w " in one[0] else one[0] + where, hint)


def named(arguments: Sequence[str]) -> Path | None:
    """The workspace that a command line names, even one that cannot be parsed."""
    for one, following in zip(arguments, [*arguments[1:], ""], strict=True):
        if one in ("-w", "--workspace"):
            return Path(following) if following else None
        for name in _NAMES:
            if found := name.fullmatch(one):
                return Path(found[1])
    return None
