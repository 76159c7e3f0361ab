"""Every invariant is noticed when it is broken behind the store's back."""

from __future__ import annotations

import sqlite3

import pytest

from memgardend.core.records import Project
from memgardend.core.scope import Scope
from memgardend.daemon.store import verify
from support.stores import (
    NOW,
    SqliteFactory,
    change,
    claimed,
    dreamed,
    memory,
    put,
    quote,
    said,
    started,
    window,
)

BREAKS = {
    "running_has_lease": "UPDATE dreams SET owner = NULL WHERE id = 'd2'",
    "lease_only_while_running": "UPDATE dreams SET owner = 'x' WHERE id = 'd1'",
    "waiting_has_instant": "UPDATE dreams SET next_attempt_at = NULL WHERE id = 'd3'",
    "quarantined_has_reason": "UPDATE dreams SET state = 'quarantined' WHERE id = 'd3'",
    "final_has_end": "UPDATE dreams SET finished_at = NULL WHERE id = 'd1'",
    "one_open_dream": "UPDATE dreams SET window = 'event:b' WHERE id = 'd3'",
    "watermark_within_window": "UPDATE windows SET dreamed_seq = 99 WHERE id = 'event:b'",
    "watermark_covers_dreams": "UPDATE windows SET dreamed_seq = 2 WHERE id = 'event:a'",
    "rounds_of_done_dreams": "UPDATE dream_rounds SET state = 'asked' WHERE name = 'topic'",
    "events_contiguous": "DELETE FROM events WHERE window = 'event:a' AND seq = 2",
    "events_present": "DELETE FROM events WHERE window = 'event:b'",
    "version_exists": "DELETE FROM memory_versions WHERE memory = 'm1'",
    "version_equals_memory": "UPDATE memories SET content = 'changed' WHERE id = 'm1'",
    "successor_exists": "UPDATE memories SET superseded_by = 'm9' WHERE id = 'm1'",
    "projects_exist": "UPDATE memories SET scope = 'p1,p9' WHERE id = 'm1'",
    "evidence_hash": "UPDATE evidence SET quote = 'something else'",
    "index_follows": "DELETE FROM index_memories",
    "index_counts": "DELETE FROM index_postings",
    "foreign_keys": "UPDATE evidence SET memory = 'm9'",
}


def a_bit_of_everything(factory: SqliteFactory) -> None:
    """d1 is done, d2 runs, d3 waits; one memory with its proof."""
    store = factory.open()
    store.keep_index("en")
    dreamed(store, change(None, memory("m1"), quote()))
    for name, dream in (("b", "d2"), ("c", "d3")):
        put(store, said(name), into=window(name))
        claimed(store, dream, f"event:{name}")
    started(store, "d2", "event:b")
    assert store.violations() == []


def break_it(factory: SqliteFactory, statement: str) -> None:
    raw = sqlite3.connect(factory.path)
    for trigger in ("events_immutable", "memory_versions_immutable", "memory_versions_kept"):
        raw.execute(f"DROP TRIGGER {trigger}")
    raw.execute("DROP INDEX dreams_open")
    raw.execute("PRAGMA ignore_check_constraints = ON")
    assert raw.execute(statement).rowcount > 0
    raw.commit()
    raw.close()


@pytest.mark.parametrize("check", BREAKS)
def test_a_broken_invariant_is_named(factory: SqliteFactory, check: str) -> None:
    a_bit_of_everything(factory)
    break_it(factory, BREAKS[check])
    assert check in {violation.check for violation in factory.open().violations()}
    assert check in {violation.check for violation in verify(factory.path)}


def test_damaged_pages_are_named(factory: SqliteFactory) -> None:
    a_bit_of_everything(factory)
    raw = sqlite3.connect(factory.path)
    page_size, root = raw.execute(
        """SELECT page_size, s.rootpage FROM pragma_page_size, sqlite_schema AS s
        WHERE s.name = 'evidence'"""
    ).fetchone()
    raw.close()
    content = bytearray(factory.path.read_bytes())
    content[(root - 1) * page_size : root * page_size] = b"\xff" * page_size
    factory.path.write_bytes(content)
    assert "unreadable" in {violation.check for violation in verify(factory.path)}


def test_an_open_door_is_named(factory: SqliteFactory) -> None:
    store = factory.open()
    factory.path.chmod(0o644)
    factory.path.parent.chmod(0o755)
    assert [violation.check for violation in store.violations()] == ["permissions"] * 2
    assert "0644" in store.violations()[1].detail


def test_the_scope_of_known_projects_is_no_violation(factory: SqliteFactory) -> None:
    store = factory.open()
    store.ensure_project(Project(id="p1", name="one", root="/one"))
    store.ensure_project(Project(id="p2", name="two", root="/two"))
    dreamed(store, change(None, memory(scope=Scope.of("p1", "p2"), created_at=NOW)))
    assert store.violations() == []
