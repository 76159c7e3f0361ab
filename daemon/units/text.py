"""The text of unit files: filled in, quoted and sealed; and read back."""

from __future__ import annotations

import hashlib
import re
import shlex
from importlib.resources import files
from typing import TYPE_CHECKING

from memgardend.core.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

_SEAL = "# Written by `memgardend install systemd`. sha256 of what follows: "
_PLAIN = re.compile(r"[\w/.:@=+,-]+", re.ASCII)
_COMMAND = re.compile(r"^ExecStart=.*$", re.MULTILINE)


def shipped(name: str) -> str:
    """A unit file as it comes with the program."""
    return files("memgardend").joinpath("systemd", name).read_text("utf-8")


def unit_text(text: str, argv: Sequence[str]) -> str:
    """The unit with the command of this installation."""
    program, *arguments = map(quoted, argv)  # systemd looks for variables in the arguments only
    line = " ".join([f"ExecStart={program}", *(word.replace("$", "$$") for word in arguments)])
    return _COMMAND.sub(lambda _: line, text, count=1)


def drop_in_text(
    path: Sequence[str], carried: Mapping[str, str], writable: Sequence[Path], env_file: Path
) -> str:
    """What is particular to this person and machine. `writable` folders: for a system service only."""
    lines = [
        "# What a service does not learn from your shell. Yours goes into a file of your own beside this one:",
        "# `systemctl edit`, with --user for a user unit, makes it.",
        "[Service]",
        "# Where your model commands lie, and the interpreters that their first lines name.",
        f"Environment={quoted('PATH=' + ':'.join(path))}",
    ]
    if carried:
        lines.append("# Set in the shell that installed this: other folders than the usual ones.")
        lines += [f"Environment={quoted(f'{name}={value}')}" for name, value in carried.items()]
    lines += [
        "# Values for model commands, such as keys; readable by its owner alone. It may be missing.",
        f"EnvironmentFile=-{_escaped(str(env_file))}",
    ]
    if writable:
        lines += ["# All else is read-only.", "ReadWritePaths="]
        lines += [f"ReadWritePaths={quoted(f'-{folder}')}" for folder in writable]
    return "\n".join(lines) + "\n"


def env_text(names: Iterable[str], restart: str) -> str:
    """A file for the person to fill in: one line a variable."""
    lines = [
        "# Values for the variables that `model.env` names in your memgarden.yaml files.",
        f"# Take the # away and fill in, then: {restart}",
    ]
    return "\n".join([*lines, *(f"#{name}=" for name in names)]) + "\n"


def quoted(word: str) -> str:
    """One word of a unit file. Raises UsageError for what no unit can hold."""
    escaped = _escaped(word)
    if _PLAIN.fullmatch(word):
        return escaped
    return '"' + escaped.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _escaped(text: str) -> str:
    if not text.isprintable():
        raise UsageError(
            f"a unit file cannot hold {text!r}", hint="memgardend install systemd --dry-run"
        )
    return text.replace("%", "%%")


def sealed(body: str) -> str:
    """The text under a line by which we know our own, unchanged."""
    return f"{_seal(body)}\n{body}"


def untouched(text: str) -> bool:
    """True when we wrote it, and nobody changed it since."""
    first, _, body = text.partition("\n")
    return first == _seal(body)


def _seal(body: str) -> str:
    return _SEAL + hashlib.sha256(body.encode()).hexdigest()


def environment_of(texts: Iterable[str], home: Path) -> tuple[dict[str, str], list[str]]:
    """What these files of one unit set, the later ones winning, and which environment files they name."""
    found: dict[str, str] = {}
    named: list[str] = []
    for text in texts:
        for line in text.splitlines():
            key, _, value = line.strip().partition("=")
            value = value.replace("%%", "\0").replace("%h", str(home)).replace("\0", "%")
            if key == "Environment":
                found |= assignments(value)
            elif key == "EnvironmentFile":
                named.append(value.removeprefix("-"))
    return found, named


def assignments(text: str) -> dict[str, str]:
    """The words `NAME=value` of a line, quoted or not."""
    try:
        words = shlex.split(text)
    except ValueError:  # an open quote: systemd ignores the line, too
        return {}
    return dict(word.split("=", 1) for word in words if "=" in word)


def read_env_file(text: str) -> dict[str, str]:
    """What an environment file sets: one `NAME=value` a line, quoted or not."""
    found: dict[str, str] = {}
    for line in text.splitlines():
        name, equals, value = line.strip().partition("=")
        if equals and not name.startswith(("#", ";")):
            bare = value.strip()
            quote = bare[:1]
            inside = len(bare) > 1 and quote in "\"'" and bare.endswith(quote)
            found[name.strip()] = bare[1:-1] if inside else bare
    return found
