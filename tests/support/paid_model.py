"""A model command that is paid for each call: `python paid_model.py LEDGER`, JSON request on stdin.

Keeps each new human turn word for word, and notes every round it was asked.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from support.conversation import keep_all


def main(ledger: Path) -> None:
    """Answer once."""
    request = json.load(sys.stdin)
    with ledger.open("a", encoding="utf-8") as stream:
        stream.write(f"{request['round']}\n")
    json.dump(keep_all()(request), sys.stdout)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
