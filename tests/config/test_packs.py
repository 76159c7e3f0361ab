"""Prompt packs: who wins, and what is read when."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from memgardend.config.packs import Pack, locales
from memgardend.core.errors import ConfigError
from memgardend.core.slots import SLOTS


def write(folder: Path, slot: str, text: str, locale: str = "en") -> Path:
    file = folder / locale / f"{slot}.md"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return file


def test_the_built_in_packs_hold_every_slot() -> None:
    assert locales() == ["en", "zh-Hans"]
    for locale in locales():
        assert all(Pack(locale).slot(name).strip() for name in SLOTS)


def test_the_workspace_wins_over_the_user_and_the_user_over_the_built_in(tmp_path: Path) -> None:
    workspace, user = tmp_path / "workspace", tmp_path / "user"
    pack = Pack("en", workspace, user)
    built_in = pack.slot("opening")
    write(user / "prompts", "opening", "the user's")
    assert pack.slot("opening") == "the user's"
    write(workspace / ".memgarden" / "prompts", "opening", "the workspace's")
    assert pack.slot("opening") == "the workspace's"
    assert Pack("en").slot("opening") == built_in
    assert pack.slot("seal") == Pack("en").slot("seal")
    origins = [found.origin for name in ("opening", "seal") if (found := pack.find(name))]
    assert origins == ["workspace", "built-in"]


def test_a_slot_is_read_at_each_use(tmp_path: Path) -> None:
    file = write(tmp_path / "prompts", "opening", "one")
    pack = Pack("en", user_dir=tmp_path)
    assert pack.slot("opening") == "one"
    file.write_text("two")
    assert pack.slot("opening") == "two"


def test_a_missing_pack_is_a_config_error_with_a_way_to_begin(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no prompt pack `xx`; there are en, zh-Hans") as caught:
        Pack("xx", user_dir=tmp_path / "o dear").slot("opening")
    command, _, _ = (caught.value.hint or "").partition("  #")
    subprocess.run(["sh", "-c", command], check=True)
    assert Pack("xx", user_dir=tmp_path / "o dear").slot("opening") == Pack("en").slot("opening")
    assert locales(user_dir=tmp_path / "o dear") == ["en", "xx", "zh-Hans"]


def test_a_pack_that_lacks_slots_names_them(tmp_path: Path) -> None:
    for name in SLOTS.keys() - {"seal", "labels"}:
        write(tmp_path / "prompts", name, name, "fr")
    pack = Pack("fr", user_dir=tmp_path)
    with pytest.raises(ConfigError, match="`fr` lacks: seal, labels") as caught:
        pack.require()
    assert caught.value.hint == "memgardend config prompts --check"
    assert locales(user_dir=tmp_path) == ["en", "zh-Hans"]


def test_a_pack_may_lie_in_two_folders(tmp_path: Path) -> None:
    workspace, user = tmp_path / "workspace", tmp_path / "user"
    for name in SLOTS:
        folder = workspace / ".memgarden" if name == "seal" else user
        write(folder / "prompts", name, Pack("en").slot(name), "fr")
    Pack("fr", workspace, user).require()
    assert Pack("fr", None, user).missing() == ["seal"]


def test_a_name_that_is_no_slot_is_a_config_error() -> None:
    with pytest.raises(ConfigError, match="no slot `nonsense`"):
        Pack("en").slot("nonsense")


def test_an_unreadable_slot_is_a_config_error(tmp_path: Path) -> None:
    write(tmp_path / "prompts", "opening", "").write_bytes(b"\xff\xfe")
    with pytest.raises(ConfigError, match=r"opening\.md is not UTF-8 at byte 0"):
        Pack("en", user_dir=tmp_path).slot("opening")


def test_a_folder_that_cannot_be_looked_into_is_a_config_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"cannot read .*: File name too long") as caught:
        Pack("x" * 300, user_dir=tmp_path).missing()
    assert (caught.value.hint or "").startswith("ls -ld ")


def test_the_mark_that_some_editors_put_first_is_no_text(tmp_path: Path) -> None:
    write(tmp_path / "prompts", "opening", "").write_bytes(b"\xef\xbb\xbf# Hello\r\n")
    assert Pack("en", user_dir=tmp_path).slot("opening") == "# Hello\n"
