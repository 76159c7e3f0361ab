"""The values in a text: numbers, dates, versions, paths, addresses, colours and code spans.

They are what a memory must not get wrong and a model easily does: so they must be proven (DESIGN section 6), and
two texts that differ in them do not say the same.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, NamedTuple

from memgardend.core.patterns import regex

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = (
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december"
    r"|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b\.?"
)
_DAY = r"\d{1,2}(?:st|nd|rd|th)?"
_WRITTEN_DATES = (
    regex(r"(?:(?P<year>\d{4})\s?年\s?)?(?P<month>\d{1,2})\s?月\s?(?P<day>\d{1,2})\s?[日号]"),
    regex(rf"\b(?P<month>{_MONTH})\s(?P<day>{_DAY})\b(?:,?\s(?P<year>\d{{4}})\b)?", re.ASCII),
    regex(
        rf"\b(?P<day>{_DAY})\s(?:of\s)?(?P<month>{_MONTH})(?:,?\s(?P<year>\d{{4}})\b)?", re.ASCII
    ),
)
_CODE_SPAN = regex(r"(`{1,3})([^`\n]+)\1")
_LIST_MARK = regex(r"^[ \t>]*\d{1,3}[.)][ \t]+", re.MULTILINE)
# A run of printable characters with one of `0-9 # - . / @ \\`: no value is without, and few words are with.
_TELLING_RUN = regex(r"(?<![!-~])[!\"$-,:-?A-\[\]-~]*+[#\-./0-9@\\][!-~]*")
_AROUND = "()[]{}<>\"'`*,;:!?"
# What stands between `=`, from its first character that counts.
_PART = regex(r"(?![()\[\]{}<>\"'`*,;:!?])[^=]+")
_URL = regex(r"(?<![a-z0-9+.-])[a-z][a-z0-9+.-]*://[^()<>\"'`\\]+")
_EMAIL = regex(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+", re.ASCII)
_PATH = regex(r"(?:[a-z]:\\|(?:~|\.{1,2})?/)[\w.@+~\\-][\w.@+~/\\-]*", re.ASCII)
_RELATIVE_PATH = regex(r"[\w.@+~-]+(?:/[\w.@+~-]+)*/?", re.ASCII)
_FILE = regex(r"[\w-]*[a-z_][\w-]*(?:\.[\w-]+)*\.(?:[ch]|[a-z][a-z0-9]{1,9})", re.ASCII)
_HIDDEN_FILE = regex(r"\.[a-z][\w-]{2,}", re.ASCII)
_COLOUR = regex(r"#(?=\d*[a-f])(?:[0-9a-f]{3}|[0-9a-f]{6}|[0-9a-f]{8})")  # `#123` is an issue
_LINE_NUMBER = regex(r"(?<=\w):(\d+)(?::\d+)?$", re.ASCII)
_ID = regex(
    r"(?!\d+[a-z]*$|[a-z]+\d*$)(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-z]{7,})"
)
_NUMBER = regex(
    r"""
      (?P<year>\d{4})[-/.](?P<month>\d{1,2})[-/.](?P<day>\d{1,2})(?!\d)
    | (?P<time>(?<![\d.:])\d{1,2}:\d{2}(?::\d{2})?(?![\d:]))
    | (?P<version>\d+(?:\.\d+){2,}(?:-(?:alpha|beta|rc|dev)[.\d]*)?)
    | (?P<thousands>(?<![\d.])\d{1,3}(?:[,_]\d{3})+(?:\.\d+)?(?!\d))
    | (?P<plain>\d+(?:\.\d+)?)
    """,
    re.VERBOSE | re.ASCII,
)
_RUNS_IN = regex(r"(?:[a-z0-9]|\d[.,])\Z")
_RUNS_ON = regex(r"[a-z0-9]|[.,]\d")
_NAME_CHARS = 512  # a longer run is data, not a name
# `i18n`, `k8s`: words, no values.
_WORD_WITH_DIGITS_INSIDE = regex(r"[a-z]+\d+[a-z]+\w*", re.ASCII)


class _Found(NamedTuple):
    start: int
    end: int
    value: str


def values(text: str) -> tuple[str, ...]:
    """Each value once, in order of appearance, in one spelling.

    Case, full width, thousands separators, the `v` of a version, closing punctuation, and how a date is
    written do not matter: dates are `2026-11-30` or, without a year, `11-30`. Marks of numbered lists are no
    values.
    """
    return tuple(dict.fromkeys(found.value for found in _find(_plain(text))))


def unproven(content: str, sources: Iterable[str]) -> tuple[str, ...]:
    """The values of `content` that stand in none of the sources, neither as a value nor literally."""
    wanted = values(content)
    if not wanted:
        return ()
    plain = [_plain(source) for source in sources]
    literal = _unmarked("\n".join(plain))
    missing = tuple(value for value in wanted if not stands_in(value, literal))
    if not missing:  # as nearly always: the cheaper question first
        return ()
    proven = {found.value for text in plain for found in _find(text)}
    return tuple(value for value in missing if value not in proven)


def stands_in(value: str, text: str) -> bool:
    """True when a value stands in a folded text or in another value whole, not as a part of a word or number."""
    wanted = _unmarked(value)
    at = text.find(wanted)
    while at >= 0:
        end = at + len(wanted)
        if not (_RUNS_IN.search(text[max(0, at - 2) : at]) or _RUNS_ON.match(text, end)):
            return True
        at = text.find(wanted, at + 1)
    return False


def apart(text: str) -> tuple[tuple[str, ...], str]:
    """The values of a text as `values` gives them, and the text, case folded, with them blanked: what they are
    said of.
    """
    plain = _plain(text)
    characters, found = list(plain), _find(plain)
    for one in found:
        characters[one.start : one.end] = " " * (one.end - one.start)
    return tuple(dict.fromkeys(one.value for one in found)), "".join(characters)


def _find(plain: str) -> list[_Found]:
    """All values of a folded text, by place; those inside a code span after the span itself."""
    found = [_Found(*m.span(), " ".join(m[2].split())) for m in _CODE_SPAN.finditer(plain)]
    plain = _LIST_MARK.sub(_spaces, plain)
    for pattern in _WRITTEN_DATES:
        dates = [_Found(*m.span(), _date(m)) for m in pattern.finditer(plain)]
        if dates:
            found += dates
            plain = pattern.sub(_spaces, plain)
    for run in _TELLING_RUN.finditer(plain):
        found.extend(_in_run(run[0], run.start()))
    return sorted(found, key=lambda f: (f.start, -f.end))


def _in_run(run: str, at: int) -> Iterator[_Found]:
    """The values of a run of ASCII characters without a space, which starts at `at`."""
    url = _URL.search(run)
    if url:
        value = url[0].rstrip(_AROUND + "./")
        yield _Found(at + url.start(), at + url.start() + len(value), value)
        return
    for part in _PART.finditer(run):
        yield from _in_part(part[0].rstrip(_AROUND + "."), at + part.start())


def _in_part(part: str, at: int) -> Iterator[_Found]:
    line = _LINE_NUMBER.search(part)
    name = part[: line.start()] if line else part
    if _is_name(name):
        yield _Found(at, at + len(name), name.rstrip("/\\"))
        if line:
            yield _Found(at + line.start(1), at + line.end(1), line[1])
    elif _ID.fullmatch(part) or _COLOUR.fullmatch(part):
        yield _Found(at, at + len(part), part)
    elif not _WORD_WITH_DIGITS_INSIDE.fullmatch(part):
        for match in _NUMBER.finditer(part):
            yield _Found(at + match.start(), at + match.end(), _number(match))


def _is_name(part: str) -> bool:
    """True for an address, a path, or the name of a file."""
    if part.isalnum() or len(part) > _NAME_CHARS or not any(c.isalpha() for c in part):
        return False
    if _EMAIL.fullmatch(part) or _PATH.fullmatch(part):
        return True
    if _FILE.fullmatch(part) or _HIDDEN_FILE.fullmatch(part):
        return True
    # `and/or` is no path: it takes an end, a file name, or three parts.
    return (
        "/" in part
        and _RELATIVE_PATH.fullmatch(part) is not None
        and (part.count("/") > 1 or part.endswith("/") or "." in part.rsplit("/", 1)[-1])
    )


def _number(match: re.Match[str]) -> str:
    if match["year"]:
        return _date(match)
    if match["time"]:
        return match["time"].zfill(
            len("00:00") if match["time"].count(":") == 1 else len("00:00:00")
        )
    if match["thousands"]:
        return match["thousands"].replace(",", "").replace("_", "")
    return match[0]


def _date(match: re.Match[str]) -> str:
    month = match["month"]
    number = int(month) if month.isdecimal() else _MONTHS.index(month[:3]) + 1
    day = int(re.sub(r"\D", "", match["day"]))
    return f"{match['year']}-{number:02}-{day:02}" if match["year"] else f"{number:02}-{day:02}"


def _spaces(match: re.Match[str]) -> str:
    """As many spaces: what is read is blanked, and what follows keeps its place."""
    return " " * len(match[0])


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()


def _unmarked(plain: str) -> str:
    """Without emphasis and code marks, every white space one space: where values are looked up literally."""
    return " ".join(plain.replace("`", "").replace("*", "").split())
