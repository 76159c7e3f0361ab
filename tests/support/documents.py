"""Documents as the look commands build them, with every field a screen reads, to be varied by tests."""

from __future__ import annotations

from typing import Any

NOW = "2026-11-30T08:48:00Z"
NOW_MS = 1_796_028_480_000
ID = "claude-code:a81f2c77-0000-4000-8000-000000000001"
DREAM = "019ad3b2-4f3c-7a01-8000-000000000001"
MEMORY = "019ad3b2-5000-7a02-8000-000000000002"


def hold(gate: str, reason: str, until: str | None = None) -> dict[str, Any]:
    """A hold of a window."""
    return {"gate": gate, "reason": reason, "since": None, "until": until}


def window(**changes: Any) -> dict[str, Any]:
    """A window that waits for quiet."""
    return {
        "id": ID,
        "short": "a81f2c",
        "source": "claude-code",
        "kind": "main",
        "title": "Move the staging database to Postgres 17",
        "cwd": "/home/ana/work",
        "state": "waiting",
        "last_event_at": "2026-11-30T08:31:00Z",
        "new_events": 37,
        "review": 0,
        "next_at": "2026-11-30T11:31:00Z",
        "queue": None,
        "holds": [hold("active", "used 17 min ago, wants 3 h", "2026-11-30T11:31:00Z")],
    } | changes


def windows() -> list[dict[str, Any]]:
    """One waiting, one due, one in Chinese that is dreamed, one quarantined."""
    return [
        window(),
        window(
            id="event:mail",
            short="mail",
            source="event",
            title=None,
            state="due",
            queue=1,
            last_event_at="2026-11-30T03:00:00Z",
            next_at=NOW,
            new_events=4,
            holds=[],
        ),
        window(
            short="e02b19",
            title="把预发环境的数据库迁移到新版本并补上监控",
            state="dreamed",
            last_event_at="2026-11-28T03:00:00Z",
            new_events=0,
            next_at=None,
            holds=[hold("nothing_new", "nothing new since the last dream")],
        ),
        window(
            short="77c0d4",
            title="x",
            state="quarantined",
            last_event_at="2026-11-20T03:00:00Z",
            next_at=None,
            holds=[hold("quarantined", "5 attempts failed"), hold("peak", "peak until 18:00")],
        ),
    ]


def spent(**changes: Any) -> dict[str, Any]:
    """Nothing spent, but for what is said."""
    zero = dict.fromkeys(
        ("calls", "tokens_in", "tokens_out", "estimated", "unpriced", "duration_ms"), 0
    )
    return {**zero, "money": []} | changes


def money(**changes: Any) -> dict[str, Any]:
    """What the night saved."""
    usual = {"currency": "CNY", "cost": "3.208000", "at_peak": "6.416000", "saved": "3.208000"}
    return usual | changes


def dollars() -> dict[str, Any]:
    """An amount that the command reported by itself."""
    return {"currency": "USD", "cost": "0.0125", "at_peak": None, "saved": None}


def status(**changes: Any) -> dict[str, Any]:
    """A workspace whose daemon never ran, with four windows."""
    return {
        "schema": 1,
        "now": NOW,
        "clock": "system",
        "daemon": {
            "state": "never",
            "pid": None,
            "started_at": None,
            "last_tick_at": None,
            "version": None,
            "errors": 0,
            "last_error": None,
            "last_error_at": None,
            "settings_kept": None,
            "settings_old": False,
            "trouble": None,
            "retry_at": None,
            "hint": None,
        },
        "hooks": {"settings_old": False},
        "workspace": "/home/ana/work",
        "model": "offline",
        "paused": False,
        "paused_until": None,
        "suppression": {
            "suppressed": True,
            "time_zone": "Asia/Shanghai",
            "calendar": None,
            "next_change_at": "2026-11-30T10:00:00Z",
            "next_allowed_at": "2026-11-30T10:00:00Z",
            "never_allows": False,
        },
        "budget": {},
        "spent": {"today": spent(), "last_7_days": spent()},
        "breaker": {"failures": 0, "open_until": None},
        "last_dream": {
            "id": DREAM,
            "short": "019ad3b2-4",
            "window": ID,
            "state": "applied",
            "finished_at": "2026-11-30T05:00:41Z",
        },
        "next": {
            "window": "event:mail",
            "at": "2026-11-30T10:00:00Z",
            "reason": "peak: until 18:00",
        },
        "counts": {
            "windows": 4,
            "due": 1,
            "dreaming": 0,
            "failed": 0,
            "quarantined": 1,
            "old": 0,
            "review": 0,
            "memories": 12,
            "unreadable_lines": 0,
        },
        "windows": windows(),
    } | changes


def memory(**changes: Any) -> dict[str, Any]:
    """A rule with its proof."""
    return {
        "id": MEMORY,
        "short": "019ad3b2-5",
        "layer": "rules",
        "status": "active",
        "title": None,
        "content": "Answer in British English.",
        "keywords": ["british", "english", "spelling"],
        "keywords_auto": False,
        "importance": 2,
        "scope": "global",
        "bucket": None,
        "threads": [],
        "subcategory": None,
        "goal": None,
        "corrected": False,
        "origin": "dream",
        "source_window": ID,
        "superseded_by": None,
        "superseded_by_short": None,
        "revision": 2,
        "created_at": "2026-11-29T05:00:41Z",
        "updated_at": "2026-11-30T05:00:41Z",
        "as_of": "2026-11-30T04:59:00Z",
        "occurred_at": None,
        "evidence": [
            {
                "window": ID,
                "window_short": "a81f2c",
                "event": 14,
                "role": "human",
                "quote": "please use British spelling",
                "at": "2026-11-30T04:59:00Z",
                "inherited_from": None,
            }
        ],
    } | changes


def history() -> dict[str, Any]:
    """How that rule came to be."""
    first = {
        "revision": 1,
        "at": "2026-11-29T05:00:41Z",
        "operation": "remember",
        "reason": None,
        "dream": DREAM,
        "dream_short": "019ad3b2-4",
        "round": "atomic",
        "actor": "dream",
        "changed": {},
    }
    second = first | {
        "revision": 2,
        "at": "2026-11-30T05:00:41Z",
        "operation": "update",
        "reason": "said again, more clearly",
        "changed": {"content": ["Use UK spelling.", "Answer in British English."]},
    }
    return {"schema": 1, "memory": memory(), "history": [first, second]}


def dream(**changes: Any) -> dict[str, Any]:
    """An applied dream."""
    rounds = [
        {"name": "atomic", "state": "staged", "model_calls": 1, "operations": 4, "refused": 1},
        {"name": "topic", "state": "staged", "model_calls": 2, "operations": 1, "refused": 0},
        {"name": "project", "state": "skipped", "model_calls": 0, "operations": 0, "refused": 0},
    ]
    return {
        "id": DREAM,
        "short": "019ad3b2-4",
        "window": ID,
        "window_short": "a81f2c",
        "state": "applied",
        "reason": None,
        "error": None,
        "manual": False,
        "overrode": [],
        "seal": "2026-11-30T04:59:00Z",
        "from_seq": 0,
        "through_seq": 37,
        "attempts": 1,
        "created_at": "2026-11-30T05:00:00Z",
        "started_at": "2026-11-30T05:00:00Z",
        "finished_at": "2026-11-30T05:00:41Z",
        "next_attempt_at": None,
        "undone_at": None,
        "changes": {"added": 3, "changed": 1, "archived": 0},
        "review": 0,
        "rounds": rounds,
        "spent": spent(),
    } | changes


def _refused(operation: dict[str, Any]) -> dict[str, Any]:
    return {
        "operation": operation,
        "decision": "refused",
        "refusal": "malformed",
        "detail": "something is missing",
        "memories": [],
    }


def show() -> dict[str, Any]:
    """That dream, whole."""
    document = dream()
    details: dict[str, Any] = {"summary": None, "questions": [], "problems": [], "verdicts": []}
    document["rounds"] = [one | details for one in document["rounds"]]
    document["rounds"][0]["summary"] = "Spelling and the new port."
    document["rounds"][0]["verdicts"] = [
        {
            "operation": {"op": "remember", "content": "The port is 9090."},
            "decision": "refused",
            "refusal": "quote_not_found",
            "detail": "“port is 9090” stands in no event shown",
            "memories": [],
        },
        _refused({"op": "merge", "ids": ["m1", "m2"], "into": {"content": "One server."}}),
        _refused({"op": "split", "id": "m3", "into": [{"content": "Backups."}, {}]}),
        _refused({"op": "supersede", "ids": ["m1", "m2"], "by": "this"}),
        _refused({"row": "remember it"}),
    ]
    change = {"change": "changed", "operation": "update", "round": "atomic", "reason": "said again"}
    receipt = {
        "round": "atomic",
        "ask": 1,
        "at": "2026-11-30T05:00:01Z",
        "outcome": "ok",
        "prompt_chars": 12340,
        "answer_chars": 800,
        "tokens_in": 3085,
        "tokens_out": 200,
        "tokens_reported": False,
        "duration_ms": 312,
        "phase": "off_peak",
        "cost": None,
        "currency": None,
        "peak_cost": None,
        "counted": False,
        "model": "offline",
        "detail": None,
    }
    return {
        "schema": 1,
        **document,
        "plan": None,
        "memories": [change | memory()],
        "receipts": [
            receipt,
            receipt
            | {"cost": "0.003485", "peak_cost": "0.006970", "currency": "CNY", "counted": True},
        ],
    }


def diff() -> dict[str, Any]:
    """That dream, memory by memory: one reworded, one finished, two merged."""
    said = memory()["evidence"]
    plain: dict[str, Any] = {"fields": {}, "content_diff": [], "replaces": [], "evidence": []}

    def row(change: str, operation: str, reason: str | None, **fields: Any) -> dict[str, Any]:
        step = {"operation": operation, "round": "atomic", "reason": reason}
        return memory() | plain | {"change": change, "steps": [step]} | fields

    reworded = row(
        "changed",
        "update",
        "said again, more clearly",
        title="Spelling",
        content_diff=[
            {"part": "same", "text": "- Answer in"},
            {"part": "was", "text": " UK spelling.\n- Be brief"},
            {"part": "now", "text": " British English.\n- Be brief and kind"},
            {"part": "same", "text": "."},
        ],
        fields={
            "importance": [1, 2],
            "keywords": [["uk", "spelling"], ["british", "english", "spelling"]],
            "keywords_auto": [True, False],
            "title": [None, "Spelling"],
            "as_of": ["2026-11-29T04:00:00Z", "2026-11-30T04:59:00Z"],
        },
        evidence=said,
    )
    reworded["steps"] = [*reworded["steps"], {**reworded["steps"][0], "reason": None}]
    finished = row(
        "changed",
        "complete",
        None,
        short="019ad3b2-6",
        layer="project",
        content="给预发环境的数据库补上监控。",
        fields={"status": ["active", "stale"]},
    )
    server = row(
        "archived",
        "merge",
        "one server",
        short="019ad3b2-7",
        layer="fact",
        status="archived",
        content="The staging server is called heron.",
        superseded_by=MEMORY,
        superseded_by_short="019ad3b2-9",
        fields={
            "status": ["active", "archived"],
            "superseded_by": [None, MEMORY],
            "superseded_by_short": [None, "019ad3b2-9"],
        },
    )
    merged = row(
        "added",
        "merge",
        "one server",
        short="019ad3b2-9",
        layer="fact",
        content="The staging server is called heron and listens on port 8080.",
        replaces=[{"id": MEMORY, "short": "019ad3b2-7"}, {"id": MEMORY, "short": "019ad3b2-8"}],
        evidence=said,
    )
    return {
        "schema": 1,
        "id": DREAM,
        "short": "019ad3b2-4",
        "window": ID,
        "window_short": "a81f2c",
        "state": "applied",
        "undone_at": None,
        "changes": {"added": 1, "changed": 2, "archived": 1},
        "memories": [reworded, finished, merged, server],
    }


def no_diff() -> dict[str, Any]:
    """An undone dream that had changed nothing."""
    return diff() | {
        "undone_at": NOW,
        "changes": {"added": 0, "changed": 0, "archived": 0},
        "memories": [],
    }


def why() -> dict[str, Any]:
    """A window that waits for the end of a peak."""
    gates = [
        hold("kind", "") | {"open": True, "value": "main", "want": "main"},
        hold("nothing_new", "") | {"open": True, "value": "37 new", "want": "1 new"},
        hold("active", "used 17 min ago", "2026-11-30T11:31:00Z")
        | {"open": False, "value": "idle 17 min", "want": "idle 3 h"},
        hold("peak", "peak until 18:00 Asia/Shanghai", "2026-11-30T10:00:00Z")
        | {"open": False, "value": "peak", "want": "off-peak"},
    ]
    return {
        "schema": 1,
        "now": NOW,
        "window": ID,
        "short": "a81f2c",
        "title": "Move the database",
        "state": "waiting",
        "new_events": 37,
        "may": False,
        "may_by_hand": True,
        "next_at": "2026-11-30T11:31:00Z",
        "queue": None,
        "gates": gates,
    }


def why_old() -> dict[str, Any]:
    """A window that only a reading of the backlog wakes, for a reason too long for a column."""
    read = "this workspace was first read"
    gates = [
        hold("nothing_new", f"nothing was said since {read}")
        | {"open": False, "value": "0 new", "want": "1 new or more"},
        hold("old", f"it ended before {read}; new speech or `dream --backlog` wakes it")
        | {"open": False, "value": "yes", "want": "no"},
        hold("quarantined", "") | {"open": True, "value": "no", "want": "no quarantined dream"},
    ]
    unsaid = {"state": "old", "new_events": 0, "may_by_hand": False, "next_at": None}
    return {**why(), **unsaid, "gates": gates}


def troubled() -> dict[str, Any]:
    """A daemon that works elsewhere, but not here."""
    usual = status()
    daemon = usual["daemon"] | {
        "state": "running",
        "pid": 4711,
        "started_at": "2026-11-29T02:00:00Z",
        "last_tick_at": "2026-11-30T08:47:00Z",
        "errors": 3,
        "last_error": "/home/ana/work/.memgarden/memory.db has no room: the disk is full",
        "last_error_at": "2026-11-30T08:47:00Z",
        "trouble": "/home/ana/work/.memgarden/memory.db has no room: the disk is full",
        "retry_at": "2026-11-30T08:49:00Z",
        "hint": "df /home/ana/work/.memgarden",
        "version": "0.0.9",
    }
    return usual | {"daemon": daemon}


def edited() -> dict[str, Any]:
    """A daemon that has not read the last edit of the settings, and hooks that nobody has told of it."""
    daemon = troubled()["daemon"] | {"version": "0.1.0", "settings_old": True}
    daemon |= dict.fromkeys(("trouble", "retry_at", "hint", "last_error", "last_error_at"))
    return status() | {"daemon": daemon, "hooks": {"settings_old": True}}


def alarms() -> dict[str, Any]:
    """A workspace where everything wants attention at once."""
    usual = status()
    return usual | {
        "clock": "driven",
        "daemon": {
            "state": "dead",
            "pid": 4711,
            "started_at": "2026-11-29T02:00:00Z",
            "last_tick_at": "2026-11-30T06:40:00Z",
            "version": "0.1.0",
            "errors": 0,
            "last_error": None,
            "last_error_at": None,
            "settings_kept": None,
            "settings_old": False,
            "trouble": None,
            "retry_at": None,
            "hint": None,
        },
        "paused": True,
        "paused_until": "2026-11-30T12:00:00Z",
        "budget": {
            "spent": True,
            "note": "60 of 60 calls today",
            "until": "2026-11-30T16:00:00Z",
            "limits": [
                {
                    "kind": "calls_per_day",
                    "spent": 60,
                    "limit": 60,
                    "currency": None,
                    "full": True,
                    "opens_at": "2026-11-30T16:00:00Z",
                }
            ],
        },
        "spent": {
            "today": spent(
                calls=60,
                tokens_in=1_480_000,
                tokens_out=31_000,
                estimated=2,
                duration_ms=754_000,
                money=[money()],
            ),
            "last_7_days": spent(
                calls=121,
                tokens_in=2_900_000,
                tokens_out=64_000,
                estimated=2,
                unpriced=1,
                duration_ms=1_604_000,
                money=[money(cost="6.400000", at_peak="12.800000", saved="6.400000"), dollars()],
            ),
        },
        "breaker": {"failures": 3, "open_until": "2026-11-30T09:03:00Z"},
        "suppression": usual["suppression"]
        | {"next_change_at": None, "next_allowed_at": None, "never_allows": True},
        "next": {"window": None, "at": None, "reason": None},
        "counts": usual["counts"] | {"review": 2, "unreadable_lines": 3},
    }


def nothing() -> dict[str, Any]:
    """A workspace that was just made."""
    usual = status()
    return usual | {
        "last_dream": None,
        "next": {"window": None, "at": None, "reason": None},
        "counts": dict.fromkeys(usual["counts"], 0),
        "windows": [],
    }


def logs() -> dict[str, Any]:
    """A dream that was healed and then failed, as the log tells it."""
    at = {"workspace": "/home/ana/work", "dream": DREAM, "window": ID}
    return {
        "schema": 1,
        "lines": [
            {
                "event": "daemon_started",
                "level": "info",
                "timestamp": "2026-11-30T02:00:00Z",
                "version": "0.1.0",
            },
            {
                "event": "dream_healed",
                "level": "warning",
                "timestamp": "2026-11-30T05:00:00Z",
                "deaths": 1,
                **at,
            },
            {
                "event": "dream_failed",
                "level": "error",
                "timestamp": "2026-11-30T05:00:41.250Z",
                "reason": "atomic: login",
                "error": "not \x1b[31mlogged in\n\u202e",
                "hint": None,
                **at,
            },
        ],
    }


def retried() -> dict[str, Any]:
    """One that may start, one that waits for an instant, one that waits for a person."""
    row = {"id": DREAM, "window": ID, "was": "quarantined", "attempts": 5}
    return {
        "schema": 1,
        "dreams": [
            row | {"may": True, "next_at": NOW, "held_by": None},
            row
            | {
                "was": "failed",
                "may": False,
                "next_at": "2026-11-30T10:00:00Z",
                "held_by": "peak",
            },
            row | {"may": False, "next_at": None, "held_by": "paused"},
        ],
    }


def dreams() -> list[dict[str, Any]]:
    """One running, one failed, one applied that wants review."""
    running = dream(short="019ad3b9-1", state="running", finished_at=None, rounds=[])
    failed = dream(
        short="019ad3b5-7",
        state="failed",
        reason="model: exit 1",
        finished_at=None,
        rounds=[],
        spent=spent(calls=1, estimated=1, unpriced=1),
    )
    empty = {"added": 0, "changed": 0, "archived": 0}
    return [
        running | {"changes": empty},
        failed | {"changes": empty},
        dream(review=2, spent=spent(calls=3, money=[money()])),
    ]


def memories() -> list[dict[str, Any]]:
    """A rule, a Chinese fact of a project, and a stale topic without proof."""
    return [
        memory(),
        memory(
            short="019ad3b2-6",
            layer="fact",
            title="预发环境",
            content="预发环境的数据库端口是 9090，监控面板在同一台机器上。\n旧端口 8080 已经停用。",
            scope=["memgardend", "监控"],
            keywords=["预发", "端口"],
        ),
        memory(
            layer="topic",
            status="stale",
            content="Move the staging database to Postgres 17, then watch it for a week.",
            goal="staging runs on Postgres 17",
            evidence=[],
        ),
    ]


def remembered(**changes: Any) -> dict[str, Any]:
    """A memory that was stored beside one to the contrary, in a project that is new."""
    rule, fact, _ = memories()
    document = {
        "schema": 1,
        "outcome": "stored",
        "memory": fact,
        "alike": [rule],
        "new_projects": ["监控"],
    }
    return document | changes


def updated(*changed: str) -> dict[str, Any]:
    """A memory that was edited."""
    return {
        "schema": 1,
        "changed": list(changed),
        "memory": memory(),
        "alike": [],
        "new_projects": [],
    }


def panorama(*shelves: str) -> dict[str, Any]:
    """All that is known of two projects: the same on each shelf."""
    return {
        "schema": 1,
        "projects": ["memgardend", "监控"],
        "shelves": [{"name": name, "memories": memories()[:2]} for name in shelves],
    }


def recalls(memory: str | None = None) -> dict[str, Any]:
    """A question that found two memories, a block without any, and a search outside of any conversation."""

    def named(one: str) -> dict[str, str]:
        return {"id": one, "short": one[:6]}

    tea, rule, port = (
        f"{name}-7f1c-7000-8000-000000000000" for name in ("0195a1", "0195b2", "0195c3")
    )
    return {
        "schema": 1,
        "memory": memory,
        "recalls": [
            {
                "window": ID,
                "window_short": "a81f2c",
                "at": "2026-11-30T02:00:00Z",
                "mode": "hits",
                "rules": "bm25f-2+index3+tok5",
                "query_fingerprint": "0123456789ab",
                "query_empty": False,
                "counts": {"candidate_pool": 14, "injected": 2, "cap": 2},
                "recalled": [named(tea), named(rule)],
                "rejected_reasons": {"below_floor": 9, "over_cap": 3},
                "rejected": [{**named(port), "reason": "over_cap"}],
                "verdict": None if memory is None else "over_cap",
                "dur_ms": 3,
            },
            {
                "window": ID,
                "window_short": "a81f2c",
                "at": "2026-11-30T02:01:00Z",
                "mode": "block",
                "rules": None,
                "query_fingerprint": "",
                "query_empty": True,
                "counts": {},
                "recalled": [],
                "rejected_reasons": {},
                "rejected": [],
                "verdict": None if memory is None else "not_named",
                "dur_ms": None,
            },
            {
                "window": None,
                "window_short": None,
                "at": "2026-11-30T02:02:00Z",
                "mode": "search",
                "rules": "bm25f-2+index3+tok5+cfg:a24120cf",
                "query_fingerprint": "abcdef012345",
                "query_empty": False,
                "counts": {"candidate_pool": 1, "injected": 1, "cap": 10},
                "recalled": [named(tea)],
                "rejected_reasons": {},
                "rejected": [],
                "verdict": None if memory is None else "not_named",
                "dur_ms": 1,
            },
        ],
    }


def imported(**fields: Any) -> dict[str, Any]:
    """An import that went on and left a batch for later."""
    plain = {
        "file": "chats/2025.txt",
        "policy": "history_import",
        "locale": "en",
        "chars": 5_000_000,
        "dry_run": False,
        "resumed": True,
        "model_calls": 12,
        "batches_left": 40,
        "cards_written": 311,
        "cards_added": 300,
        "batches_done": 794,
        "percent": 95,
        "done": False,
        "skipped": [
            {"reason": "already_applied", "offset": 6000, "key": "import1:b6000"},
            {"reason": "blank_material", "offset": 12000, "chars": 40},
            {"reason": "blank_material", "offset": 18000, "chars": 40},
        ],
        "failed": [
            {"offset": 4_764_000, "key": "k", "error": "no_json_object", "attempts": 2},
        ],
    }
    return {"schema": 1, **plain, **fields}


def estimated() -> dict[str, Any]:
    """What an import would take."""
    return {
        "schema": 1,
        "file": "chats/2025.txt",
        "policy": "history_import",
        "locale": "en",
        "chars": 5_000_000,
        "dry_run": True,
        "batches": 834,
        "tokens_in": 3_602_000,
        "days": 14,
    }


def captured() -> dict[str, Any]:
    """Two cards: a new one, and one in the place of another."""
    return {
        "schema": 1,
        "outcome": "written",
        "policy": "conversation_capture",
        "locale": "en",
        "mutations": [
            {
                "op": "add",
                "mount": "agent-private",
                "card": {
                    "summary": "Ana moved to Lisbon",
                    "content": "Ana moved to Lisbon in May, for the job at the aquarium.",
                    "type": "event",
                    "bucket": "Places & travel",
                    "threads": ["moving"],
                    "importance": 0.75,
                    "retrieval_cues": ["Lisbon", "aquarium"],
                },
            },
            {
                "op": "supersede",
                "target_ids": ["c1"],
                "card": {
                    "summary": "The port is 9090",
                    "content": "The port is 9090",
                    "type": "fact",
                },
            },
        ],
        "trace": {},
    }


def manifest() -> dict[str, Any]:
    """What the library can do without a model, with a store that forgets."""
    return {
        "version": "0.1.0",
        "capabilities": {"capture": True, "maintenance": True, "tools": True, "migrate": False},
        "policies": [
            {"name": "conversation_capture", "max_cards": 2},
            {"name": "history_import", "max_cards": None},
        ],
        "locales": ["en", "zh-Hans"],
        "tools": [{"name": f"memory_{verb}"} for verb in ("search", "read", "write")],
        "storage": {"notices": ["Without transactions a batch may be stored in part."]},
    }
