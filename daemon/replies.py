"""What a model command printed: where in it the answer lies, what it used, and whether it is an error."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from memgardend.config.presets import AnswerShape

SHOWN_CHARS = 200  # of a printout that is not understood


@dataclass(frozen=True, slots=True, kw_only=True)
class Printed:
    """The parts of one printout. Exactly one of `text` and `error` is set."""

    text: str | None = None
    error: str | None = None
    tokens_in: int | None = None
    tokens_out: int | None = None
    model: str | None = None
    cost_usd: str | None = None


def read_printed(shape: AnswerShape, stdout: str, stderr: str = "") -> Printed:
    """Find the answer, or what is said instead of one."""
    if shape is AnswerShape.TEXT:
        return Printed(text=stdout)
    if shape is AnswerShape.GEMINI and not stdout.strip():
        stdout = stderr[max(stderr.find("{"), 0) :]  # its errors are objects there, after notices
    if not stdout.strip():
        return Printed(error=last_line(stderr) or "no word on why")
    if shape is AnswerShape.CODEX:
        return _codex(stdout)
    said = _object(stdout)
    if said is None:
        return Printed(error=f"not the JSON object of {shape}: {stdout.strip()[:SHOWN_CHARS]}")
    return _claude(said) if shape is AnswerShape.CLAUDE else _gemini(said)


def last_line(text: str) -> str:
    """The last line that says something."""
    return text.strip().rpartition("\n")[2].strip()


def _claude(said: dict[str, Any]) -> Printed:
    """`is_error` decides: an error may call itself `"subtype": "success"`."""
    answer = said.get("result")
    failed = bool(said.get("is_error")) or not isinstance(answer, str)
    usage = _dict(said.get("usage"))
    models = list(_dict(said.get("modelUsage")))
    cost = said.get("total_cost_usd")
    return Printed(
        text=None if failed else answer,
        error=_message(answer or said.get("subtype")) if failed else None,
        tokens_in=_sum(
            usage, "input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"
        ),
        tokens_out=_sum(usage, "output_tokens"),
        model=models[0] if len(models) == 1 else None,
        cost_usd=str(cost) if isinstance(cost, int | float) else None,
    )


def _codex(stdout: str) -> Printed:
    """The last message of the agent is the answer; a failed turn has none."""
    answer: str | None = None
    error: str | None = None
    usage: dict[str, Any] = {}
    for line in stdout.splitlines():
        event = _object(line) or {}
        kind, item = event.get("type"), _dict(event.get("item"))
        if kind == "item.completed" and item.get("type") == "agent_message":
            answer, error = _text(item.get("text")), None
        elif kind == "turn.completed":
            usage = _dict(event.get("usage"))
        elif kind == "turn.failed":
            error = _message(event.get("error"))
        elif kind == "error" and answer is None:
            error = _message(event.get("message"))
    if error is not None or answer is None:
        return Printed(error=error or _unheard(stdout))
    return Printed(
        text=answer,
        tokens_in=_sum(usage, "input_tokens"),
        tokens_out=_sum(usage, "output_tokens"),
    )


def _unheard(stdout: str) -> str:
    """Why there is no message: what stands between the events, where an error in plain text was printed."""
    plain = " ".join(line.strip() for line in stdout.splitlines() if _object(line) is None).strip()
    return (
        f"not the JSON lines of codex: {plain[:SHOWN_CHARS]}"
        if plain
        else "it ended without a message"
    )


def _gemini(said: dict[str, Any]) -> Printed:
    answer = said.get("response")
    if said.get("error") or not isinstance(answer, str):
        return Printed(error=_message(said.get("error")))
    models = _dict(_dict(said.get("stats")).get("models"))
    tokens = [_dict(_dict(use).get("tokens")) for use in models.values()]
    return Printed(
        text=answer,
        tokens_in=_total([_sum(use, "prompt") for use in tokens]),
        tokens_out=_total([_sum(use, "candidates", "thoughts") for use in tokens]),
        model=next(iter(models)) if len(models) == 1 else None,
    )


def _object(text: str) -> dict[str, Any] | None:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _dict(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _message(value: object) -> str:
    """What an error says, whether it is a text or an object with a message."""
    if isinstance(value, dict):
        value = value.get("message") or value.get("type")
    return value.strip() if isinstance(value, str) and value.strip() else "it reported an error"


def _sum(usage: dict[str, Any], *names: str) -> int | None:
    return _total([_count(usage.get(name)) for name in names])


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _total(counts: list[int | None]) -> int | None:
    known = [count for count in counts if count is not None]
    return sum(known) if known else None
