"""The one module that imports SQLite: connections, transactions, and what each failure means.

Two SQLite libraries in one process break each other's locks, so the library is the one that
sqlite-utils chooses, though a hook does without sqlite-utils itself.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from memgardend.core.errors import StoreError, StoreUnavailableError
from memgardend.daemon.store.failures import failure_of, is_unwritten
from memgardend.daemon.store.transaction import PlainRows, Row, Transaction

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from sqlite_utils import Database as SqliteUtils
else:
    try:
        import pysqlite3 as sqlite3
    except ImportError:
        import sqlite3

__all__ = ["Database", "Row", "Transaction", "sqlite_version", "statements"]

BUSY_TIMEOUT_MS = 10_000
PAGE_BYTES = 8192
"""Of a new store: most events fit in a page with others, where 4096 would leave much of it empty."""
APPLICATION_ID = 0x6D676464
"""`mgdd`, in the header of every store (https://www.sqlite.org/fileformat2.html, offset 68)."""


class Database:
    """One connection to one store file (or to memory, where `path` is None); for one thread."""

    def __init__(
        self, path: Path | None, connection: sqlite3.Connection, *, light: bool = False
    ) -> None:
        self.path = path
        self._connection = connection
        self._rows = PlainRows(connection) if light else _sqlite_utils(connection)
        self._identity = _identity(path)
        self.before_commit: Callable[[Transaction], None] | None = None

    @classmethod
    def open(cls, path: Path | None, *, light: bool = False) -> Database:
        """Connect and configure; `light` for who has no time. Raises StoreError or StoreUnavailableError."""
        name = ":memory:" if path is None else f"{path.absolute().as_uri()}?mode=rw"
        with _translated(path):
            connection = sqlite3.connect(
                name, uri=path is not None, isolation_level=None, timeout=BUSY_TIMEOUT_MS / 1000
            )
            try:
                _configure(connection)
                return cls(path, connection, light=light)
            except BaseException:
                connection.close()
                raise

    @classmethod
    def copy_of(cls, path: Path) -> Database:
        """A copy in memory, consistent while others write; whatever is done to it ends with it."""
        copy = cls.open(None)
        original = cls.open(path)
        try:
            with _translated(path):
                original._connection.backup(copy._connection)
        finally:
            original.close()
        return copy

    def read(self, sql: str, params: Mapping[str, object] | None = None) -> list[Row]:
        """All rows of a query."""
        with _translated(self.path):
            return list(self._rows.query(sql, dict(params or {})))

    def one(self, sql: str, params: Mapping[str, object] | None = None) -> Row | None:
        """The first row, or None."""
        return next(iter(self.read(sql, params)), None)

    def value(self, sql: str, params: Mapping[str, object] | None = None) -> Any:
        """The first column of the first row, or None."""
        row = self.one(sql, params)
        return next(iter(row.values())) if row else None

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Let several reads see the same state. Nothing may be written inside."""
        with _translated(self.path):
            free = not self._connection.in_transaction
            try:
                self._connection.execute("BEGIN")
                yield
            finally:
                if free and self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")

    @contextmanager
    def write(self) -> Iterator[Transaction]:
        """One `BEGIN IMMEDIATE … COMMIT`; any error, also one of the commit, leaves nothing behind."""
        with _translated(self.path):
            free = not self._connection.in_transaction
            try:  # an interrupt may come right after the first statement
                self._connection.execute("BEGIN IMMEDIATE")
                self._require_same_file()
                transaction = Transaction(self._connection, self._rows)
                yield transaction
                if self.before_commit is not None and not transaction.broken:
                    self.before_commit(transaction)
                if transaction.broken or not self._connection.in_transaction:
                    raise StoreError("an error inside a transaction was passed over")
                self._connection.execute("COMMIT")
            except BaseException:
                if free and self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise

    def backup_into(self, path: Path) -> None:
        """Copy the whole store into a new file, consistent while others write."""
        with _translated(path):
            target = sqlite3.connect(path, isolation_level=None)
        try:
            self._connection.backup(target)
        except sqlite3.Error as error:
            # What cannot be written is the copy; whatever else goes wrong is about the store.
            raise failure_of(error, path if is_unwritten(error) else self.path) from error
        finally:
            target.close()

    def set_patience(self, milliseconds: int) -> None:
        """How long a statement waits for others who write; at first 10 s."""
        self._connection.execute(f"PRAGMA busy_timeout = {milliseconds:d}")

    @contextmanager
    def impatient(self) -> Iterator[None]:
        """Inside, nothing waits for others: what they hold is a StoreLockedError at once."""
        patience = self.value("PRAGMA busy_timeout")
        self.set_patience(0)
        try:
            yield
        finally:
            self.set_patience(patience)

    def shrink(self) -> None:
        """Free the pages that are kept in memory."""
        self._connection.execute("PRAGMA shrink_memory")

    def close(self) -> None:
        """Give the connection back. Safe to call twice."""
        self._connection.close()

    def _require_same_file(self) -> None:
        # After a restore or a deletion we would write into a file that nobody else sees.
        if _identity(self.path) != self._identity:
            raise StoreUnavailableError(
                f"{self.path} was replaced or removed while it was open",
                hint="run the command again",
            )


def sqlite_version() -> str:
    """The version of the SQLite library in use, and the module that brought it."""
    return f"{sqlite3.sqlite_version} ({sqlite3.__name__})"


def statements(script: str) -> Iterator[str]:
    """The statements of a script one by one (`executescript` would commit first)."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""


def _sqlite_utils(connection: sqlite3.Connection) -> SqliteUtils:
    from sqlite_utils import Database as SqliteUtils

    return SqliteUtils(connection, execute_plugins=False)


def _configure(connection: sqlite3.Connection) -> None:
    connection.execute(f"PRAGMA busy_timeout = {BUSY_TIMEOUT_MS}")
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA mmap_size = 0")
    connection.execute("PRAGMA secure_delete = ON")  # what is deleted is gone from the file too
    connection.execute(f"PRAGMA page_size = {PAGE_BYTES}")
    if connection.execute("PRAGMA journal_mode").fetchone()[0] not in ("truncate", "memory"):
        connection.execute("PRAGMA journal_mode = TRUNCATE").fetchall()


def _identity(path: Path | None) -> tuple[int, int] | None:
    if path is None:
        return None
    try:
        status = path.stat()
    except FileNotFoundError:
        return None
    return status.st_dev, status.st_ino


@contextmanager
def _translated(path: Path | None) -> Iterator[None]:
    """Turn an error of SQLite into one of ours."""
    try:
        yield
    except sqlite3.Error as error:
        if isinstance(error.__context__, KeyboardInterrupt):
            raise error.__context__ from None  # sqlite-utils tidied up after it, and had nothing to
        raise failure_of(error, path) from error
