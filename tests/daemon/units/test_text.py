"""What stands in unit files, and what is read back from them."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memgardend.core.errors import UsageError
from memgardend.daemon.units.text import (
    assignments,
    drop_in_text,
    env_text,
    environment_of,
    quoted,
    read_env_file,
    sealed,
    shipped,
    unit_text,
    untouched,
)

HOME = Path("/home/mira")
PRINTABLE = st.text(st.characters(categories=["L", "N", "P", "S", "Zs"], codec="utf-8")).filter(
    str.isprintable
)


@pytest.mark.parametrize(
    ("word", "written"),
    [
        ("/opt/bin/memgardend", "/opt/bin/memgardend"),
        ("/opt/my tools/run", '"/opt/my tools/run"'),
        ("100%", '"100%%"'),
        ('a"b', '"a\\"b"'),
        ("a\\b", '"a\\\\b"'),
        ("", '""'),
    ],
)
def test_words_are_quoted_as_systemd_reads_them(word: str, written: str) -> None:
    assert quoted(word) == written


def test_what_no_unit_can_hold_is_refused() -> None:
    with pytest.raises(UsageError, match="cannot hold"):
        quoted("/home/mira/two\nlines")


@pytest.mark.parametrize("name", ["memgardend.service", "memgardend@.service"])
def test_the_shipped_units_get_the_command_of_the_installation(name: str) -> None:
    before = shipped(name)
    after = unit_text(before, ["/opt/a b/memgardend$", "run", "$x"])
    changed = [
        (old, new)
        for old, new in zip(before.splitlines(), after.splitlines(), strict=True)
        if old != new
    ]
    assert changed == [
        ("ExecStart=/usr/bin/env memgardend run", 'ExecStart="/opt/a b/memgardend$" run "$$x"')
    ]


@given(value=PRINTABLE, folder=PRINTABLE)
def test_what_a_drop_in_sets_is_read_back(value: str, folder: str) -> None:
    text = drop_in_text(["/opt/bin", f"/{folder}"], {"CODEX_HOME": value}, [], HOME / "service.env")
    found, named = environment_of([text], HOME)
    assert found == {"PATH": f"/opt/bin:/{folder}", "CODEX_HOME": value}
    assert named == ["/home/mira/service.env"]


def test_later_files_win_and_the_home_is_filled_in() -> None:
    texts = ["Environment=PATH=%h/bin:/bin A=1\nEnvironment=B=100%%\n", "Environment='A=2 3'\n"]
    assert environment_of(texts, HOME)[0] == {
        "PATH": "/home/mira/bin:/bin",
        "A": "2 3",
        "B": "100%",
    }


def test_an_open_quote_sets_nothing() -> None:
    assert assignments('"A=1') == {}


def test_only_a_system_service_says_where_it_may_write() -> None:
    own = drop_in_text(["/bin"], {}, [], HOME / "x")
    system = drop_in_text(["/bin"], {}, [HOME, Path("/srv/a b")], HOME / "x")
    assert "ReadWritePaths" not in own
    assert system.endswith(
        'ReadWritePaths=\nReadWritePaths=-/home/mira\nReadWritePaths="-/srv/a b"\n'
    )


def test_an_environment_file_is_filled_in_by_taking_a_mark_away() -> None:
    text = env_text(["KEY", "OTHER"], "systemctl restart x")
    assert read_env_file(text) == {}
    filled_in = text.replace("#KEY=", "KEY='a b'").replace("#OTHER=", "OTHER=c=d")
    assert read_env_file(filled_in) == {"KEY": "a b", "OTHER": "c=d"}


@given(PRINTABLE, PRINTABLE)
def test_a_seal_tells_ours_from_what_was_changed(body: str, other: str) -> None:
    text = sealed(body)
    assert untouched(text)
    assert untouched(text + other) == (other == "")
    assert not untouched(body)
