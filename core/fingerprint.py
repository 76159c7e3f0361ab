"""A short name for a set of constants, by which two sets of rules can be told apart."""

from __future__ import annotations

_PRIME = 2**32 - 5


def fingerprint(*constants: object) -> str:
    """Eight hex digits that change with these constants: what `repr` says, as a number modulo a prime
    (Karp and Rabin 1987).

    The same in every process and on every Python, and without an import that a hook would wait for.
    """
    return f"{int.from_bytes(repr(constants).encode(), 'big') % _PRIME:08x}"
