"""What is clipped before it is masked shows nothing that masking the whole would hide."""

from __future__ import annotations

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memgardend.core.clip import clip, clip_masked
from memgardend.core.mask import MASK, mask

WEAK = "hunter2-"
"""So little random that only what stands around it tells that it is a secret."""
FORMS = [
    "api_key = {}",
    "password: '{}'",
    "password:\n    {}",
    "use sk-{} for now",
    "curl -s -u admin:{} https://example.com",
    f"curl -H 'Accept: {'x' * 120}'\n --user admin:{{}}",
    "Cookie: theme=dark; session={}; lang=en",
    "postgres://app:{}@db/app",
    "Authorization: Bearer\n  {}",
    "the password is\n{}",
]
PEM = "-----BEGIN PRIVATE KEY-----\n{}\n-----END PRIVATE KEY-----"
VALUES = [WEAK * 5, WEAK * 200]
SHRINKING = f"sk-{'aB3dE6gH9j' * 120}"
"""What is masked lets more of the text around it fit in."""
FILLER = "plain words of a log\n" * 100
CASES = [
    (form, value) for form in FORMS for value in VALUES if WEAK not in mask(form.format(value))
]


@pytest.mark.parametrize(("form", "value"), [*CASES, (PEM, f"{WEAK * 3}\n" * 60)])
def test_no_part_of_a_secret_shows_wherever_the_cut_falls(form: str, value: str) -> None:
    secret = f"a log\n{SHRINKING}\n{form.format(value)}\n{SHRINKING}\na log\n"
    text = f"{secret}{FILLER}{FILLER}{secret}"
    for limit_chars in range(100, 2 * len(secret), 97):
        shown = clip_masked(text, limit_chars)
        assert len(shown) <= limit_chars
        assert WEAK not in shown


@pytest.mark.parametrize("form", FORMS)
def test_the_tail_knows_what_stands_before_it(form: str) -> None:
    secret = form.format(WEAK * 5)
    text = "{}{}\n{}{}\na log\n".format(FILLER * 2, secret, "log\n" * 200, SHRINKING)
    longest = 2 * (len(text) - 2 * len(FILLER))
    for limit_chars in range(longest - 2_200, longest - 1_800):
        assert WEAK not in clip_masked(text, limit_chars)


@given(st.text(string.ascii_lowercase + " \n", max_size=300), st.integers(60, 2_000))
def test_plain_text_is_clipped_as_ever(text: str, limit_chars: int) -> None:
    text = f"{FILLER}{text}{FILLER}{text}{FILLER}"
    assert clip_masked(text, limit_chars) == clip(text, limit_chars)


def test_what_masking_shortens_does_not_uncover_what_lies_behind() -> None:
    log = f"sk-{'aB3dE6gH9j' * 40}\nnext line\napi_key = {'aB3dE6gH9j' * 5}\n"
    shown = clip_masked(f"{log}{FILLER}{log}", 850)
    assert shown.startswith(f"sk-{MASK}\nnext line\n[… ")
    assert shown.endswith(f"sk-{MASK}\nnext line\napi_key = {MASK}\n")
