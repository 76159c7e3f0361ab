"""One small question to the model command, to see whether it can be used."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from memgardend.core.checks import form
from memgardend.core.operations import Unusable, parse_answer
from memgardend.core.ports import ModelCall
from memgardend.core.request_schema import REQUEST_SCHEMA_VERSION
from memgardend.core.times import rfc3339
from memgardend.core.words import CallPurpose, Outcome, RoundName
from memgardend.daemon.diagnosis import TRY

if TYPE_CHECKING:
    from memgardend.config.model import Config
    from memgardend.core.ports import ModelReply
    from memgardend.daemon.model import CommandModel

_SHOW = "memgardend model show"  # whoever tries it already needs to see what is run
_PROMPT = """\
This is a test of the connection. Answer with this JSON object and nothing else:
{"operations": [], "questions": [], "summary": "ready"}
"""


def try_model(model: CommandModel, config: Config) -> ModelReply:
    """Ask once. An answer that cannot be parsed is `unusable`."""
    run = f"test-{os.getpid()}"  # its processes are ended by this mark: no two tests may share it
    call = ModelCall(
        purpose=CallPurpose.TEST,
        prompt=_PROMPT,
        request=json.dumps(_request(config, run, model.clock.now_ms())),
        window="",
        dream="",
        round=RoundName.ATOMIC,
        run=run,
    )
    reply = model.ask(call, lambda: True)
    if reply.outcome is not Outcome.OK:
        return replace(reply, hint=_SHOW if reply.hint == TRY else reply.hint)
    answer = parse_answer(reply.text or "")
    if isinstance(answer, Unusable):
        detail = f"{model.preset().program}: {answer.reason}"
        return replace(reply, outcome=Outcome.UNUSABLE, detail=detail, hint=_SHOW)
    return reply


def test_document(config: Config, reply: ModelReply) -> dict[str, Any]:
    """The `model test` document."""
    settings = config.dreaming_model
    return {
        "schema": 1,
        "ok": reply.outcome is Outcome.OK,
        "model": settings.preset if settings.command is None else settings.command[0],
        "outcome": str(reply.outcome),
        "detail": reply.detail,
        "hint": reply.hint,
        "duration_ms": reply.duration_ms,
        "tokens_in": reply.tokens_in,
        "tokens_out": reply.tokens_out,
        "tokens_reported": reply.tokens_reported,
    }


def _request(config: Config, run: str, now: int) -> dict[str, Any]:
    """A request without events: valid, and with nothing to do."""
    return {
        "schema": REQUEST_SCHEMA_VERSION,
        "purpose": "test",
        "run": run,
        "locale": config.locale,
        "round": RoundName.ATOMIC,
        "seal": rfc3339(now),
        "names": {"assistant": config.names.assistant, "person": config.names.person},
        "window": {"id": "test", "source": "test", "title": None, "project": None},
        "events": [],
        "memories": [],
        "projects": [],
        "limits": {
            "max_prompt_chars": config.dreaming_model.max_prompt_chars,
            "content_chars": form.MAX_CHARS["content"],
            "title_chars": form.MAX_CHARS["title"],
            "goal_chars": form.MAX_CHARS["goal"],
            "keywords": form.MAX_KEYWORDS,
        },
        "problems": [],
        "prompt": _PROMPT,
    }
