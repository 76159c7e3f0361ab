"""What a call came to, where the command's own words do not decide it."""

from __future__ import annotations

from pathlib import Path

import pytest

from memgardend.config.presets import PRESETS, AnswerShape, Preset
from memgardend.core.words import Outcome
from memgardend.daemon.diagnosis import SAID_CHARS, Diagnosis, diagnose, look_for
from memgardend.daemon.process_result import ProcessResult
from memgardend.daemon.replies import Printed, read_printed

MINE = Preset(name="mine", argv=("/opt/my models/mine", "-q"))


def diagnosed(preset: Preset, result: ProcessResult) -> Diagnosis:
    return diagnose(preset, result, read_printed(preset.shape, result.stdout, result.stderr))


def ended(outcome: Outcome, stdout: str = "", stderr: str = "") -> ProcessResult:
    return ProcessResult(outcome=outcome, stdout=stdout, stderr=stderr, detail="it ended")


def test_an_answer_is_an_answer_whatever_it_talks_about() -> None:
    said = "We were not logged in; connection refused; pulling the model."
    assert diagnosed(PRESETS["ollama"], ended(Outcome.OK, said, said)) == Diagnosis(Outcome.OK)


@pytest.mark.parametrize(
    "outcome", [Outcome.CANCELLED, Outcome.SIGNAL, Outcome.TOO_LARGE, Outcome.NOT_UTF8]
)
def test_how_it_was_ended_outweighs_what_it_said(outcome: Outcome) -> None:
    assert diagnosed(MINE, ended(outcome, "not logged in; too many requests")).outcome is outcome


def test_what_we_ended_needs_no_remedy() -> None:
    assert diagnosed(MINE, ended(Outcome.CANCELLED, "half")) == Diagnosis(
        Outcome.CANCELLED, "mine: it ended", None
    )


def test_no_answer_where_the_command_ended_well() -> None:
    shaped = Preset(name="c", argv=("c",), shape=AnswerShape.CLAUDE)
    assert diagnosed(shaped, ended(Outcome.OK, '{"result": " "}')).outcome is Outcome.EMPTY
    assert diagnosed(shaped, ended(Outcome.OK, '{"x": 1}')).outcome is Outcome.REPORTED_ERROR
    assert diagnose(shaped, ProcessResult(outcome=Outcome.OK), Printed(text="")).detail == (
        "c: gave an empty answer"
    )


def test_a_flood_of_nothing_legible_is_not_repeated() -> None:
    found = diagnosed(MINE, ended(Outcome.TOO_LARGE, "\0" * 100_000))
    assert found.detail == "mine: it ended"
    found = diagnosed(MINE, ended(Outcome.TOO_LARGE, "\x1b[2J\tla  la" + " la" * 1000))
    assert found.detail.startswith("mine: it ended: la la la")


@pytest.mark.parametrize("shape", AnswerShape)
def test_what_said_nothing_is_not_asked_why(shape: AnswerShape) -> None:
    shaped = Preset(name="mine", argv=("mine",), shape=shape)
    missing = ProcessResult(outcome=Outcome.NOT_FOUND, detail="no such program")
    assert diagnosed(shaped, missing).detail == "mine: no such program"
    assert diagnosed(shaped, ended(Outcome.EXIT, " ")).detail == "mine: it ended"


def test_its_words_are_cut_to_a_sentence_or_two_and_keep_no_secret() -> None:
    secret = "sk-ant-" + "Zq9" * 12
    found = diagnosed(MINE, ended(Outcome.EXIT, stderr=f"bad {secret} " + "x" * 1000))
    assert secret not in found.detail
    assert len(found.detail) < SAID_CHARS + 30


@pytest.mark.parametrize(
    ("outcome", "hint"),
    [
        (Outcome.NOT_FOUND, "command -v '/opt/my models/mine'"),
        (Outcome.NOT_EXECUTABLE, "ls -l '/opt/my models/mine'"),
        (Outcome.TIMEOUT, "model: {timeout_minutes: 20} in memgarden.yaml"),
        (Outcome.EXIT, "memgardend model test"),
    ],
)
def test_a_command_of_ones_own_gets_a_hint_too(outcome: Outcome, hint: str) -> None:
    assert diagnosed(MINE, ended(outcome)).hint == hint


def test_a_program_is_looked_for_without_running_it(tmp_path: Path) -> None:
    program = tmp_path / "mine"
    preset = Preset(name="mine", argv=(str(program),))
    assert look_for(preset, None).outcome is Outcome.NOT_FOUND
    program.touch(mode=0o600)
    assert look_for(preset, None) == Diagnosis(
        Outcome.NOT_EXECUTABLE, "mine: is there, but cannot be run", f"ls -l {program}"
    )
    program.chmod(0o700)
    assert look_for(preset, None) == Diagnosis(Outcome.OK)
    assert look_for(Preset(name="mine", argv=("mine",)), str(tmp_path)).outcome is Outcome.OK
