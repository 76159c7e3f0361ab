"""What `init` says of the conversations that it found."""

from __future__ import annotations

import pytest

from memgardend.daemon.screens.init import init_lines


@pytest.mark.parametrize(
    ("here", "elsewhere", "said"),
    [
        (0, 0, "Found no conversations."),
        (2, 1, "Found conversations of codex (2 here, 1 elsewhere)."),
        (
            0,
            3,
            "Found conversations of codex (0 here, 3 elsewhere). None of them began in this folder, and no others "
            "are read; how they could be: memgardend config explain 'sources[].cwd'",
        ),
    ],
)
def test_who_would_read_nothing_is_told(here: int, elsewhere: int, said: str) -> None:
    document = {
        "wrote": [],
        "agents": [
            {"kind": "claude-code", "here": 0, "elsewhere": 0},
            {"kind": "codex", "here": here, "elsewhere": elsewhere},
        ],
        "locale": "en",
        "model": "offline",
        "known_before": False,
        "workspace": "/home/me/work",
        "next": ["memgardend status"],
    }
    assert init_lines(document, None)[1].plain == said
