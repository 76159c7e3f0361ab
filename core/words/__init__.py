"""The words of the program, each once: what tables, logs, JSON and screens say (DESIGN section 1).

Each module is loaded when one of its words is asked for: a hook needs few of them, and to make all these classes
would take a fifth of its time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from memgardend.core.lazily import lazily

if TYPE_CHECKING:
    from memgardend.core.words.calls import (
        MODEL_WIDE,
        BudgetKind,
        CallPurpose,
        Outcome,
        Phase,
    )
    from memgardend.core.words.dreams import (
        OPEN_STATES,
        Decision,
        DreamState,
        Ending,
        OperationName,
        Refusal,
        RoundName,
        RoundState,
    )
    from memgardend.core.words.memories import (
        PERSONAL_LAYERS,
        Layer,
        Status,
        Use,
    )
    from memgardend.core.words.shelves import Subcategory
    from memgardend.core.words.windows import (
        ACTIVITY_ROLES,
        SPEECH_ROLES,
        GateName,
        Role,
        WindowKind,
        WindowState,
    )
else:
    __getattr__ = lazily(
        __name__,
        {
            "memories": "Layer PERSONAL_LAYERS Status Use",
            "shelves": "Subcategory",
            "windows": "Role SPEECH_ROLES ACTIVITY_ROLES WindowKind WindowState GateName",
            "dreams": "DreamState OPEN_STATES RoundName RoundState OperationName Decision Refusal Ending",
            "calls": "CallPurpose Outcome MODEL_WIDE Phase BudgetKind",
        },
    )

__all__ = [
    "ACTIVITY_ROLES",
    "MODEL_WIDE",
    "OPEN_STATES",
    "PERSONAL_LAYERS",
    "SPEECH_ROLES",
    "BudgetKind",
    "CallPurpose",
    "Decision",
    "DreamState",
    "Ending",
    "GateName",
    "Layer",
    "OperationName",
    "Outcome",
    "Phase",
    "Refusal",
    "Role",
    "RoundName",
    "RoundState",
    "Status",
    "Subcategory",
    "Use",
    "WindowKind",
    "WindowState",
]
