"""From the settings of dreams to the rules of core: when they may not start."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memgardend.config.model import WEEKDAYS
from memgardend.config.values import minute_of_day
from memgardend.config.zones import zone
from memgardend.core import vendor_calendar
from memgardend.core.clock import MINUTE_MS
from memgardend.core.suppression import PeakCalendar, PeakWindow

if TYPE_CHECKING:
    from memgardend.config.model import DreamSettings, PeakSettings
    from memgardend.core.suppression import Suppression


def suppression(dream: DreamSettings) -> Suppression:
    """The times at which no dream starts: the vendor's where `calendar` names one, else the windows."""
    lead_ms = dream.suppress_lead_minutes * MINUTE_MS
    if dream.calendar == "deepseek":
        return vendor_calendar.deepseek(zone(vendor_calendar.DEEPSEEK_ZONE), lead_ms)
    windows = tuple(_peak_window(window) for window in dream.suppress_windows)
    return PeakCalendar(windows, zone(dream.time_zone), lead_ms)


def _peak_window(peak: PeakSettings) -> PeakWindow:
    days = peak.weekdays
    return PeakWindow(
        minute_of_day(peak.start),
        minute_of_day(peak.end),
        frozenset(WEEKDAYS.index(day) for day in days) if days is not None else None,
    )
