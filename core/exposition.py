"""The text format of Prometheus, version 0.0.4 (https://prometheus.io/docs/instrumenting/exposition_formats/)."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

Number = int | float | Decimal


@dataclass(frozen=True, slots=True)
class Sample:
    """One value of a metric, told from its siblings by its labels."""

    labels: Mapping[str, str]
    value: Number


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric with all its values. The name of a counter ends in `_total`."""

    name: str
    kind: Literal["gauge", "counter"]
    help: str
    samples: tuple[Sample, ...]


def exposition(metrics: Iterable[Metric]) -> str:
    """The page that a scraper reads. Metrics without a value are left out."""
    return "".join(_metric(one) for one in metrics if one.samples)


def _metric(metric: Metric) -> str:
    lines = [
        f"# HELP {metric.name} {_escaped(metric.help)}",
        f"# TYPE {metric.name} {metric.kind}",
    ]
    lines += [f"{metric.name}{_labels(one.labels)} {_number(one.value)}" for one in metric.samples]
    return "\n".join(lines) + "\n"


def _labels(labels: Mapping[str, str]) -> str:
    if not labels:
        return ""
    pairs = (f'{name}="{_escaped(text, quote=True)}"' for name, text in labels.items())
    return "{" + ",".join(pairs) + "}"


def _escaped(text: str, *, quote: bool = False) -> str:
    """A backslash, a line feed and, in a label, a quote would end the text."""
    text = text.replace("\\", "\\\\").replace("\n", "\\n")
    return text.replace('"', '\\"') if quote else text


def _number(value: Number) -> str:
    return format(value, "f") if isinstance(value, Decimal) else repr(value)
