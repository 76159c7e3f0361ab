"""A write transaction: statements and their rows, until an error. Knows a connection, not the library."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from memgardend.core.errors import StoreError

Row = dict[str, Any]

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Protocol

    class Connection(Protocol):
        """What is needed of a connection of `sqlite3`."""

        @property
        def in_transaction(self) -> bool: ...
        def execute(self, sql: str, params: dict[str, Any], /) -> Any: ...
        def executemany(self, sql: str, rows: Iterable[Any], /) -> Any: ...

    class Rows(Protocol):
        """What is needed of sqlite-utils."""

        def query(self, sql: str, params: dict[str, Any]) -> Iterator[Row]: ...


class PlainRows:
    """Rows without sqlite-utils: importing it takes longer than all that a hook does."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def query(self, sql: str, params: dict[str, Any]) -> Iterator[Row]:
        """The rows of a query by the names of its columns."""
        cursor = self._connection.execute(sql, params)
        names = [column[0] for column in cursor.description]
        return (dict(zip(names, row, strict=True)) for row in cursor)


class Transaction:
    """One write transaction. After any error in it nothing more is executed."""

    def __init__(self, connection: Connection, rows: Rows) -> None:
        self._connection = connection
        self._rows = rows
        self.broken = False

    def execute(self, sql: str, params: Mapping[str, object] | None = None) -> int:
        """Run one statement; how many rows it changed."""
        with self._guard():
            return int(self._connection.execute(sql, dict(params or {})).rowcount)

    def execute_many(
        self, sql: str, rows: Iterable[Mapping[str, object] | Sequence[object]]
    ) -> None:
        """Run one statement for each row."""
        with self._guard():
            self._connection.executemany(sql, rows)

    def read(self, sql: str, params: Mapping[str, object] | None = None) -> list[Row]:
        """All rows of a query, or of a statement with RETURNING."""
        with self._guard():
            return list(self._rows.query(sql, dict(params or {})))

    def one(self, sql: str, params: Mapping[str, object] | None = None) -> Row | None:
        """The first row, or None."""
        return next(iter(self.read(sql, params)), None)

    @contextmanager
    def _guard(self) -> Iterator[None]:
        # SQLite may roll back by itself (disk full, I/O error); what follows would commit alone.
        if self.broken or not self._connection.in_transaction:
            raise StoreError("a statement came after its transaction had ended")
        try:
            yield
        except BaseException:
            self.broken = True
            raise
