"""The failpoint that the environment asks for."""

from __future__ import annotations

import pytest

from memgardend.core.errors import ConfigError
from memgardend.daemon.failpoints import VARIABLE, FailpointError, failpoints


@pytest.mark.parametrize(("text", "passing"), [("claim.after", 1), ("claim.after#3", 3)])
def test_it_acts_at_its_place_and_passing_only(text: str, passing: int) -> None:
    points = failpoints({VARIABLE: f"{text}=raise"})
    points.hit("claim.before")
    for _ in range(passing - 1):
        points.hit("claim.after")
    with pytest.raises(FailpointError, match=r"failpoint claim\.after"):
        points.hit("claim.after")
    points.hit("claim.after")


@pytest.mark.parametrize(
    "text",
    [
        "claim.after",
        "claim.sideways=kill",
        "claim.after=explode",
        "claim.after#=kill",
        "claim.after#0=kill",
        "claim.after#-1=kill",
        "claim.after#two=kill",
    ],
)
def test_what_is_no_failpoint_is_said_with_a_way_out(text: str) -> None:
    with pytest.raises(ConfigError, match="of a known name") as caught:
        failpoints({VARIABLE: text})
    assert caught.value.hint == "memgardend doctor --failpoints"
