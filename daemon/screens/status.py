"""`status`: what the gardener does, what is next, what holds it back."""

from __future__ import annotations

from datetime import UTC
from typing import TYPE_CHECKING, Any

from rich.text import Text

from memgardend.core.clock import DAY_MS
from memgardend.core.times import parse_time
from memgardend.daemon.screens.money import spent_text
from memgardend.daemon.screens.table import facts
from memgardend.daemon.screens.text import clean, many, paragraph
from memgardend.daemon.screens.times import ago, exact, moment, wait
from memgardend.daemon.screens.windows import summary_lines, table_lines
from memgardend.daemon.screens.words import flagged

if TYPE_CHECKING:
    from memgardend.daemon.screens.times import View


def status_lines(document: dict[str, Any], view: View, version: str) -> list[Text]:
    """`status`."""
    lines = _headline(document, view, version)
    lines += _daemon_warnings(document, view, version)
    lines += _warnings(document, view)
    lines += facts(_facts(document, view), view.width)
    lines.append(Text())
    lines += table_lines(document, view)
    lines += summary_lines(document, view)
    return lines


def _headline(document: dict[str, Any], view: View, version: str) -> list[Text]:
    daemon = document["daemon"]
    symbol, style = ("●", "green") if daemon["state"] == "running" else ("○", "dim")
    says = {
        "running": f"running, started {ago(daemon['started_at'], view)} · pid {daemon['pid']}",
        "dead": f"not running · last seen {ago(daemon['last_tick_at'], view)}",
        "never": "no daemon has run here",
    }[daemon["state"]]
    if daemon["started_at"] is None and daemon["trouble"] is not None:
        says = "runs, but was never able to work here"
    text = f"memgardend {version} · {says} · {document['workspace']}"
    return paragraph(text, view.width, indent=2, first=symbol, first_style=style, style="bold")


def _daemon_warnings(document: dict[str, Any], view: View, version: str) -> list[Text]:
    """What keeps the daemon from its work here, or did lately."""
    daemon, due = document["daemon"], document["counts"]["due"]
    if daemon["state"] != "running":
        waits = f"{many(due, 'window')} due, but no daemon runs"
        return _warning(waits, view, "memgardend run") if due else []
    lines = []
    if daemon["trouble"] is not None:
        again = moment(daemon["retry_at"], view)
        text = f"the daemon cannot work here, and tries again at {again}: {daemon['trouble']}"
        lines += _warning(text, view, daemon["hint"])
    elif daemon["settings_kept"] is not None:
        text = f"the daemon keeps to older settings: {daemon['settings_kept']}"
        lines += _warning(text, view, daemon["hint"])
    elif daemon["settings_old"]:
        text = "memgarden.yaml was edited since the daemon read it"
        lines += _warning(text, view, f"kill -HUP {daemon['pid']}")
    elif _is_fresh(daemon["last_error_at"], view):
        errors, last = many(daemon["errors"], "error"), ago(daemon["last_error_at"], view)
        text = f"{errors} of the daemon, the last {last}: {daemon['last_error']}"
        lines += _warning(text, view)
    if daemon["version"] not in (None, version):
        lines += _warning(f"the daemon is of version {daemon['version']}: start it anew", view)
    return lines


def _warnings(document: dict[str, Any], view: View) -> list[Text]:
    found = []
    if document["clock"] == "driven":
        found.append(
            f"the clock is driven by MEMGARDEND_CLOCK: it is {exact(document['now'], view)}"
        )
    if document["suppression"]["never_allows"]:
        found.append("suppress_windows cover the whole week: nothing will ever dream by itself")
    if document["paused"]:
        until = document["paused_until"]
        found.append("all dreams are paused" + (f" until {moment(until, view)}" if until else ""))
    if document["counts"]["unreadable_lines"]:
        unreadable = many(document["counts"]["unreadable_lines"], "line")
        found.append(f"{unreadable} of conversations could not be read")
    if document["counts"]["review"]:
        operations = many(document["counts"]["review"], "operation")
        found.append(f"waiting for a person's review: {operations}")
    lines = [line for text in found for line in _warning(text, view)]
    if not document["model_agreed"] and document["daemon"]["settings_kept"] is None:
        text = "the model settings have changed since you agreed to them, so nothing dreams"
        lines += _warning(text, view, f"memgardend config trust{view.here}")
    if document["hooks"]["settings_old"]:
        text = "hooks go by older settings or texts than those of this workspace"
        lines += _warning(text, view, f"memgardend ingest{view.here}")
    if document["breaker"]["open_until"] is not None:
        failures = document["breaker"]["failures"]
        until = moment(document["breaker"]["open_until"], view)
        text = f"breaker open until {until}: the model failed {failures} times in a row"
        lines += _warning(text, view, f"memgardend model test{view.here}")
    return lines


def _warning(text: str, view: View, hint: str | None = None) -> list[Text]:
    lines = flagged("warning", text, view.width)
    return lines if hint is None else [*lines, Text(f"  try: {clean(hint)}")]


def _is_fresh(at: str | None, view: View) -> bool:
    """A daemon that runs for months has had its errors: those of the last day matter."""
    return at is not None and parse_time(at, UTC) > view.now_ms - DAY_MS


def _facts(document: dict[str, Any], view: View) -> list[tuple[str, str]]:
    counts = document["counts"]
    pairs = [
        ("last dream", _last(document["last_dream"], view)),
        ("next dream", _next(document, view)),
        ("suppression", _suppression(document["suppression"], view)),
        ("model", document["model"]),
        ("memories", f"{counts['memories']} active"),
    ]
    pairs[3:3] = _spending(document, view)
    return pairs


def _spending(document: dict[str, Any], view: View) -> list[tuple[str, str]]:
    """The budget where there is one, and what was spent where anything was."""
    budget, spent = document["budget"], document["spent"]
    pairs = []
    if budget:
        until = f", until {moment(budget['until'], view)}" if budget["until"] else ""
        never = ": nothing may be asked" if budget["spent"] and not until else ""
        pairs.append(("budget", f"{budget['note']}{until}{never}"))
    if spent["last_7_days"]["calls"]:
        pairs += [
            ("spent today", spent_text(spent["today"])),
            ("in 7 days", spent_text(spent["last_7_days"])),
        ]
    return pairs


def _last(dream: dict[str, Any] | None, view: View) -> str:
    if dream is None:
        return "none yet"
    return f"{dream['short']} {dream['state']} {ago(dream['finished_at'], view)}"


def _next(document: dict[str, Any], view: View) -> str:
    coming = document["next"]
    if coming["at"] is None:
        return "none in sight"
    at = coming["at"]
    when = f"{moment(at, view)} {view.zone} ({wait(at, view)})"
    return f"{when} · {_short(document, coming['window'])} · {coming['reason']}"


def _short(document: dict[str, Any], window: str) -> str:
    return str(next(one["short"] for one in document["windows"] if one["id"] == window))


def _suppression(suppression: dict[str, Any], view: View) -> str:
    change = suppression["next_change_at"]
    state = "peak: nothing starts" if suppression["suppressed"] else "off"
    if change is None:
        return state if suppression["suppressed"] else "none: no peaks are set"
    return f"{state} until {moment(change, view)} {view.zone} ({wait(change, view)})"
