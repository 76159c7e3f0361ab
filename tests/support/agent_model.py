"""A model command that is itself an agent: it leaves a transcript of its own run in a watched folder.

`python agent_model.py FOLDER LEDGER CWD`: prompt on stdin, an answer that finds nothing on stdout.
"""

from __future__ import annotations

import json
import sys
import uuid
from pathlib import Path


def main(folder: Path, ledger: Path) -> None:
    """Note the call, and write the session that an agent would write."""
    prompt = sys.stdin.read()
    with ledger.open("a", encoding="utf-8") as stream:
        stream.write("call\n")
    session = str(uuid.uuid4())
    turns = [("user", prompt), ("assistant", [{"type": "text", "text": "I found nothing."}])]
    lines = [
        {
            "type": role,
            "uuid": str(uuid.uuid4()),
            "sessionId": session,
            "timestamp": "2026-11-30T19:00:00.000Z",
            "cwd": sys.argv[3],
            "isSidechain": False,
            "message": {"role": role, "content": content},
        }
        for role, content in turns
    ]
    file = folder / f"{session}.jsonl"
    file.write_text("".join(f"{json.dumps(line)}\n" for line in lines), "utf-8")
    sys.stdout.write('{"operations": []}')


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
