"""Values: what counts as one, in which spelling, and what proves it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memgardend.core.values import apart, unproven, values

ROWS: dict[str, tuple[str, list[str]]] = {
    "numbers": ("port 8080 and 3.5 seconds.", ["8080", "3.5"]),
    "thousands": ("1,000 or 1000 or 1_000 rows", ["1000"]),
    "thousands-with-decimals": ("12,345.67 euros", ["12345.67"]),
    "a-comma-between-numbers": ("8080,9090", ["8080", "9090"]),
    "full-width": ("端口８０８０", ["8080"]),
    "number-with-unit": ("10k, 30s, 5GB, 50%, $20", ["10", "30", "5", "50", "20"]),
    "beside-cjk": ("超时30秒", ["30"]),
    "decimals-keep-their-zeros": ("3.10 and 3.1", ["3.10", "3.1"]),
    "version": ("v1.2.3 and 2.0.0-rc1", ["1.2.3", "2.0.0-rc1"]),
    "version-on-a-name": ("python3.12", ["3.12"]),
    "address": ("127.0.0.1:8080", ["127.0.0.1", "8080"]),
    "dates-in-one-spelling": (
        "2026-11-30, 2026/11/30, Nov 30, 2026, 30th of November 2026, 2026年11月30日",
        ["2026-11-30"],
    ),
    "date-without-a-year": ("November 3rd, 3 Nov, 11月3日", ["11-03"]),
    "date-with-time": ("2026-11-30T08:15Z", ["2026-11-30", "08:15"]),
    "times": ("8:30 and 08:30 and 18:05:09", ["08:30", "18:05:09"]),
    "url": ("see https://example.org/a?b=1.", ["https://example.org/a?b=1"]),
    "url-in-a-link": ("[docs](http://example.org/x/)", ["http://example.org/x"]),
    "email": ("mail ann@example.org, please", ["ann@example.org"]),
    "absolute-path": ("in /etc/hosts.", ["/etc/hosts"]),
    "path-beside-cjk": ("在/etc/hosts里", ["/etc/hosts"]),
    "home-and-relative-paths": ("~/notes ./run.sh ../x", ["~/notes", "./run.sh", "../x"]),
    "path-of-a-repository": ("core/tokens.py:42 and jobs/", ["core/tokens.py", "42", "jobs"]),
    "path-of-three-parts": ("core/records/dreams", ["core/records/dreams"]),
    "path-of-windows": (r"C:\Users\ann", [r"c:\users\ann"]),
    "file-names": ("Edit config.yaml and .env.", ["config.yaml", ".env"]),
    "setting": ("PORT=8080 timeout:30", ["8080", "30"]),
    "code-span-and-what-is-in-it": ("`PORT=8080`", ["port=8080", "8080"]),
    "code-span-white-space": ("run `make   test`", ["make test"]),
    "identifier": ("commit a1b2c3d", ["a1b2c3d"]),
    "uuid": ("550E8400-e29b-41d4-a716-446655440000", ["550e8400-e29b-41d4-a716-446655440000"]),
    "colours-but-no-issues": ("主色是#2B6CB0, not #fff; see #123", ["#2b6cb0", "#fff", "123"]),
    "emphasis": ("**8080**", ["8080"]),
    "and-or": ("and/or, TCP/IP, e.g. this, i.e. that", []),
    "words-with-digits-inside": ("i18n k8s e2e", []),
    "marks-of-a-list": ("1. first\n2) second 3 things", ["3"]),
    "plain-words": ("The person prefers tea.", []),
    "nothing": ("", []),
}


@pytest.mark.parametrize(("text", "expected"), ROWS.values(), ids=ROWS)
def test_values(text: str, expected: list[str]) -> None:
    assert list(values(text)) == expected


PROOF: dict[str, tuple[str, list[str], list[str]]] = {
    "same-value": ("The port is 8080.", ["we use port 8080"], []),
    "another-value": ("The port is 8081.", ["we use port 8080"], ["8081"]),
    "another-spelling": ("1,000 rows on 2026-11-30", ["1000 rows on Nov 30, 2026"], []),
    "inside-an-address": ("The port is 8080.", ["http://localhost:8080/x"], []),
    "inside-a-longer-number": ("It takes 80 seconds.", ["port 8080"], ["80"]),
    "inside-a-decimal": ("Step 8", ["3.8 and 8.1"], ["8"]),
    "a-shorter-version": ("Python 3.1", ["Python 3.10"], ["3.1"]),
    "code-that-was-said-plainly": ("Run `make test`.", ["please run make  test first"], []),
    "code-that-was-not-said": ("Run `make check`.", ["please run make test"], ["make check"]),
    "year-of-a-date": ("Since 2026", ["on 2026-11-30"], []),
    "part-of-a-path": ("in hosts.txt", ["in /etc/hosts.txt"], []),
    "in-any-source": ("8080 and 9090", ["8080", "9090"], []),
    "no-sources": ("8080", [], ["8080"]),
    "no-values": ("The person prefers tea.", [], []),
}


@pytest.mark.parametrize(("content", "sources", "expected"), PROOF.values(), ids=PROOF)
def test_unproven(content: str, sources: list[str], expected: list[str]) -> None:
    assert list(unproven(content, sources)) == expected


def test_a_text_without_its_values_keeps_the_rest() -> None:
    found, rest = apart("Port 8080 in `A`, not 80")
    assert found == values("Port 8080 in `A`, not 80")
    assert rest.split() == ["port", "in", ",", "not"]


@given(st.text(alphabet=st.characters(codec="utf-8"), max_size=120))
def test_a_text_proves_its_own_values(text: str) -> None:
    assert unproven(text, [text]) == ()


@given(
    st.integers(1, 10**9), st.sampled_from(("port {}", "端口{}", "PORT={}", "({})", "{}ms", "{}."))
)
def test_a_number_is_found_wherever_it_stands(number: int, around: str) -> None:
    assert str(number) in values(around.format(number))
    assert str(number) in values(around.format(f"{number:,}"))


@pytest.mark.parametrize(
    "run", ["a-", "1.", "a/", "1,", "=`", ".a", "a@", "jan 1 ", "1)\n"], ids=repr
)
def test_a_long_run_is_read_to_its_end(run: str) -> None:
    """Time that grew with the square of the length would not end within the limit of the test run."""
    assert values(run * 200_000 + " 8080")[-1] == "8080"
