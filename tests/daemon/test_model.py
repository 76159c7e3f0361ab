"""The model command as the jobs see it: real small commands, through the real process seam."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from memgardend.config import presets
from memgardend.config.model_command import ModelSettings
from memgardend.config.presets import AnswerShape, Preset
from memgardend.config.symptoms import Symptom
from memgardend.core.clock import SystemClock
from memgardend.core.errors import ConfigError
from memgardend.core.ports import ModelCall, ModelReply
from memgardend.core.words import Outcome
from memgardend.daemon.model import CommandModel

CALL = ModelCall(
    purpose="dream",
    prompt="the prompt",
    request='{"the": "request"}',
    window="claude-code:w1",
    dream="d-1",
    round="atomic",
    run=f"run-of-test-model-{os.getpid()}",  # what carries it is ended, also by another worker
)
ENVIRON = {
    "PATH": os.environ["PATH"],
    "HOME": "/home/x",
    "USER": "x",
    "LANG": "C.UTF-8",
    "LC_TIME": "C",
    "TZ": "UTC",
    "XDG_CONFIG_HOME": "/home/x/.config",
    "SSL_CERT_FILE": "/certs",
    "HTTPS_PROXY": "http://p",
    "no_proxy": "localhost",
    "MY_KEY": "secret",
    "NOTIFY_SOCKET": "/run/n",
    "WATCHDOG_USEC": "1",
    "CREDENTIALS_DIRECTORY": "/run/c",
    "INVOCATION_ID": "i",
    "LD_PRELOAD": "x.so",
    "PYTHONPATH": "/tmp",
    "MEMGARDEND_CLOCK": "2026",
}


def ask(command: list[str], environ: dict[str, str] = ENVIRON, **settings: Any) -> ModelReply:
    model = CommandModel(ModelSettings(command=tuple(command), **settings), SystemClock(), environ)
    return model.ask(CALL, lambda: True)


def sh(script: str) -> list[str]:
    return ["/bin/sh", "-c", script]


def test_the_prompt_goes_in_and_the_answer_comes_out() -> None:
    reply = ask(["cat"])

    assert (reply.outcome, reply.text, reply.detail) == (Outcome.OK, "the prompt", "")


def test_json_input_gets_the_request() -> None:
    assert ask(["cat"], input="json").text == CALL.request


def test_the_command_sees_what_it_needs_and_nothing_else() -> None:
    reply = ask(sh("env"), env=("MY_KEY", "NOT_SET"))

    assert reply.text is not None
    seen = dict(line.split("=", 1) for line in reply.text.splitlines())
    for made_by_the_shell in ("PWD", "SHLVL", "OLDPWD", "_"):
        seen.pop(made_by_the_shell, None)
    hidden = (
        *("NOTIFY_SOCKET", "WATCHDOG_USEC", "CREDENTIALS_DIRECTORY", "INVOCATION_ID"),
        *("LD_PRELOAD", "PYTHONPATH", "MEMGARDEND_CLOCK"),
    )
    assert seen == {name: value for name, value in ENVIRON.items() if name not in hidden} | {
        "MEMGARDEND_PURPOSE": "dream",
        "MEMGARDEND_WINDOW": "claude-code:w1",
        "MEMGARDEND_DREAM": "d-1",
        "MEMGARDEND_ROUND": "atomic",
        "MEMGARDEND_RUN": CALL.run,
    }


def test_it_runs_in_a_private_empty_folder_that_goes_away() -> None:
    reply = ask(sh("pwd; ls -A; stat -c %a . 2>/dev/null || stat -f %Lp .; touch left"))

    assert reply.text is not None
    folder, mode = reply.text.split()
    assert mode == "700"
    assert not Path(folder).exists()


def test_what_the_command_does_not_report_is_estimated_and_marked() -> None:
    reply = ask(sh("printf %0100d 0"))

    assert (reply.tokens_in, reply.tokens_out, reply.tokens_reported) == (3, 30, False)
    assert reply.cost is None


def test_a_call_that_reached_no_model_used_nothing_and_a_failed_one_what_it_read() -> None:
    missing, failed = ask(["no-such-model-here"]), ask(sh("exit 1"))

    assert (missing.tokens_in, missing.tokens_out, missing.tokens_reported) == (0, 0, True)
    assert (failed.tokens_in, failed.tokens_out, failed.tokens_reported) == (3, 0, False)


def test_stdout_of_a_failed_call_is_no_answer_but_may_explain() -> None:
    reply = ask(sh("echo The moon is in the wrong phase; exit 1"))

    assert (reply.outcome, reply.text) == (Outcome.EXIT, None)
    assert reply.detail == "sh: ended with exit code 1: The moon is in the wrong phase"
    assert reply.hint == "memgardend model test"


def test_secrets_do_not_reach_the_detail() -> None:
    secret = "sk-ant-" + "Zq9" * 12

    assert secret not in ask(sh(f"echo bad key {secret}; exit 1")).detail
    assert secret not in ask(sh(f"echo bad key {secret} >&2; exit 1")).detail


def test_a_missing_command_says_what_to_type() -> None:
    reply = ask(["no-such-model-here"])

    assert reply.outcome is Outcome.NOT_FOUND
    assert "no-such-model-here" in reply.detail
    assert reply.hint == "command -v no-such-model-here"


@pytest.mark.parametrize(
    ("settings", "outcome"),
    [
        ({"timeout_minutes": 0.004}, Outcome.TIMEOUT),
        ({"silent_minutes": 0.004}, Outcome.SILENT),
    ],
    ids=["total", "silent"],
)
def test_both_deadlines_hold(settings: dict[str, Any], outcome: Outcome) -> None:
    reply = ask(["sleep", "60"], **settings)

    assert (reply.outcome, reply.text) == (outcome, None)
    assert reply.hint


def test_no_folder_means_no_call(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "absent"))

    reply = ask(["cat"])

    assert reply.outcome is Outcome.NOT_EXECUTABLE
    assert "absent" in reply.detail


def quirky(monkeypatch: pytest.MonkeyPatch, script: str, **quirks: Any) -> ModelReply:
    """Ask a preset whose command is replaced by a script with the same quirks."""
    preset = Preset(name="claude", argv=tuple(sh(script)), **quirks)
    monkeypatch.setitem(presets.PRESETS, "claude", preset)
    model = CommandModel(ModelSettings(preset="claude"), SystemClock(), ENVIRON)
    return model.ask(CALL, lambda: True)


CLAUDE = {
    "shape": AnswerShape.CLAUDE,
    "symptoms": (Symptom(Outcome.LOGIN, "not logged in", "log in"),),
}


@pytest.mark.parametrize(
    "script",
    [
        "echo 'Not logged in · Please run /login'; exit 1",
        "echo not logged in >&2; exit 1",
        'echo \'{"is_error": true, "subtype": "success", "result": "Not logged in"}\'',
    ],
    ids=["on stdout", "on stderr", "in the object with exit code 0"],
)
def test_a_missing_login_is_told_from_other_failures(
    monkeypatch: pytest.MonkeyPatch, script: str
) -> None:
    reply = quirky(monkeypatch, script, **CLAUDE)

    assert (reply.outcome, reply.text, reply.hint) == (Outcome.LOGIN, None, "log in")
    assert "ogged in" in reply.detail


def test_a_login_exit_code_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    symptom = Symptom(Outcome.LOGIN, "never said", "gemini", exit_code=41)

    reply = quirky(monkeypatch, "exit 41", symptoms=(symptom,))

    assert (reply.outcome, reply.hint) == (Outcome.LOGIN, "gemini")


def test_an_error_object_with_exit_code_0_is_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    script = 'echo \'{"is_error": true, "subtype": "success", "result": "Overloaded"}\''

    reply = quirky(monkeypatch, script, **CLAUDE)

    assert (reply.outcome, reply.text) == (Outcome.REPORTED_ERROR, None)
    assert reply.detail == "sh: Overloaded"


def test_an_empty_answer_inside_a_full_object_is_empty(monkeypatch: pytest.MonkeyPatch) -> None:
    assert quirky(monkeypatch, """echo '{"result": " "}'""", **CLAUDE).outcome is Outcome.EMPTY


def test_reported_use_is_taken_over(monkeypatch: pytest.MonkeyPatch) -> None:
    said = {
        "result": "{}",
        "total_cost_usd": 0.5,
        "usage": {"input_tokens": 8, "output_tokens": 2},
        "modelUsage": {"m": {}},
    }

    reply = quirky(monkeypatch, f"echo '{json.dumps(said)}'", **CLAUDE)

    assert (reply.text, reply.tokens_in, reply.tokens_out) == ("{}", 8, 2)
    assert (reply.tokens_reported, reply.cost, reply.currency) == (True, "0.5", "USD")
    assert reply.model == "m"


def test_a_model_that_the_preset_cannot_choose_is_a_mistake_in_the_settings() -> None:
    model = CommandModel(ModelSettings(name="llama3.2"), SystemClock(), ENVIRON)

    with pytest.raises(ConfigError, match="offline has no models"):
        model.ask(CALL, lambda: True)


def test_our_own_answers_without_network_tokens_or_the_persons_environment() -> None:
    request = {"schema": 1, "purpose": "test", "locale": "en"}
    call = ModelCall(
        purpose="test",
        prompt="",
        request=json.dumps(request),
        window="",
        dream="",
        round="",
        run=f"run-of-test-offline-{os.getpid()}",
    )
    model = CommandModel(ModelSettings(), SystemClock(), {"PATH": os.environ["PATH"]})

    reply = model.ask(call, lambda: True)

    assert reply.outcome is Outcome.OK, reply.detail
    assert json.loads(reply.text or "")["operations"] == []
    assert (reply.tokens_in, reply.tokens_out, reply.tokens_reported) == (0, 0, True)
    assert model.preset().argv[0] == sys.executable
