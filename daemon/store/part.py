"""What every part of the store stands on: a connection, a garden, the failpoints."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memgardend.core.ports import Failpoints
    from memgardend.daemon.store.driver import Database

SPEECH = "(role = 'human' OR role = 'script' OR role = 'assistant')"
"""SPEECH_ROLES as the partial index `events_speech` spells it."""
OPEN = "state IN ('pending', 'running', 'failed', 'quarantined')"
"""OPEN_STATES as the partial index `dreams_open` spells it."""
LAST_CHARACTER = "\U0010ffff"
"""Sorts after all that stands in an id."""
FINAL = "state IN ('applied', 'empty', 'cancelled')"


class Part:
    """The store of one garden, cut by noun; every statement names the garden."""

    def __init__(self, database: Database, garden: str, failpoints: Failpoints) -> None:
        self._database = database
        self._garden = garden
        self._failpoints = failpoints

    @property
    def garden(self) -> str:
        """The garden whose rows this handle sees."""
        return self._garden

    def _find(self, table: str, columns: tuple[str, ...], text: str) -> list[str]:
        """Ids of rows where a column starts with the text, in their order; a range of an index for each column."""
        ranges = (
            f"SELECT id FROM {table} WHERE garden = :garden AND {column} >= :text AND {column} < :end"
            for column in columns
        )
        rows = self._database.read(
            f"{' UNION '.join(ranges)} ORDER BY id",
            {"garden": self._garden, "text": text, "end": text + LAST_CHARACTER},
        )
        return [row["id"] for row in rows]
