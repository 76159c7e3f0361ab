"""The documentation of the settings, the schema, the first file, and where values come from."""

from __future__ import annotations

import json

import pytest

from memgardend.config.load import check
from memgardend.config.model import Config
from memgardend.config.settings import DEFAULT, origins, schema_text, settings
from memgardend.config.template import template
from memgardend.core.errors import UsageError


def test_every_setting_is_documented() -> None:
    found = {setting.key: setting.doc for setting in settings()}
    assert [key for key, doc in found.items() if not doc.endswith(".")] == []
    assert "\n" not in "".join(found.values())
    assert {"locale", "sources[].cwd", "dream.suppress_windows[].weekdays"} <= set(found)
    assert {"model.prices.peak.input", "delegate.model.preset"} <= set(found)


def test_the_schema_documents_every_setting_and_needs_a_locale() -> None:
    schema = json.loads(schema_text())
    assert schema["required"] == ["locale"]

    def target(setting: dict[str, str]) -> dict[str, str]:
        found: dict[str, str] = schema["$defs"].get(setting.get("$ref", "").rpartition("/")[2], {})
        return found

    for section in (schema, *schema["$defs"].values()):
        assert section["additionalProperties"] is False
        for name, setting in section["properties"].items():
            assert "description" in setting or "description" in target(setting), name


def test_the_schema_lets_a_delegate_be_short() -> None:
    delegate = json.loads(schema_text())["$defs"]["Delegate"]["properties"]["model"]
    assert {"type": "string"} in delegate["anyOf"]


def test_the_first_file_says_the_defaults() -> None:
    text, config = template("en")
    assert config == Config(locale="en")
    assert check(text) == (config, [])


def test_the_first_file_holds_names_and_what_was_found() -> None:
    text, config = template(
        "zh-Hans", assistant='Mo "the" #1', person="安娜: x", found={"codex": 3}
    )
    assert (config.locale, config.names.assistant, config.names.person) == (
        "zh-Hans",
        'Mo "the" #1',
        "安娜: x",
    )
    assert "# Found now: codex (3)." in text


@pytest.mark.parametrize(
    ("locale", "person", "said"),
    [
        ("english", "", "'english' is not a locale"),
        ("en\nmodel: {command: [evil]}", "", "is not a locale"),
        ("{x}", "", "is not a locale"),
        ("en", "\x7f", "special characters are not allowed"),
    ],
)
def test_the_first_file_refuses_what_it_cannot_hold(locale: str, person: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        template(locale, person=person)


def test_origins_name_the_line_or_the_default() -> None:
    text = (
        "locale: en\n"
        "names: &n\n"
        "  person: Ana\n"
        "dream:\n"
        "  idle_minutes: 5\n"
        "  suppress_windows: []\n"
        "delegate:\n"
        "  model: claude/haiku\n"
    )
    config, _ = check(text)
    assert config is not None
    found = {origin.key: (origin.value, origin.origin) for origin in origins(text, config)}
    assert found["locale"] == ("en", "memgarden.yaml:1")
    assert found["names.person"] == ("Ana", "memgarden.yaml:3")
    assert found["names.assistant"] == ("", DEFAULT)
    assert found["dream.idle_minutes"] == (5, "memgarden.yaml:5")
    assert found["dream.suppress_windows"] == ([], "memgarden.yaml:6")
    assert found["dream.enabled"] == (True, DEFAULT)
    assert found["delegate.model.name"] == ("haiku", "memgarden.yaml:8")
    assert found["model.prices.peak"] == (None, DEFAULT)
    json.dumps([origin.value for origin in origins(text, config)])


def test_every_value_in_force_has_an_origin() -> None:
    config = Config(locale="en")
    keys = {origin.key for origin in origins("locale: en\n", config)}
    documented = {setting.key for setting in settings() if "[]" not in setting.key}
    assert keys <= documented
    assert {"budget.money_per_day", "metrics.textfile"} <= keys
