"""What is left of work once it is done."""

from __future__ import annotations

import gc
import sys
import weakref

from memgardend.core.likeness import contradicts
from memgardend.daemon.service.rest import rest, settle


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


class Ring:
    """Holds nothing but itself."""

    def __init__(self) -> None:
        self.ring = self


def test_what_only_holds_itself_goes_too_and_the_start_is_not_looked_at_again() -> None:
    ring = weakref.ref(Ring())
    rest()
    assert ring() is None
    try:
        settle()
        assert gc.get_freeze_count() > 1_000
        assert len(gc.get_objects()) < 100
    finally:
        gc.unfreeze()
