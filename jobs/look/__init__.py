"""The documents behind every screen and every `--json` (DESIGN 9.1): plain dicts, built from the store."""

from memgardend.jobs.look.daemon import daemon_document
from memgardend.jobs.look.diff import diff_document
from memgardend.jobs.look.dreams import dreams_document, show_document
from memgardend.jobs.look.find import find_dream, find_memory, find_thing, find_window
from memgardend.jobs.look.memories import history_document, memories_document
from memgardend.jobs.look.status import status_document, wants_attention
from memgardend.jobs.look.windows import why_document, windows_document

__all__ = [
    "daemon_document",
    "diff_document",
    "dreams_document",
    "find_dream",
    "find_memory",
    "find_thing",
    "find_window",
    "history_document",
    "memories_document",
    "show_document",
    "status_document",
    "wants_attention",
    "why_document",
    "windows_document",
]
