"""Documents as the look commands build them, with every field a screen reads, to be varied by tests."""

from support.documents.diff import diff, no_diff
from support.documents.dreams import dream, dreams, retried, show
from support.documents.feed import captured, estimated, imported, logs, manifest
from support.documents.ids import DREAM, ID, MEMORY, NOW, NOW_MS
from support.documents.memories import history, memories, memory, panorama, remembered, updated
from support.documents.money import dollars, money, spent
from support.documents.recalls import recalls
from support.documents.status import alarms, edited, nothing, status, troubled
from support.documents.windows import hold, why, why_failed, why_old, window, windows

__all__ = [
    "DREAM",
    "ID",
    "MEMORY",
    "NOW",
    "NOW_MS",
    "alarms",
    "captured",
    "diff",
    "dollars",
    "dream",
    "dreams",
    "edited",
    "estimated",
    "history",
    "hold",
    "imported",
    "logs",
    "manifest",
    "memories",
    "memory",
    "money",
    "no_diff",
    "nothing",
    "panorama",
    "recalls",
    "remembered",
    "retried",
    "show",
    "spent",
    "status",
    "troubled",
    "updated",
    "why",
    "why_failed",
    "why_old",
    "window",
    "windows",
]
