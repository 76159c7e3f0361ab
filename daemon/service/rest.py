"""After work: what was kept only for it goes, so that a process of months weighs what one of hours does."""

from __future__ import annotations

import ctypes
import gc

from memgardend.core.likeness import forget_readings


def settle() -> None:
    """At the start: what lives now lives as long as the process, so that no later `rest` looks at it again."""
    gc.collect()
    gc.freeze()


def rest() -> None:
    """Forget what texts were found to say, and hand the system the memory that was freed.

    Python keeps some freed tuples and the like in lists of its own, scattered over what could else be given back,
    until it collects; the GNU library keeps freed memory until it is told. After a long read each holds 5 MiB.
    """
    forget_readings()
    gc.collect()
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
