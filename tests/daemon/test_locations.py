"""Where a user's things lie: the same as platformdirs says, without importing it."""

from __future__ import annotations

import platformdirs
import pytest

from memgardend.daemon.locations import state_folder


@pytest.mark.parametrize("given", [None, "", "  ", "/var/lib/me"])
def test_the_state_folder_is_the_usual_one(
    given: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    if given is None:
        monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    else:
        monkeypatch.setenv("XDG_STATE_HOME", given)
    assert state_folder() == platformdirs.user_state_path("memgardend")
