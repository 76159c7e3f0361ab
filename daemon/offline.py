"""The default model command: reads a JSON request on stdin, prints the answer. No language model, no network.

Run as `python -m memgardend.daemon.offline`; imports the rules and nothing heavy.
"""

from __future__ import annotations

import json
import sys

from memgardend.core.extract import BadRequestError, consolidate, parse_request


def main() -> int:
    """Answer one request; 65 (EX_DATAERR) for anything else on stdin."""
    try:
        request = parse_request(sys.stdin.buffer.read().decode("utf-8"))
    except (UnicodeDecodeError, BadRequestError) as error:
        sys.stderr.write(f"error: offline model, {error}\ntry: {BadRequestError.remedy}\n")
        return BadRequestError.exit_code
    answer = json.dumps(consolidate(request), ensure_ascii=False)
    sys.stdout.buffer.write(answer.encode("utf-8") + b"\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
