"""The file that makes `/dream` a command of Claude Code: ours to renew and to take away, a person's to keep."""

from __future__ import annotations

from pathlib import Path

import pytest

from memgardend.daemon.agents.command_file import TEXT, plan_command, plan_command_removal
from memgardend.daemon.agents.install import Done, apply
from memgardend.daemon.agents.notes import Notes

OLDER = b"What we wrote in a version before.\n"


@pytest.fixture
def notes(tmp_path: Path) -> Notes:
    return Notes(tmp_path / "state")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "dream.md"


@pytest.mark.parametrize(
    ("holds", "noted", "planned", "removal"),
    [
        (None, None, Done.WRITTEN, Done.ABSENT),
        (TEXT.encode(), None, Done.UNCHANGED, Done.REMOVED),
        (OLDER, OLDER, Done.WRITTEN, Done.REMOVED),
        (OLDER, None, Done.ABSENT, Done.ABSENT),
        (b"edited since", OLDER, Done.ABSENT, Done.ABSENT),
    ],
    ids=["none", "ours", "an older one of ours", "a person's", "ours, then edited"],
)
def test_only_what_is_ours_is_renewed_or_taken_away(
    file: Path, notes: Notes, holds: bytes | None, noted: bytes | None, planned: Done, removal: Done
) -> None:
    if noted is not None:
        notes.keep(file, None, noted)
    if holds is not None:
        file.write_bytes(holds)
    assert plan_command(file, notes).done is planned
    assert plan_command_removal(file, notes).done is removal


@pytest.mark.parametrize("shared", [False, True], ids=["ours alone", "somebody else's, too"])
def test_a_folder_goes_with_it_that_was_made_for_it(
    tmp_path: Path, notes: Notes, shared: bool
) -> None:
    file = tmp_path / "claude" / "commands" / "dream.md"
    for holds in (OLDER, None):  # the newer version comes to a folder that is there
        apply(plan_command(file, notes), notes, install=True)
        if holds is not None:
            file.write_bytes(holds)
            notes.keep(file, None, holds)
    if shared:
        file.with_name("mine.md").touch()
    apply(plan_command_removal(file, notes), notes, install=False)
    assert (tmp_path / "claude").exists() == shared
    assert not file.exists()
