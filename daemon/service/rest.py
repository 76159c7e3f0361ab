"""After work: what was kept only for it goes, so that a process of months weighs what one of hours does."""

from __future__ import annotations

import ctypes

from memgardend.core.likeness import forget_readings


def rest() -> None:
    """Forget what texts were found to say, and hand the system the memory that was freed.

    The GNU library keeps freed memory until it is told, 5 to 10 MiB after a long read; others do not.
    """
    forget_readings()
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
