"""Time zones, from the tzdata package alone: the same rules on every machine, whatever it has installed."""

from __future__ import annotations

import difflib
import zoneinfo
from functools import cache
from importlib import metadata
from typing import TYPE_CHECKING

from memgardend.core.errors import ConfigError

if TYPE_CHECKING:
    from datetime import tzinfo

# zoneinfo prefers /usr/share/zoneinfo, and PYTHONTZPATH before it, to the package.
zoneinfo.reset_tzpath(())


@cache
def zone_names() -> frozenset[str]:
    """Every zone of the package."""
    return frozenset(zoneinfo.available_timezones())


def zone(name: str) -> tzinfo:
    """The rules of an IANA zone. Raises ConfigError, with the nearest name, for an unknown one."""
    if name not in zone_names():  # ZoneInfo itself raises four kinds of errors for bad names
        near = near_zones(name)
        hint = f"did you mean {near[0]}?" if near else "write an IANA name, such as Asia/Shanghai"
        raise ConfigError(f"unknown time zone {name!r}", hint=hint)
    return zoneinfo.ZoneInfo(name)


def near_zones(name: str) -> list[str]:
    """Up to three zones that may have been meant: the case, or the continent, or a letter was wrong."""
    folded = name.strip().replace(" ", "_").casefold()
    known = sorted(zone_names())
    cities = [
        zone for zone in known if folded in (zone.casefold(), zone.casefold().rpartition("/")[2])
    ]
    by_fold = {zone.casefold(): zone for zone in known}
    close = difflib.get_close_matches(folded, by_fold, n=3, cutoff=0.75)
    return list(dict.fromkeys([*cities, *(by_fold[match] for match in close)]))[:3]


def tzdata_version() -> str:
    """Where the rules come from, such as `tzdata 2026.6`."""
    return f"tzdata {metadata.version('tzdata')}"


def forget_zones() -> None:
    """Read the rules anew: the package may have been upgraded under a running daemon."""
    zoneinfo.ZoneInfo.clear_cache()
    zone_names.cache_clear()
