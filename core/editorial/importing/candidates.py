"""The first pass of an import: notes of a piece, later made into cards through the usual prompt."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memgardend.core.clean import clean_line
from memgardend.core.editorial.capture_prompt import prompt_values
from memgardend.core.editorial.policies import get_policy
from memgardend.core.editorial.prompt_data import fenced, people
from memgardend.core.editorial.reply import read_rows
from memgardend.core.editorial.results import ErrorWord, Failure
from memgardend.core.editorial.text_gate import reasons, told
from memgardend.core.editorial.times import normalise_occurred_at
from memgardend.core.editorial.wording import candidates, capture
from memgardend.core.template import fill

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from memgardend.core.editorial.results import CaptureRequest
    from memgardend.core.editorial.text_gate import TextGate
    from memgardend.core.editorial.wording.locale_words import LocaleWords

MAX_SUMMARY_CHARS = 300
MAX_EVIDENCE_CHARS = 200
MAX_CANDIDATES = 4000
"""Notes of one import; whatever has more is no history but an archive."""
GROUP_SIZE = 40
"""Notes that one prompt of the second pass makes cards of."""
SUBJECTS = ("person", "relationship")


def candidates_prompt(request: CaptureRequest, words: LocaleWords) -> str:
    """What a model is asked of one piece of material, under the yardstick of its policy."""
    fence, material = fenced({"to be judged": request.window})
    who = people(
        words,
        ai_name=request.ai_name,
        user_name=request.user_name,
        naming_rule=request.naming_rule,
    )
    policy = get_policy(request.policy, keep_specifics=request.keep_specifics)
    values = prompt_values(policy, words, who, request.material_kind)
    values |= {"fence": fence, "note": request.host_note.strip(), "shape": candidates.SHAPE}
    sections = [
        candidates.FRAMING,
        capture.DATA,
        capture.YARDSTICK,
        candidates.STEPS,
        capture.LANGUAGE,
        capture.NAMES,
        capture.FORBIDDEN,
        *([capture.HOST_NOTE] if values["note"] else []),
    ]
    asked = [fill(section, values, "candidates") for section in sections]
    return "\n\n".join([*asked, material, fill(candidates.REPLY, values, "candidates")])


def read_candidates(raw: str, gate: TextGate, *, strict: bool) -> list[dict[str, Any]] | Failure:
    """The notes of a reply. Strictly, one unusable text refuses all; else it is left out."""
    found = read_rows(raw, "candidates")
    if isinstance(found, Failure):
        return found
    read = [_candidate(row, gate) for row in found[1] if isinstance(row, dict)]
    notes = [one for one in read if isinstance(one, dict)]
    problems = reasons(one for one in read if isinstance(one, str))
    if problems and strict:
        return Failure(ErrorWord.INVALID_CARD_CONTENT, problems)
    if problems and not notes:
        return Failure(ErrorWord.INVALID_CARD_CONTENT_AFTER_RETRY, problems)
    return notes


def add_new(known: list[dict[str, Any]], found: Iterable[Mapping[str, Any]]) -> int:
    """Append the notes that are not known by the letter, as far as there is room; how many had none."""
    seen = {_letters(one["summary"]) for one in known}
    left_out = 0
    for one in found:
        letters = _letters(one["summary"])
        if letters in seen:
            continue
        seen.add(letters)
        if len(known) < MAX_CANDIDATES:
            known.append(dict(one))
        else:
            left_out += 1
    return left_out


def notes_text(notes: Sequence[Mapping[str, Any]]) -> str:
    """The notes as material of the second pass, one a line."""
    return "\n".join(map(_line, notes))


def _line(note: Mapping[str, Any]) -> str:
    date = f"[{note['occurred_at']}] " if note.get("occurred_at") else ""
    evidence = f" (“{note['evidence']}”)" if note.get("evidence") else ""
    return f"- {date}{note['about']}: {note['summary']}{evidence}"


def _candidate(row: Mapping[str, Any], gate: TextGate) -> dict[str, Any] | str:
    """A note, or why a row is none."""
    summary = clean_line(told(row.get("summary")))[:MAX_SUMMARY_CHARS]
    problem = gate.problem("summary", summary)
    if problem:
        return problem
    about = row.get("about")
    note = {
        "about": about if about in SUBJECTS else SUBJECTS[0],
        "summary": summary,
        "evidence": clean_line(told(row.get("evidence")))[:MAX_EVIDENCE_CHARS],
    }
    occurred_at = _date(row.get("occurred_at"))
    return note | ({"occurred_at": occurred_at} if occurred_at else {})


def _date(value: object) -> str:
    """The date of a note; what is none is left out, as notes are no cards yet."""
    try:
        return normalise_occurred_at(value) if isinstance(value, str) else ""
    except ValueError:
        return ""


def _letters(text: str) -> str:
    return "".join(char for char in text.casefold() if char.isalnum())
