"""The model commands we know by name."""

from __future__ import annotations

from typing import get_args

import pytest

from memgardend.config.model_command import Preset as PresetName
from memgardend.config.presets import PRESETS, find_preset
from memgardend.core.errors import ConfigError

CLAUDE = (
    "claude -p --output-format json --tools  --no-session-persistence --strict-mcp-config "
    '--settings {"autoMemoryEnabled":false,"disableAllHooks":true}'
)
CALLS: dict[tuple[str, str | None], str] = {
    ("claude", None): CLAUDE,
    ("claude", "haiku"): f"{CLAUDE} --model haiku",
    ("codex", "o9"): (
        "codex exec --skip-git-repo-check --ephemeral --ignore-user-config -s read-only "
        "--disable shell_tool --disable hooks --json -m o9 -"
    ),
    ("gemini", "flash"): "gemini -o json -p  --approval-mode plan --skip-trust -e none -m flash",
    ("llm", "small"): "llm prompt --no-log -m small",
    ("ollama", "llama3.2"): "ollama run --format json --nowordwrap --hidethinking llama3.2",
}


@pytest.mark.parametrize(("name", "model"), CALLS, ids=str)
def test_each_preset_is_called_without_its_tools_and_logs(name: str, model: str | None) -> None:
    assert " ".join(find_preset(name, model).argv) == CALLS[name, model]


def test_the_settings_offer_exactly_the_presets_of_the_table() -> None:
    assert set(get_args(PresetName)) == set(PRESETS)


def test_our_own_takes_json_and_spends_nothing() -> None:
    preset = find_preset("offline")

    assert preset.argv[1:] == ("-P", "-m", "memgardend.daemon.offline")
    assert (preset.input, preset.free) == ("json", True)
    assert not any(other.free for name, other in PRESETS.items() if name != "offline")


@pytest.mark.parametrize(
    ("name", "model", "said"),
    [
        ("clod", None, "unknown preset 'clod'"),
        ("ollama", None, "needs the name of a model"),
        ("offline", "gpt", "no models to choose"),
    ],
)
def test_what_cannot_be_called_is_said_with_a_way_out(
    name: str, model: str | None, said: str
) -> None:
    with pytest.raises(ConfigError, match=said) as caught:
        find_preset(name, model)
    assert caught.value.hint
