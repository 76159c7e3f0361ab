"""What we write, a scraper reads: the same names, labels and values."""

from __future__ import annotations

from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from memgardend.core.exposition import Metric, Sample, exposition
from support.prometheus import parse

PAGE = """\
# HELP memgardend_windows Conversations by state.
# TYPE memgardend_windows gauge
memgardend_windows{workspace="/a \\"b\\"\\\\c\\nd",state="due"} 2
memgardend_windows{workspace="/a",state="old"} 0
# HELP cost_total What \\\\ and \\n "are".
# TYPE cost_total counter
cost_total 0.000002
"""


def test_a_page() -> None:
    metrics = [
        Metric(
            "memgardend_windows",
            "gauge",
            "Conversations by state.",
            (
                Sample({"workspace": '/a "b"\\c\nd', "state": "due"}, 2),
                Sample({"workspace": "/a", "state": "old"}, 0),
            ),
        ),
        Metric("nothing", "gauge", "Has no value.", ()),
        Metric(
            "cost_total", "counter", 'What \\ and \n "are".', (Sample({}, Decimal("0.000002")),)
        ),
    ]
    assert exposition(metrics) == PAGE
    assert parse(PAGE)[("cost_total", ())] == Decimal("0.000002")


VALUES = st.integers(-(10**12), 10**12) | st.decimals(
    allow_nan=False, allow_infinity=False, places=6, min_value=-(10**9), max_value=10**9
)
TEXTS = st.text(
    st.characters(
        exclude_categories=["Cs"], exclude_characters="\x0b\x0c\r\x1c\x1d\x1e\x85\u2028\u2029"
    )
)


@given(st.dictionaries(TEXTS, VALUES, max_size=5), TEXTS)
def test_whatever_stands_in_a_label_comes_back(values: dict[str, int], help_: str) -> None:
    samples = tuple(Sample({"name": text}, value) for text, value in values.items())
    page = exposition([Metric("m", "gauge", help_, samples)])
    assert parse(page) == {
        ("m", (("name", text),)): Decimal(value) for text, value in values.items()
    }
