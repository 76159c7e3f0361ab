"""Files that a person names: what is text, and what is said of all else."""

from __future__ import annotations

from pathlib import Path

import pytest

from memgardend.core.errors import UsageError
from memgardend.daemon import text_file
from memgardend.daemon.text_file import read_text


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "is empty"),
        (b" \n\t", "is empty"),
        (b"caf\xe9", "not UTF-8: byte 0xE9 at 3, line 1"),
        (b"a\nb\n\xff", "byte 0xFF at 4, line 3"),
        (b"PK\x03\x04\x00\x00", "a zero at byte 4"),
        (b"x" * 30, "too large"),
    ],
)
def test_what_is_no_text_is_said_to_be_none(
    data: bytes, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(text_file, "MAX_BYTES", 20)
    file = tmp_path / "old notes.txt"
    file.write_bytes(data)
    with pytest.raises(UsageError, match=said) as raised:
        read_text(file)
    assert "'" in (raised.value.hint or ""), "the name of the file can be typed as it stands"


@pytest.mark.parametrize(
    ("encoding", "text", "hint"),
    [
        ("utf-16", "hello", "iconv -f utf-16 "),
        ("gb18030", "用户：以后不要在周五部署。", "iconv -f gb18030 "),
        ("windows-1252", "Un café à Besançon, s'il vous plaît", "iconv -f windows-1252 "),
    ],
)
def test_another_encoding_is_named_as_far_as_it_shows(
    encoding: str, text: str, hint: str, tmp_path: Path
) -> None:
    file = tmp_path / "notes.txt"
    file.write_bytes(text.encode(encoding))
    with pytest.raises(UsageError, match="not UTF-8") as raised:
        read_text(file)
    assert (raised.value.hint or "").startswith(hint)


@pytest.mark.parametrize("name", ["none.txt", "."])
def test_what_cannot_be_read_names_the_file(name: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"No such file|Is a directory"):
        read_text(tmp_path / name)


def test_a_byte_order_mark_is_no_text(tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_bytes(b"\xef\xbb\xbfhello \xe2\x98\x95")
    assert read_text(file) == "hello ☕"
