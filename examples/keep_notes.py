#!/usr/bin/env python3
"""A model command of one's own: remembers, word for word, each line of a person that begins with `Note:`.

In memgarden.yaml, with the whole path of this file (docs/model-protocol.md has all fields):

    model: {command: [/home/mei/keep_notes.py], input: json}

Then `memgardend config trust`, `memgardend model test`, `memgardend run --once`.
"""

import json
import sys

MARK = "Note:"


def notes(event):
    """The lines of one event that a person marked, outside of what they pasted."""
    start = 0
    for line in event["text"].splitlines(keepends=True):
        pasted = any(begin < start + len(line) and start < end for begin, end in event["pasted"])
        if line.startswith(MARK) and not pasted:
            yield line.strip()
        start += len(line)


def main():
    """Read the request on stdin, and answer on stdout."""
    request = json.load(sys.stdin)
    operations = [
        {
            "op": "remember",
            "layer": "fact",
            "content": note.removeprefix(MARK).strip(),
            "importance": 2,
            "evidence": [{"event": event["handle"], "quote": note}],
        }
        for event in request["events"]
        if request["round"] == "atomic" and event["role"] == "human" and event["shown"]
        for note in notes(event)
    ]
    json.dump({"operations": operations, "questions": [], "summary": ""}, sys.stdout)


if __name__ == "__main__":
    main()
