"""What is left of work once it is done."""

from __future__ import annotations

import gc
import sys

from memgardend.core.likeness import contradicts
from memgardend.daemon.service.rest import rest


def test_what_texts_were_found_to_say_is_forgotten() -> None:
    def blocks() -> int:
        gc.collect()
        return sys.getallocatedblocks()

    rest()
    before = blocks()
    for number in range(500):
        contradicts(f"Service {number} listens on port 8080.", f"Service {number} is old.", "en")
    during = blocks()
    rest()
    after = blocks()
    assert during - before > 5_000
    assert after - before < (during - before) / 5
