"""memgarden.yaml: what it may say, and where each mistake is."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memgardend.config.load import FILENAME, Problem, check, find, load
from memgardend.config.model import Config
from memgardend.config.settings import settings
from memgardend.core.errors import ConfigError

SHARED = Path(__file__).parents[2] / "../shared"

MISTAKES: dict[str, tuple[str, list[Problem]]] = {
    "nothing": ("", [Problem(1, 1, "`locale` is missing", "add locale: en")]),
    "comments only": ("# hello\n", [Problem(1, 1, "`locale` is missing", "add locale: en")]),
    "locale forgotten": (
        "names: {person: Ana}\n",
        [Problem(1, 1, "`locale` is missing", "add locale: en")],
    ),
    "locale blank": ('locale: ""\n', [Problem(1, 9, "'' is not a locale", "write locale: en")]),
    "locale by another name": (
        "locale: zh-CN\n",
        [Problem(1, 9, "'zh-CN' is not a locale", "did you mean `zh-Hans`?")],
    ),
    "locale of a machine": (
        "locale: en_US\n",
        [Problem(1, 9, "'en_US' is not a locale", "did you mean `en`?")],
    ),
    "locale in the wrong case": (
        "locale: zh-hans\n",
        [Problem(1, 9, "'zh-hans' is not a locale", "did you mean `zh-Hans`?")],
    ),
    "locale with a path": (
        "locale: ../../etc\n",
        [Problem(1, 9, "'../../etc' is not a locale", "write locale: en")],
    ),
    "text instead of settings": (
        "hello",
        [Problem(1, 1, "the file should hold settings, one `name: value` a line")],
    ),
    "list instead of settings": (
        "- locale: en\n",
        [Problem(1, 1, "the file should hold settings, one `name: value` a line")],
    ),
    "misspelt setting": (
        "locale: en\ndream:\n  idle_minuts: 5\n",
        [Problem(3, 3, "unknown setting `idle_minuts`", "did you mean `idle_minutes`?")],
    ),
    "setting in no section": (
        "locale: en\nidle_minutes: 5\n",
        [Problem(2, 1, "unknown setting `idle_minutes`", "`idle_minutes` belongs under `dream:`")],
    ),
    "section in a section": (
        "locale: en\ndream:\n  budget: {}\n",
        [Problem(3, 3, "unknown setting `budget`", "`budget` belongs at the left margin")],
    ),
    "unknown altogether": (
        "locale: en\nfrobnicate: 5\n",
        [Problem(2, 1, "unknown setting `frobnicate`")],
    ),
    "number instead of a section": (
        "locale: en\nmodel: 3\n",
        [Problem(2, 8, "`model` should be a mapping of settings, not 3")],
    ),
    "text instead of a switch": (
        "locale: en\nreflect: {enabled: maybe}\n",
        [Problem(2, 20, "`enabled` should be true or false, not 'maybe'")],
    ),
    "switch of YAML 1.1": (
        "locale: en\nreflect:\n  enabled: No\n",
        [Problem(3, 12, "`enabled` should be true or false, not 'No'", "write false")],
    ),
    "number instead of a switch": (
        "locale: en\nreflect: {enabled: 1}\n",
        [Problem(2, 20, "`enabled` should be true or false, not 1")],
    ),
    "quoted number": (
        'locale: en\ndream:\n  idle_minutes: "180"\n',
        [Problem(3, 17, "`idle_minutes` should be a whole number, not '180'")],
    ),
    "time as a number": (
        "locale: en\ndream:\n  suppress_windows:\n    - {start: 540, end: 720}\n",
        [
            Problem(4, 15, "`start` should be a time in quotes, not a number", 'quote it: "09:00"'),
            Problem(4, 25, "`end` should be a time in quotes, not a number", 'quote it: "12:00"'),
        ],
    ),
    "hour as a number": (
        "locale: en\ndream:\n  suppress_windows:\n    - {start: 9, end: 24}\n",
        [
            Problem(4, 15, "`start` should be a time in quotes, not a number", 'quote it: "09:00"'),
            Problem(4, 23, "`end` should be a time in quotes, not a number", 'quote it: "24:00"'),
        ],
    ),
    "time read by YAML 1.1": (
        "%YAML 1.1\n---\nlocale: en\ndream:\n  suppress_windows:\n  - start: 09:00\n    end: 12:00\n",
        [Problem(7, 10, "`end` should be a time in quotes, not a number", 'quote it: "12:00"')],
    ),
    "number that is no time": (
        "locale: en\ndream: {suppress_windows: [{start: .inf, end: 99999}]}\n",
        [
            Problem(2, 36, "`start` should be a time of day", 'write it as "09:00"'),
            Problem(2, 47, "`end` should be a time in quotes, not a number", 'quote it: "12:00"'),
        ],
    ),
    "window without an end": (
        'locale: en\ndream:\n  suppress_windows:\n  - start: "9:00"\n',
        [Problem(4, 5, "`end` is missing", "add end:")],
    ),
    "windows as text": (
        "locale: en\ndream:\n  suppress_windows: 09:00-12:00\n",
        [Problem(3, 21, "`suppress_windows` should be a list, not '09:00-12:00'")],
    ),
    "window as text": (
        'locale: en\ndream:\n  suppress_windows: ["09:00-12:00"]\n',
        [
            Problem(
                3,
                22,
                "an entry of `suppress_windows` should be a mapping of settings, not '09:00-12:00'",
            )
        ],
    ),
    "same start and end": (
        'locale: en\ndream:\n  suppress_windows:\n  - {start: "09:00", end: "9:00"}\n',
        [
            Problem(
                4,
                27,
                "`start` and `end` are the same",
                'for the whole day write start: "0:00", end: "24:00"',
            )
        ],
    ),
    "misspelt weekday": (
        'locale: en\ndream:\n  suppress_windows:\n  - start: "1:00"\n    end: "2:00"\n'
        "    weekdays: [mon, tus]\n",
        [
            Problem(
                6,
                21,
                "an entry of `weekdays` should be one of mon, tue, wed, thu, fri, sat, sun, not 'tus'",
                "did you mean `tue`?",
            )
        ],
    ),
    "no weekday": (
        'locale: en\ndream:\n  suppress_windows: [{start: "1:00", end: "2:00", weekdays: []}]\n',
        [Problem(3, 61, "`weekdays` should not be empty")],
    ),
    "zone in the wrong case": (
        "locale: en\ndream: {time_zone: asia/shanghai}\n",
        [Problem(2, 20, "unknown time zone 'asia/shanghai'", "did you mean `Asia/Shanghai`?")],
    ),
    "zone without its continent": (
        "locale: en\ndream: {time_zone: new york}\n",
        [Problem(2, 20, "unknown time zone 'new york'", "did you mean `America/New_York`?")],
    ),
    "zone that is a folder": (
        "locale: en\ndream: {time_zone: Asia}\n",
        [Problem(2, 20, "unknown time zone 'Asia'", "write an IANA name, such as Asia/Shanghai")],
    ),
    "negative lead": (
        "locale: en\ndream: {suppress_lead_minutes: -5}\n",
        [Problem(2, 32, "`suppress_lead_minutes` should be at least 0, not -5")],
    ),
    "fractional lead": (
        "locale: en\ndream: {suppress_lead_minutes: 15.9}\n",
        [Problem(2, 32, "`suppress_lead_minutes` should be a whole number, not 15.9")],
    ),
    "command as a line": (
        "locale: en\nmodel:\n  command: claude -p 'be brief'\n",
        [
            Problem(
                3,
                12,
                "`command` should be a list, one part of the command each",
                'write ["claude", "-p", "be brief"]',
            )
        ],
    ),
    "command with an open quote": (
        "locale: en\nmodel:\n  command: mine 'open\n",
        [
            Problem(
                3,
                12,
                "`command` should be a list, one part of the command each",
                """write ["mine", "'open"]""",
            )
        ],
    ),
    "command with a NUL": (
        'locale: en\nmodel: {command: ["a\\0b"]}\n',
        [Problem(2, 18, "`command` should not hold a NUL character")],
    ),
    "command beside the settings": (
        "locale: en\nmodel: {command: [./bin/mine, -q]}\n",
        [
            Problem(
                2,
                18,
                "`command` should begin with a name on the PATH or a whole path: it runs in a folder of its own",
                'write ["/…/mine"]',
            )
        ],
    ),
    "endless lead": (
        "locale: en\ndream: {suppress_lead_minutes: 99999999}\n",
        [Problem(2, 32, "`suppress_lead_minutes` should be at most 5256000, not 99999999")],
    ),
    "value left out": (
        "locale: en\ndream:\n  idle_minutes:\n  enabled: {}\n",
        [
            Problem(3, 3, "`idle_minutes` should be a whole number, not nothing"),
            Problem(4, 12, "`enabled` should be true or false, not a mapping"),
        ],
    ),
    "long value": (
        f"locale: en\nmodel: {{preset: {'x' * 99}}}\n",
        [
            Problem(
                2,
                17,
                "`preset` should be one of offline, claude, codex, gemini, llm, ollama, "
                f"not '{'x' * 39}…",
            )
        ],
    ),
    "merge of no settings": (
        "locale: en\n<<: 5\n",
        [Problem(2, 5, "`<<` should bring in settings")],
    ),
    "merge of itself": (
        "locale: en\ndream: &a\n  <<: *a\n",
        [Problem(2, 8, "an alias that means the list or setting it stands in")],
    ),
    "empty command": (
        "locale: en\nmodel: {command: []}\n",
        [
            Problem(
                2,
                18,
                "`command` should begin with a program",
                'write ["my-model"], or leave it out',
            )
        ],
    ),
    "number in a command": (
        "locale: en\nmodel: {command: [nice, 5]}\n",
        [Problem(2, 25, "an entry of `command` should be text; quote it, not 5")],
    ),
    "key in env": (
        "locale: en\nmodel: {env: [API_KEY=hunter2]}\n",
        [
            Problem(
                2,
                15,
                "an entry of `env` should be the name of an environment variable",
                "write only API_KEY",
            )
        ],
    ),
    "misspelt preset": (
        "locale: en\nmodel: {preset: claud}\n",
        [
            Problem(
                2,
                17,
                "`preset` should be one of offline, claude, codex, gemini, llm, ollama, not 'claud'",
                "did you mean `claude`?",
            )
        ],
    ),
    "preset without its model": (
        "locale: en\nmodel: {preset: ollama}\n",
        [Problem(2, 17, "`ollama` needs the name of a model", "add name: llama3.2")],
    ),
    "endless timeout": (
        "locale: en\nmodel: {timeout_minutes: .inf}\n",
        [Problem(2, 26, "`timeout_minutes` should be a finite number, not inf")],
    ),
    "no timeout": (
        "locale: en\nmodel: {timeout_minutes: 0}\n",
        [Problem(2, 26, "`timeout_minutes` should be more than 0, not 0")],
    ),
    "tiny prompt": (
        "locale: en\nmodel: {max_prompt_chars: 100}\n",
        [Problem(2, 27, "`max_prompt_chars` should be at least 4000, not 100")],
    ),
    "price without a currency": (
        "locale: en\nmodel:\n  prices:\n    peak: {input: 2, output: 3}\n",
        [Problem(4, 11, "prices need a currency", "add currency: USD")],
    ),
    "price of half a call": (
        "locale: en\nmodel:\n  prices: {currency: USD, peak: {input: cheap}}\n",
        [
            Problem(3, 33, "`output` is missing", "add output:"),
            Problem(3, 41, "`input` should be an amount of money, such as 0.27, not 'cheap'"),
        ],
    ),
    "currency as a sign": (
        "locale: en\nmodel: {prices: {currency: $}}\n",
        [Problem(2, 28, "`currency` should be three capital letters, not '$'", "such as USD")],
    ),
    "money limit without prices": (
        "locale: en\nbudget: {money_per_day: 5}\n",
        [
            Problem(
                2,
                25,
                "a limit of money needs model.prices with currency, peak and off_peak",
                "memgardend config explain model.prices",
            )
        ],
    ),
    "misspelt agent": (
        "locale: en\nsources:\n  - kind: claude\n",
        [
            Problem(
                3,
                11,
                "`kind` should be one of claude-code, codex, dsh, gemini, opencode, openclaw, jsonl, "
                "not 'claude'",
                "did you mean `claude-code`?",
            )
        ],
    ),
    "files without a path": (
        "locale: en\nsources:\n  - kind: claude-code\n  - {kind: jsonl}\n",
        [Problem(4, 12, "`jsonl` needs a path", "add path: logs/*.jsonl")],
    ),
    "setting twice": (
        "locale: en\ndream: {}\ndream: {}\nlocale: en\n",
        [
            Problem(3, 1, "`dream` is set twice", "keep one of the two"),
            Problem(4, 1, "`locale` is set twice", "keep one of the two"),
        ],
    ),
    "list that never ends": (
        "locale: en\nsources: [\n",
        [Problem(3, 1, "expected the node content, but found '<stream end>'")],
    ),
    "tab as indent": (
        "locale: en\ndream:\n\tenabled: true\n",
        [Problem(3, 1, "found character '\\t' that cannot start any token")],
    ),
    "unknown version of YAML": (
        "%YAML 1.5\n---\nlocale: en\n",
        [Problem(1, 1, "the %YAML line names an unknown version")],
    ),
    "two documents": (
        "locale: en\n---\nlocale: en\n",
        [Problem(2, 1, "but found another document")],
    ),
    "tag": (
        "locale: !python/name:os.system en\n",
        [Problem(1, 9, "the tag !python/name:os.system means nothing here", "leave it out")],
    ),
    "tag that lies": (
        "locale: en\nbudget: {calls_per_day: !!int many}\n",
        [Problem(2, 25, "'many' is not of the kind that its tag says")],
    ),
    "list as a name": (
        "locale: en\n? [a, b]\n: 1\n",
        [Problem(2, 3, "the name of a setting should be one word")],
    ),
    "alias of itself": (
        "locale: en\ndream: &a\n  enabled: *a\n",
        [Problem(2, 8, "an alias that means the list or setting it stands in")],
    ),
    "several at once, in order": (
        "locale: english\nmodel:\n  timeout_minutes: soon\nrecal: {}\n",
        [
            Problem(1, 9, "'english' is not a locale", "did you mean `en`?"),
            Problem(3, 20, "`timeout_minutes` should be a number, not 'soon'"),
            Problem(4, 1, "unknown setting `recal`", "did you mean `recall`?"),
        ],
    ),
}


@pytest.mark.parametrize(("text", "problems"), MISTAKES.values(), ids=MISTAKES)
def test_points_at_the_mistake(text: str, problems: list[Problem]) -> None:
    assert check(text) == (None, problems)


PLAIN = [setting.key for setting in settings() if "[]" not in setting.key and "." in setting.key]


@pytest.mark.parametrize("key", PLAIN)
def test_every_setting_refuses_another_kind_where_it_stands(key: str) -> None:
    lines = ["locale: en"] + [f"{'  ' * depth}{name}:" for depth, name in enumerate(key.split("."))]
    value = len(lines[-1]) + 2
    problems = check("\n".join(lines) + " [[]]\n")[1]
    assert [
        problem
        for problem in problems
        if problem.line == len(lines)
        and problem.column in (value, value + 1)
        and f"`{key.rpartition('.')[2]}`" in problem.message
    ], problems


ODD = [".inf", "-.inf", ".nan", "1e999", "-1", "9" * 5000, "2026-11-30", "!!binary AA", "~", '""']
ODD += ['"\\0"', "'\u2028'", "0b", "0o8", "0x", "1_000", "[[[]]]", "{a: {}}", "true", "x" * 10_000]


@pytest.mark.parametrize("value", ODD, ids=[value[:12] for value in ODD])
def test_no_value_of_any_setting_raises(value: str) -> None:
    for setting in settings():
        text = value
        for name in reversed(setting.key.split(".")):
            plain = name.removesuffix("[]")
            text = f"{{{plain}: [{text}]}}" if plain != name else f"{{{plain}: {text}}}"
        config, problems = check(f"{{locale: en, {text[1:]}")
        assert (config is None) == bool(problems)


def test_windows_line_ends_are_no_mistake() -> None:
    assert check("locale: en\r\ndream:\r\n  idle_minutes: x\r\n")[1] == [
        Problem(3, 17, "`idle_minutes` should be a whole number, not 'x'")
    ]


def test_a_locale_is_all_it_takes() -> None:
    assert check("locale: en\n") == (Config(locale="en"), [])


def test_sections_without_settings_say_the_defaults() -> None:
    assert check("locale: en\ndream:\nmodel:\n  # preset: claude\n")[0] == Config(locale="en")


def test_anchors_and_merges_are_understood() -> None:
    text = (
        "locale: en\n"
        "names: &n {person: &p Ana}\n"
        "dream:\n"
        "  suppress_windows:\n"
        '  - &w {start: "1:00", end: "2:00"}\n'
        '  - {<<: *w, end: "24:00"}\n'
        '  - <<: [{weekdays: [sat]}, *w, {start: "7:00"}]\n'
    )
    config, problems = check(text)
    assert problems == []
    assert config is not None
    assert [w.model_dump() for w in config.dream.suppress_windows] == [
        {"start": "1:00", "end": "2:00", "weekdays": None},
        {"start": "1:00", "end": "24:00", "weekdays": None},
        {"start": "1:00", "end": "2:00", "weekdays": ("sat",)},
    ]


def test_aliases_of_aliases_end() -> None:
    lines = ["locale: en", "a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 9)]
    config, problems = check("\n".join(lines))
    assert config is None
    assert "aliases that make the file endlessly long" in {p.message for p in problems}


@pytest.mark.parametrize("text", ["[" * 1000, "a: " * 3000, "{a: " * 200, "- " * 400])
def test_deep_nesting_is_a_problem_not_a_crash(text: str) -> None:
    assert check(text)[0] is None


def test_the_example_of_the_design_is_understood() -> None:
    design = SHARED / "DESIGN.md"
    if not design.exists():
        pytest.skip("the shared folder is not here")
    example = design.read_text("utf-8").split("```yaml\n")[1].split("```")[0]
    config, problems = check(example)
    assert problems == []
    assert config is not None
    assert config.model_copy(update={"sources": None}) == Config(locale="en")


def _invalid_rows() -> list[dict[str, object]]:
    file = SHARED / "cases/suppression-cases.json"
    return json.loads(file.read_text("utf-8"))["invalid_config"] if file.exists() else []


@pytest.mark.parametrize("row", _invalid_rows(), ids=lambda row: str(row["why"]))
def test_invalid_suppression_is_refused(row: dict[str, list[list[str]]]) -> None:
    windows = [{"start": start, "end": end} for start, end in row["windows"]]
    dream = {"time_zone": row["zone"], "suppress_windows": windows}
    config, problems = check(json.dumps({"locale": "en", "dream": dream}))
    assert config is None
    assert problems
    assert all(
        "zone" in said or "`start`" in said or "`end`" in said for said in map(str, problems)
    )


def _ancestors_leniences() -> list[dict[str, Any]]:
    """What an ancestor rounded, clamped or ignored in its calendar of peaks."""
    file = SHARED / "cases/meow-cases.json"
    rows = json.loads(file.read_text("utf-8")) if file.exists() else []
    return [row for row in rows if row["id"].startswith("SUP") and row["ours"] == "differs"]


@pytest.mark.parametrize("row", _ancestors_leniences(), ids=lambda row: str(row["id"]))
def test_what_an_ancestor_let_pass_is_refused(row: dict[str, Any]) -> None:
    assert row["ours_must"] == "configuration error, exit 78"
    given = row["input"]
    dream = {
        "time_zone": given["timeZone"],
        "suppress_windows": [{"start": start, "end": end} for start, end in given["windows"]],
        "suppress_lead_minutes": given["leadMinutes"],
    }
    config, problems = check(json.dumps({"locale": "en", "dream": dream}))
    assert config is None
    assert problems


@pytest.mark.parametrize("time", ["9:00", "09:00", "0:00", "23:59"])
def test_times_of_day(time: str) -> None:
    text = f"locale: en\ndream: {{suppress_windows: [{{start: '{time}', end: '24:00'}}]}}\n"
    assert check(text)[1] == []


@pytest.mark.parametrize(
    "time", ["", "9", "9:0", "009:00", "24:01", "-1:00", "9:00 ", "٩:٠٠", "xx"]
)
def test_what_is_no_time_of_day(time: str) -> None:
    text = f"locale: en\ndream: {{suppress_windows: [{{start: '1:00', end: '{time}'}}]}}\n"
    (problem,) = check(text)[1]
    assert problem.message == f"`end` should be a time of day from 0:00 to 24:00, not {time!r}"


_PIECES = re.findall(
    r"\S+",
    "locale dream : &a *a << !t ? # \" ' | > ~ - [ ] { } --- ... 12:00 0x 1e _ en 2026-13-45 "
    "!!int !!bool !!float !!null !!map !!seq !!binary !!timestamp",
)
_SPACED = st.sampled_from(
    [
        *_PIECES,
        "\n",
        "  ",
        "\t",
        ": ",
        "%YAML 1.1\n",
        "%YAML 1.5\n---\n",
        "%YAML 3.0\n",
        "%TAG ! x\n",
        "\0",
    ]
)


@given(st.text() | st.lists(_SPACED).map("".join))
def test_no_text_raises(text: str) -> None:
    config, problems = check(text)
    assert (config is None) == bool(problems)
    lines = text.count("\n") + text.count("\r") + 2
    assert all(1 <= problem.line <= lines + 3 and problem.column >= 1 for problem in problems)


def test_finds_the_nearest_file_around(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    assert find(inner) is None
    (tmp_path / FILENAME).write_text("locale: en\n")
    (tmp_path / "a" / FILENAME).mkdir()  # a folder of that name is no file
    assert find(inner) == tmp_path / FILENAME
    monkeypatch.chdir(inner)
    assert find(Path()) == tmp_path / FILENAME


def test_load_names_the_place_and_counts_the_rest(tmp_path: Path) -> None:
    file = tmp_path / FILENAME
    file.write_text("locale: en\nrecal: {}\nmodel: 3\nbudget: x\n")
    with pytest.raises(ConfigError) as caught:
        load(file)
    assert str(caught.value) == f"{file}:2:1: unknown setting `recal` (and 2 more problems)"
    assert caught.value.hint == f"memgardend config check -w {tmp_path}"
    assert caught.value.exit_code == 78


@pytest.mark.parametrize(
    ("data", "said"),
    [(None, "no memgarden.yaml in"), (b"\xff", "is not UTF-8 at byte 0")],
    ids=["absent", "not UTF-8"],
)
def test_load_says_what_is_wrong_with_the_file(
    tmp_path: Path, data: bytes | None, said: str
) -> None:
    file = tmp_path / FILENAME
    if data is not None:
        file.write_bytes(data)
    with pytest.raises(ConfigError, match=said) as caught:
        load(file)
    assert caught.value.hint


def test_a_byte_order_mark_is_no_mistake(tmp_path: Path) -> None:
    file = tmp_path / FILENAME
    file.write_bytes(b"\xef\xbb\xbflocale: en\n")
    assert load(file) == Config(locale="en")
