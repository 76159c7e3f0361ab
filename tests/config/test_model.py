"""What the settings mean where it is more than their values."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from memgardend.config.doubts import warnings
from memgardend.config.load import check
from memgardend.config.model import Config, ModelSettings
from memgardend.config.model_command import split_short

SHARED = Path(__file__).parents[2] / "../shared/cases/meow-cases.json"
_CASES: list[dict[str, Any]] = json.loads(SHARED.read_text("utf-8")) if SHARED.exists() else []


def config_of(text: str) -> Config:
    config, problems = check(f"locale: en\n{text}")
    assert problems == []
    assert config is not None
    return config


@pytest.mark.parametrize(
    ("text", "takes_json", "offline"),
    [
        ("", True, True),
        ("model: {preset: offline, input: prompt}", True, True),
        ("model: {preset: claude}", False, False),
        ("model: {preset: claude, input: json}", True, False),
        ("model: {command: [mine]}", False, False),
        ("model: {command: [mine], input: json}", True, False),
    ],
)
def test_what_the_command_reads(text: str, takes_json: bool, offline: bool) -> None:
    model = config_of(text).model
    assert (model.takes_json, model.offline) == (takes_json, offline)


def test_the_delegate_dreams_where_there_is_one() -> None:
    config = config_of("delegate: {model: claude/haiku}")
    assert config.dreaming_model == ModelSettings(preset="claude", name="haiku")
    assert config_of("model: {preset: codex}").dreaming_model.preset == "codex"
    assert config_of("delegate: {model: gemini}").dreaming_model == ModelSettings(preset="gemini")


def test_a_delegate_may_be_only_another_model_of_the_same_preset() -> None:
    config = config_of("model: {preset: claude, env: [KEY]}\ndelegate: {model: haiku}")
    assert config.dreaming_model == ModelSettings(preset="claude", name="haiku", env=("KEY",))
    ollama = config_of("model: {preset: ollama, name: big}\ndelegate: {model: 'small:1b'}")
    assert ollama.dreaming_model == ModelSettings(preset="ollama", name="small:1b")


@pytest.mark.parametrize("model", ["", "model: {preset: offline}", "model: {command: [mine]}"])
def test_a_name_alone_is_no_delegate_where_the_model_takes_none(model: str) -> None:
    _, problems = check(f"locale: en\n{model}\ndelegate: {{model: gemni}}\n")
    assert [problem.hint for problem in problems] == ["did you mean `gemini`?"]


@pytest.mark.skipif(not _CASES, reason="the shared cases are not here")
@pytest.mark.parametrize(
    "case", [c for c in _CASES if c["id"].startswith("MODEL")], ids=lambda case: str(case["id"])
)
def test_shared_delegate_cases(case: dict[str, Any]) -> None:
    preset, name = split_short(case["input"])
    expected = case["expected"] or {}
    assert (preset, name) == (expected.get("provider"), expected.get("model"))


@pytest.mark.parametrize("blank", ["", "  "])
def test_a_blank_delegate_is_none(blank: str) -> None:
    assert config_of(f"delegate: {{model: {blank!r}}}").dreaming_model == ModelSettings()


def test_prices_are_the_digits_that_were_typed() -> None:
    text = (
        "model:\n  prices:\n    currency: CNY\n"
        '    peak: {input: 0.1, output: "12.30"}\n    off_peak: {input: 0, output: 3}\n'
        "budget: {money_per_day: 0.3}\n"
    )
    config = config_of(text)
    prices = config.model.prices
    assert prices.peak is not None
    assert (prices.peak.input, prices.peak.output) == (Decimal("0.1"), Decimal("12.30"))
    assert config.budget.money_per_day == Decimal("0.3")
    assert prices.complete


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", []),
        ("dream: {suppress_windows: []}", []),
        (
            'dream: {suppress_windows: [{start: "0:00", end: "23:50"}]}',
            ["dream.suppress_windows, with the lead before each, leave no time at all: "],
        ),
        ("sources: [{kind: claude-code}, {kind: dsh}, {kind: dsh}]", ["sources: this version"]),
        ("dream: {calendar: deepseek}", []),
        ("dream: {calendar: deepseek, time_zone: UTC}", ["dream.calendar: deepseek replaces"]),
        ("model: {preset: codex, command: [mine]}", ["model.command is used"]),
        (f"model: {{command: [mine, --key, sk-ant-{'Zq9' * 12}]}}", ["model.command holds what"]),
        ("model: {command: [mine, --key-file, /home/me/key]}", []),
        ("dream: {max_wait_hours: 2}", ["dream.max_wait_hours is not longer"]),
        ("dream: {max_wait_hours: 4}", []),
    ],
)
def test_doubts(text: str, said: list[str]) -> None:
    found = warnings(config_of(text))
    assert len(found) == len(said)
    assert all(line.startswith(start) for line, start in zip(found, said, strict=True))
