"""Transactions: immediate, all or nothing, and nothing after an error."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Never

import pytest
import sqlite_utils

from memgardend.core.errors import StoreError, StoreLockedError, StoreUnavailableError
from memgardend.daemon.store import driver
from memgardend.daemon.store.driver import Database, statements
from support.stores import SqliteFactory, put, said


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A database with one table."""
    raw = sqlite3.connect(tmp_path / "x.db")
    raw.execute("CREATE TABLE t (n INTEGER PRIMARY KEY, text TEXT) STRICT")
    raw.execute("CREATE TABLE u (t INTEGER REFERENCES t (n) DEFERRABLE INITIALLY DEFERRED) STRICT")
    raw.close()
    return tmp_path / "x.db"


@pytest.fixture
def database(path: Path) -> Iterator[Database]:
    opened = Database.open(path)
    yield opened
    opened.close()


def count(database: Database) -> int:
    return int(database.value("SELECT count(*) FROM t"))


@pytest.mark.parametrize(
    ("pragma", "value"),
    [
        ("busy_timeout", 10_000),
        ("foreign_keys", 1),
        ("trusted_schema", 0),
        ("synchronous", 2),
        ("journal_mode", "truncate"),
        ("mmap_size", 0),
    ],
)
def test_every_connection_is_configured(database: Database, pragma: str, value: object) -> None:
    assert database.value(f"PRAGMA {pragma}") == value


def test_a_write_commits(database: Database) -> None:
    with database.write() as transaction:
        assert transaction.execute("INSERT INTO t VALUES (:n, :t)", {"n": 1, "t": "x"}) == 1
        assert transaction.read("INSERT INTO t VALUES (2, 'y') RETURNING n") == [{"n": 2}]
        transaction.execute_many("INSERT INTO t VALUES (:n, 'z')", [{"n": 3}, {"n": 4}])
    assert count(database) == 4


def test_any_exception_rolls_back(database: Database) -> None:
    with pytest.raises(KeyError), database.write() as transaction:
        transaction.execute("INSERT INTO t VALUES (1, 'x')")
        raise KeyError
    assert count(database) == 0


def test_nothing_follows_an_error_even_when_it_is_swallowed(database: Database) -> None:
    with pytest.raises(StoreError, match="passed over"), database.write() as transaction:
        transaction.execute("INSERT INTO t VALUES (1, 'x')")
        with pytest.raises(sqlite3.IntegrityError):
            transaction.execute("INSERT INTO t VALUES (1, 'again')")
        with pytest.raises(StoreError, match="had ended"):
            transaction.execute("INSERT INTO t VALUES (2, 'y')")
    assert count(database) == 0


def test_a_transaction_is_of_no_use_after_its_end(database: Database) -> None:
    with database.write() as transaction:
        pass
    with pytest.raises(StoreError, match="had ended"):
        transaction.execute("INSERT INTO t VALUES (1, 'x')")
    assert count(database) == 0


def test_a_commit_that_fails_is_an_error(database: Database) -> None:
    with pytest.raises(StoreError), database.write() as transaction:
        transaction.execute("INSERT INTO u VALUES (7)")
    assert database.value("SELECT count(*) FROM u") == 0
    with database.write() as transaction:
        transaction.execute("INSERT INTO t VALUES (1, 'x')")
    assert count(database) == 1


def test_a_full_disk_abandons_the_whole_transaction(database: Database) -> None:
    database.read(f"PRAGMA max_page_count = {database.value('PRAGMA page_count') + 2}")
    big = {"text": "x" * 100_000}
    with (
        pytest.raises(StoreUnavailableError, match="disk is full") as caught,
        database.write() as transaction,
    ):
        transaction.execute("INSERT INTO t VALUES (1, 'small')")
        transaction.execute("INSERT INTO t VALUES (2, :text)", big)
    assert caught.value.exit_code == 75
    assert caught.value.hint
    assert caught.value.hint.startswith("df ")
    assert count(database) == 0
    with database.write() as transaction:
        transaction.execute("INSERT INTO t VALUES (3, 'small')")


def test_a_full_disk_that_is_passed_over_still_commits_nothing(database: Database) -> None:
    database.read(f"PRAGMA max_page_count = {database.value('PRAGMA page_count') + 2}")
    with pytest.raises(StoreError, match="passed over"), database.write() as transaction:
        transaction.execute("INSERT INTO t VALUES (1, 'small')")
        with pytest.raises(sqlite3.OperationalError):
            transaction.execute("INSERT INTO t VALUES (2, :text)", {"text": "x" * 100_000})
        with pytest.raises(StoreError, match="had ended"):
            transaction.execute("INSERT INTO t VALUES (3, 'would commit alone')")
    assert count(database) == 0


def test_a_full_disk_leaves_a_store_as_it_was(factory: SqliteFactory) -> None:
    store = factory.open()
    put(store, said("1"))
    database = store._database  # type: ignore[attr-defined]
    database.read(f"PRAGMA max_page_count = {database.value('PRAGMA page_count')}")
    with pytest.raises(StoreUnavailableError):
        put(store, *(said(str(n), "x" * 5000) for n in range(2, 50)))
    assert [event.native_id for event in store.events("event:a")] == ["1"]
    assert store.violations() == []


def test_a_lock_held_too_long_is_not_now(path: Path, database: Database) -> None:
    impatient = Database.open(path)
    impatient.set_patience(1)
    with (
        database.write(),
        pytest.raises(StoreLockedError, match="locked") as caught,
        impatient.write(),
    ):
        pass
    assert caught.value.hint
    impatient.close()


def test_a_store_that_lets_go_of_its_pages_reads_them_again(database: Database) -> None:
    with database.write() as transaction:
        transaction.execute("INSERT INTO t VALUES (1, 'x')")
    database.shrink()
    assert count(database) == 1


def test_a_write_takes_the_lock_before_it_reads(database: Database) -> None:
    """A deferred transaction that reads and then writes would fail at once, whatever the timeout."""
    statements_run: list[str] = []
    database._connection.set_trace_callback(statements_run.append)
    with database.write() as transaction:
        transaction.read("SELECT * FROM t")
        transaction.execute("INSERT INTO t VALUES (1, 'x')")
    assert statements_run[0] == "BEGIN IMMEDIATE"
    assert statements_run[-1] == "COMMIT"


def test_no_method_of_the_store_writes_outside_an_immediate_transaction() -> None:
    folder = Path(driver.__file__).parent
    for module in folder.glob("*.py"):
        if module.name not in ("driver.py", "transaction.py"):
            text = module.read_text()
            assert "_connection" not in text, module
            assert "atomic(" not in text, module


def test_reads_in_a_snapshot_agree(path: Path, database: Database) -> None:
    """A writer waits for the readers of a snapshot; here it gives up at once."""
    writer = sqlite3.connect(path, isolation_level=None, timeout=0)
    with database.snapshot():
        assert count(database) == 0
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            writer.execute("INSERT INTO t VALUES (1, 'x')")
        assert count(database) == 0
    writer.execute("INSERT INTO t VALUES (1, 'x')")
    writer.close()
    assert count(database) == 1


def test_a_snapshot_ends_with_an_error(database: Database) -> None:
    with pytest.raises(KeyError), database.snapshot():
        raise KeyError
    with database.write() as transaction:
        transaction.execute("INSERT INTO t VALUES (1, 'x')")


def test_a_statement_that_is_wrong_is_no_reason_to_wait(database: Database) -> None:
    with pytest.raises(StoreError) as caught:
        database.read("SELECT nonsense FROM t")
    assert caught.value.exit_code == 78


def test_a_file_replaced_under_us_is_noticed(path: Path, database: Database) -> None:
    copy = path.with_name("copy")
    copy.write_bytes(path.read_bytes())
    copy.replace(path)
    with pytest.raises(StoreUnavailableError, match="replaced"), database.write():
        pass


def test_a_file_removed_under_us_is_noticed(path: Path, database: Database) -> None:
    path.unlink()
    with pytest.raises(StoreUnavailableError, match="removed"), database.write():
        pass


def test_a_script_is_cut_into_statements() -> None:
    script = """-- note; with a semicolon
CREATE TABLE a (b TEXT); -- after
CREATE TRIGGER c BEFORE UPDATE ON a BEGIN
    SELECT 1; SELECT 2;
END;
"""
    first, second = statements(script)
    assert first.lstrip().startswith("-- note")
    assert second.rstrip().endswith("END;")


def test_the_library_is_the_one_that_sqlite_utils_chooses() -> None:
    assert driver.sqlite3 is sqlite_utils.utils.sqlite3  # type: ignore[attr-defined]


def test_the_light_way_reads_and_writes_the_same_rows(path: Path) -> None:
    light, usual = Database.open(path, light=True), Database.open(path)
    with light.write() as transaction:
        sql = "INSERT INTO t (text) VALUES (:text) RETURNING n, text"
        assert transaction.read(sql, {"text": "a"}) == [{"n": 1, "text": "a"}]
    assert light.read("SELECT * FROM t") == usual.read("SELECT * FROM t") == [{"n": 1, "text": "a"}]
    light.close()
    usual.close()


def test_an_interrupt_is_not_hidden_by_what_tidies_up_after_it(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """sqlite-utils rolls back to a savepoint that it has released just before the interrupt came."""

    def interrupted(*_: object) -> Never:
        try:
            raise KeyboardInterrupt
        except KeyboardInterrupt:
            raise sqlite3.OperationalError("no such savepoint: sqlite_utils_query")  # noqa: B904

    with pytest.raises(KeyboardInterrupt), database.write() as transaction:
        monkeypatch.setattr(database._rows, "query", interrupted)
        transaction.read("SELECT 1")
    monkeypatch.undo()
    with database.write() as transaction:
        assert transaction.read("SELECT 1 AS one") == [{"one": 1}]
