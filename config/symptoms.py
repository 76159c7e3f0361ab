"""How a model command says that it cannot: what it means, and what can be typed about it."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memgardend.core.words import Outcome

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(frozen=True, slots=True)
class Symptom:
    """One way of failing: an exit code, or a pattern anywhere in what a failed call printed.

    `hint` is what to type: `\\1` in it is the first group of the pattern, `MODEL` the model that was asked for.
    """

    outcome: Outcome
    pattern: str
    hint: str = ""
    exit_code: int | None = None


@dataclass(frozen=True, slots=True)
class Recognised:
    """What a failed call means. `line` is where it says so; it and the hint may be empty."""

    outcome: Outcome
    line: str
    hint: str


def recognise(
    symptoms: Iterable[Symptom], said: str, returncode: int | None, model: str | None
) -> Recognised | None:
    """The first symptom that shows in a failed call, or None."""
    for symptom in symptoms:
        matches = list(re.finditer(symptom.pattern, said, re.IGNORECASE))
        if matches:
            found = matches[-1]  # a progress display says it again and again
            hint = found.expand(symptom.hint).replace("MODEL", shlex.quote(model or ""))
            return Recognised(symptom.outcome, _line_around(said, found.start()), hint)
        if symptom.exit_code is not None and symptom.exit_code == returncode:
            return Recognised(symptom.outcome, "", symptom.hint)
    return None


def _line_around(text: str, at: int) -> str:
    start = text.rfind("\n", 0, at) + 1
    return text[start:].partition("\n")[0].strip()


EVERY_COMMAND: tuple[Symptom, ...] = (
    # the words of the usual option parsers: commander, clap, yargs, click, cobra
    Symptom(
        Outcome.OUTDATED,
        r"unknown (?:option|argument|flag|feature flag)s?:? |unexpected argument '-|no such option: ",
    ),
    Symptom(
        Outcome.PROMPT_TOO_LONG,
        r"prompt is too long|context[_ ](?:length|window)|exceeds? (?:the )?(?:maximum )?context"
        r"|maximum context|too many tokens",
        "model: {max_prompt_chars: 20000} in memgarden.yaml, or a model that reads 8000 tokens or more",
    ),
    Symptom(
        Outcome.LIMIT,
        r"credit balance is too low|insufficient_quota|\brate.?limit|usage limit|hit your limit"
        r"|exhausted your|quota exceeded|resource_exhausted|too many requests",
    ),
    Symptom(
        Outcome.UNREACHABLE,
        r"connection (?:error|refused|reset|timed out)|fetch failed|empty reply from server"
        r"|(?:could not|couldn't|failed to) (?:connect|resolve)|getaddrinfo|\benotfound\b"
        r"|\beconnrefused\b|network is unreachable|name resolution|name does not resolve|error sending request",
    ),
)
"""Symptoms that mean the same whatever the command; looked for after those of its preset."""
