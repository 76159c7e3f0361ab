"""Arbitrary JSON for hypothesis, a few levels deep."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

SCALARS: st.SearchStrategy[Any] = (
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8)
)


def json_values(
    keys: st.SearchStrategy[str], scalars: st.SearchStrategy[Any] = SCALARS, depth: int = 3
) -> st.SearchStrategy[Any]:
    """Values whose objects have these keys."""
    values = scalars
    for _ in range(depth):
        values = scalars | st.lists(values, max_size=3) | st.dictionaries(keys, values, max_size=3)
    return values
