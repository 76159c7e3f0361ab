"""The stand-in for pathlib does with a path what that does."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path as Real
from typing import Any

import pytest

from memgardend.daemon.plain.pathlib import Path as Plain

PATHS = [
    "/",
    ".",
    "",
    "a",
    "/a",
    "a/",
    "/a//b/./c",
    "./a",
    "../a",
    "/a/../b",
    "~/x",
    "/ä b/#?%/x.y",
]
ASKED: dict[str, Callable[[Any], object]] = {
    "text": str,
    "bytes": bytes,
    "for the system": os.fspath,
    "name": lambda path: path.name,
    "parent": lambda path: str(path.parent),
    "parents": lambda path: [*map(str, path.parents)],
    "a part more": lambda path: str(path / "b/c" / ".." / "/d" / "e"),
    "is absolute": lambda path: path.is_absolute(),
    "absolute": lambda path: str(path.absolute()),
    "address": lambda path: path.absolute().as_uri(),
    "asked of the real one": lambda path: (path.suffix, str(path.joinpath("n"))),
    "equal": lambda path: path == type(path)(str(path)) != type(path)("other"),
    "hash": lambda path: len({path, type(path)(str(path))}),
}


@pytest.mark.parametrize("ask", ASKED.values(), ids=ASKED.keys())
@pytest.mark.parametrize("text", PATHS)
def test_the_same_of_the_same_path(text: str, ask: Callable[[Any], object]) -> None:
    assert ask(Plain(text)) == ask(Real(text))


def test_the_same_of_parts_and_of_an_order() -> None:
    parts = ("a/", "/b", "c")
    assert str(Plain(*parts)) == str(Real(*parts))
    assert [*map(str, sorted(map(Plain, "cab")))] == ["a", "b", "c"]
    assert str(Plain.home()) == str(Real.home())


def test_the_same_of_what_lies_there(tmp_path: Real) -> None:
    (tmp_path / "file").write_bytes(b"\x00said")
    path = Plain(tmp_path)
    assert [*map(str, path.iterdir())] == [*map(str, tmp_path.iterdir())]
    assert (path / "file").read_bytes() == b"\x00said"
    assert os.path.samestat((path / "file").stat(), (tmp_path / "file").stat())
    assert [(path / name).exists() for name in ("file", "nothing")] == [True, False]
    with pytest.raises(FileNotFoundError):
        next(iter((path / "nothing").iterdir()))


@pytest.mark.parametrize("kind", [Real, Plain])
def test_only_a_whole_path_has_an_address(kind: type[Any]) -> None:
    with pytest.raises(ValueError, match="relative path"):
        kind("a").as_uri()


def test_a_whole_path_needs_no_folder_that_is_there(
    tmp_path: Real, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    tmp_path.rmdir()
    assert str(Plain("/a").absolute()) == str(Real("/a").absolute())
