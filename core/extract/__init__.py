"""The offline consolidator: rules instead of a language model. It keeps what a person said, word for word."""

from memgardend.core.extract.consolidate import consolidate
from memgardend.core.extract.request import BadRequestError, parse_request

__all__ = ["BadRequestError", "consolidate", "parse_request"]
