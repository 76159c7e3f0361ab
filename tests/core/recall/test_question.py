"""What of a message is looked up."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memgardend.core.recall.question import END_CHARS, SHORT_CHARS, question_of, questions_of

LOG = "\n".join(f"worker {n} took {n * 7} ms" for n in range(500))
ASKED = "Which port does staging use?"


@pytest.mark.parametrize(
    ("text", "question"),
    [
        pytest.param(ASKED, ASKED, id="short"),
        pytest.param(f"{ASKED}\n> quoted", f"{ASKED}\n> quoted", id="short, with a quotation"),
        pytest.param(f"{ASKED}\n\n{LOG}", ASKED, id="before what is pasted"),
        pytest.param(f"{LOG}\n\n{ASKED}", ASKED, id="after it"),
        pytest.param(f"Look:\n```\n{LOG}\n```\n{ASKED}", f"Look:\n{ASKED}", id="around it"),
        pytest.param(f"{LOG}\n{ASKED}", f"worker 0 took 0 ms\n{ASKED}", id="touching it"),
        pytest.param(" " * 2000, "", id="blank"),
        pytest.param("a" * 600 + "b" * 600, "a" * 500 + "\n" + "b" * 500, id="long words"),
    ],
)
def test_what_a_person_wants_stands_at_an_end(text: str, question: str) -> None:
    assert question_of(text) == question


TRACE = "TypeError: no such lane\n  at run (lane.js:12)"


@pytest.mark.parametrize(
    ("text", "then"),
    [
        pytest.param(ASKED, [], id="nothing beside it"),
        pytest.param(f"Thanks.\n\n{ASKED}", [], id="two lines are said, not pasted"),
        pytest.param(f"{TRACE}\n\n{ASKED}", [ASKED, "TypeError: no such lane"], id="last"),
        pytest.param(f"{ASKED}\n{TRACE}\n\n", ["  at run (lane.js:12)", ASKED], id="first"),
    ],
)
def test_a_line_at_an_end_may_be_all_that_is_asked(text: str, then: list[str]) -> None:
    assert [*questions_of(text)] == [question_of(text), *then]


@given(st.text(st.sampled_from("a> `\n"), max_size=3000))
def test_a_question_is_short(text: str) -> None:
    assert len(question_of(text)) <= max(SHORT_CHARS, 2 * END_CHARS + 1)
