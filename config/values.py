"""Kinds of values that settings have: times of day, money, argv lists, names of zones and packs."""

from __future__ import annotations

import json
import re
import shlex
from decimal import Decimal
from pathlib import PurePath
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Field, StrictBool, StrictInt, StrictStr
from pydantic_core import PydanticCustomError

from memgardend.config.zones import near_zones, zone_names

LATEST_MINUTE = 24 * 60
_HOURS = LATEST_MINUTE // 60
_TIME = re.compile(r"(?P<hour>[0-9]{1,2}):(?P<minute>[0-9]{2})")
_ENV_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_LOCALE = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*")
_LOCALE_SLIPS = {
    "en-us": "en",
    "english": "en",
    "zh": "zh-Hans",
    "zh-cn": "zh-Hans",
    "zh-hans": "zh-Hans",
    "chinese": "zh-Hans",
}


def mistake(message: str, hint: str | None = None, at: tuple[str, ...] = ()) -> PydanticCustomError:
    """A mistake in the person's words; `at` leads from the checked section to the setting meant."""
    context = {"message": message, "hint": hint, "at": at}
    return PydanticCustomError("mistake", "{message}", context)


def minute_of_day(text: str) -> int:
    """Minutes since midnight of `H:MM` or `HH:MM`, 0 to 1440. Raises ValueError for anything else."""
    found = _TIME.fullmatch(text)
    if found is None or int(found["minute"]) > 59:
        raise ValueError(text)
    minutes = int(found["hour"]) * 60 + int(found["minute"])
    if minutes > LATEST_MINUTE:
        raise ValueError(text)
    return minutes


def _time_of_day(value: Any) -> Any:
    if isinstance(value, int) and not isinstance(value, bool):
        # An hour alone; or minutes, as YAML 1.1 reads an unquoted 12:00 as 720.
        minutes = value * 60 if 0 <= value <= _HOURS else value
        clock = f"{minutes // 60:02}:{minutes % 60:02}"
        clock = clock if 0 <= minutes <= LATEST_MINUTE else "12:00"
        raise mistake("should be a time in quotes, not a number", f'quote it: "{clock}"')
    if not isinstance(value, str):
        raise mistake("should be a time of day", 'write it as "09:00"')
    try:
        minute_of_day(value)
    except ValueError:
        raise mistake(
            f"should be a time of day from 0:00 to 24:00, not {value!r}", 'write it as "09:00"'
        ) from None
    return value


def _zone_name(value: str) -> str:
    if value in zone_names():
        return value
    near = near_zones(value)
    hint = f"did you mean `{near[0]}`?" if near else "write an IANA name, such as Asia/Shanghai"
    raise mistake(f"unknown time zone {value!r}", hint)


def _locale(value: str) -> str:
    slip = _LOCALE_SLIPS.get(value.strip().lower().replace("_", "-"))
    if slip not in (None, value) or _LOCALE.fullmatch(value) is None:
        raise mistake(
            f"{value!r} is not a locale", f"did you mean `{slip}`?" if slip else "write locale: en"
        )
    return value


def _money(value: Any) -> Any:
    if isinstance(value, float):
        return repr(value)  # the digits that were typed, not their binary neighbours
    if isinstance(value, bool) or not isinstance(value, int | str | Decimal):
        raise mistake("should be an amount of money, such as 0.27")
    return value


def _env_name(value: str) -> str:
    if _ENV_NAME.fullmatch(value) is None:
        name = value.partition("=")[0].strip()  # what follows may be a key: it is not repeated
        hint = f"write only {name}" if _ENV_NAME.fullmatch(name) else "such as ANTHROPIC_API_KEY"
        raise mistake("should be the name of an environment variable", hint)
    return value


def _argv(value: Any) -> Any:
    if isinstance(value, str):
        raise mistake("should be a list, one part of the command each", f"write {_as_list(value)}")
    return value


def _as_list(line: str) -> str:
    try:
        parts = shlex.split(line)
    except ValueError:  # a quote that is not closed
        parts = line.split()
    quoted = ", ".join(json.dumps(part, ensure_ascii=False) for part in parts or ["my-model"])
    return f"[{quoted}]"


def _runnable(value: tuple[str, ...]) -> tuple[str, ...]:
    if not value or not value[0].strip():
        raise mistake("should begin with a program", 'write ["my-model"], or leave it out')
    if value[0].startswith("~") or ("/" in value[0] and not value[0].startswith("/")):
        raise mistake(
            "should begin with a name on the PATH or a whole path: it runs in a folder of its own",
            f'write ["/…/{PurePath(value[0]).name}"]',
        )
    if any("\0" in part for part in value):
        raise mistake("should not hold a NUL character")
    return value


Text = StrictStr
Switch = StrictBool
Count = Annotated[StrictInt, Field(ge=1)]
CountOrZero = Annotated[StrictInt, Field(ge=0)]
# Ten years at most: what is longer was a slip, and would leave the calendar.
Minutes = Annotated[StrictInt, Field(ge=0, le=5_256_000)]
Hours = Annotated[StrictInt, Field(ge=0, le=87_600)]
Days = Annotated[StrictInt, Field(ge=0, le=3_650)]
Elapsed = Annotated[float, Field(strict=True, gt=0, le=10_080, allow_inf_nan=False)]
TimeOfDay = Annotated[
    Text,
    BeforeValidator(_time_of_day, json_schema_input_type=str),
    Field(json_schema_extra={"pattern": r"^[0-9]{1,2}:[0-9]{2}$"}),
]
ZoneName = Annotated[Text, AfterValidator(_zone_name)]
Locale = Annotated[Text, AfterValidator(_locale)]
Money = Annotated[Decimal, Field(ge=0, allow_inf_nan=False), BeforeValidator(_money)]
EnvName = Annotated[Text, AfterValidator(_env_name)]
Argv = Annotated[tuple[Text, ...], BeforeValidator(_argv), AfterValidator(_runnable)]
