"""Peak calendars of vendors whose rules carry dates."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import tzinfo

    from memgardend.core.suppression import Suppression


def deepseek(zone: tzinfo, lead_ms: int) -> Suppression:
    """DeepSeek's price calendar; `zone` is Asia/Shanghai."""
    raise NotImplementedError
