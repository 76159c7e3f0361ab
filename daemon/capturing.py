"""Judge a stretch of text with a model named on the spot: no workspace, and nothing is stored."""

from __future__ import annotations

import json
from datetime import UTC
from typing import TYPE_CHECKING, Any

from memgardend.config.model_command import ModelSettings
from memgardend.core.editorial.asking import drive
from memgardend.core.editorial.buckets import words_of
from memgardend.core.editorial.capture import CaptureSession
from memgardend.core.editorial.material import rendered, turns_of_messages, turns_of_text
from memgardend.core.editorial.mutations import mutation_to_dict
from memgardend.core.editorial.policies import get_policy
from memgardend.core.editorial.results import CaptureRequest, ErrorWord, Outcome
from memgardend.core.errors import MemgardendError, ModelUnavailableError
from memgardend.core.extract import consolidate, parse_request
from memgardend.core.judgement_request import Judged, Setting, judgement_request
from memgardend.core.marker import make_marker
from memgardend.core.words import CallPurpose
from memgardend.daemon.library.model_command import ModelCommand
from memgardend.daemon.registry import Registry, registry_dir

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from memgardend.core.clock import Clock
    from memgardend.core.editorial.material import SpokenTurn
    from memgardend.core.editorial.policies import PolicyName

    Ask = Callable[[str], str]


class CaptureFailedError(MemgardendError):
    """The model replied, but nothing could be made of it: the text stays to be judged."""


def capture_text(
    text: str,
    *,
    locale: str,
    policy: PolicyName,
    keep_specifics: bool,
    buckets: str,
    threads: str,
    user_name: str,
    ai_name: str,
    command: str | None,
    clock: Clock,
    environ: Mapping[str, str],
) -> dict[str, Any]:
    """The document of `capture`: what would be written. Without a command the offline rules judge.

    `text` is plain, or JSON lines of messages. Raises MaterialError, UnknownBucketLocaleError,
    ModelUnavailableError, CaptureFailedError.
    """
    words = words_of(locale)
    messages = turns_of_messages(text)
    request = CaptureRequest(
        window=text
        if messages is None
        else rendered(messages, words=words, user_name=user_name, ai_name=ai_name),
        locale=locale,
        policy=policy,
        keep_specifics=keep_specifics,
        buckets=buckets.replace(",", "\n"),
        threads=threads.replace(",", "\n"),
        user_name=user_name,
        ai_name=ai_name,
    )
    turns = messages or turns_of_text(text, person=user_name, assistant=ai_name)
    model = _Model(
        _rules(request, turns, clock)
        if command is None
        else _marked(ModelCommand(command, clock=clock, environ=environ))
    )
    session = CaptureSession(request)
    drive(session, model)
    result = session.result
    if result is None or result.outcome is Outcome.FAILED:
        raise _why(result.error if result else None, model)
    return {
        "schema": 1,
        "outcome": str(result.outcome),
        "policy": str(policy),
        "locale": locale,
        "mutations": [mutation_to_dict(one) for one in result.mutations],
        "trace": dict(result.trace),
    }


def _marked(ask: Ask) -> Ask:
    """The model of a person whose conversations we read: if it keeps the question, we must know it as ours."""
    registry = Registry(registry_dir())
    if not registry.has_key:
        return ask
    mark = make_marker(registry.key(), CallPurpose.CAPTURE, "", CallPurpose.CAPTURE)
    return lambda prompt: ask(f"{mark}\n\n{prompt}\n\n{mark}")


class _Model:
    """Remembers why there was no reply: the session only keeps a word."""

    def __init__(self, ask: Ask) -> None:
        self._ask = ask
        self.error: MemgardendError | None = None

    def __call__(self, prompt: str) -> str:
        try:
            return self._ask(prompt)
        except MemgardendError as error:
            self.error = error
            raise


def _why(error: Any, model: _Model) -> MemgardendError:
    if error is not None and error.word is ErrorWord.MODEL_FAILED:
        return model.error or ModelUnavailableError(f"the model gave no reply: {error}")
    return CaptureFailedError(
        f"nothing could be made of the model's reply: {error}",
        hint="memgardend capture --help",
    )


def _rules(request: CaptureRequest, turns: tuple[SpokenTurn, ...], clock: Clock) -> Ask:
    """Our own rules in place of a model, in this process."""
    setting = Setting(
        purpose=CallPurpose.CAPTURE,
        run="capture",
        locale=request.locale,
        at=clock.now_ms(),
        zone=UTC,
        max_prompt_chars=ModelSettings().max_prompt_chars,
        window="capture",
        source="capture",
        assistant=request.ai_name,
        person=request.user_name,
    )
    judged = Judged(
        turns=turns,
        policy=str(request.policy),
        keep_specifics=request.keep_specifics,
        max_cards=get_policy(request.policy).max_cards,
    )

    def ask(prompt: str) -> str:
        asked = parse_request(judgement_request(setting, judged, prompt))
        return json.dumps(consolidate(asked), ensure_ascii=False)

    return ask
