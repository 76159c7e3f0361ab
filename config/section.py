"""What all sections of memgarden.yaml have in common."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, model_validator


class Section(BaseModel):
    """Settings that belong together. A section named without settings says the defaults."""

    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)

    @model_validator(mode="before")
    @classmethod
    def _nothing_is_the_defaults(cls, value: Any) -> Any:
        return {} if value is None else value
