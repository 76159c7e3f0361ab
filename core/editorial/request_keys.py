"""Request keys: what makes two calls the same request, so that it is written once."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from memgardend.core.editorial.applying import plain_json
from memgardend.core.editorial.mutations import mutation_to_dict

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from memgardend.core.editorial.mutations import Mutation


def request_key(idempotency_key: str) -> str:
    """The key of a request. Raises ValueError for a blank one."""
    if not idempotency_key.strip():
        raise ValueError("a write needs a request key")
    return idempotency_key


def batch_digest(
    mutations: Iterable[Mutation], state: Mapping[str, Any] | None, request_digest: str | None
) -> str:
    """What makes two calls with one key the same request: see rule 1 of `StoragePort.apply`.

    Raises MutationRejected when they are no JSON.
    """
    if request_digest is not None:
        return requested(request_digest)
    rows = [mutation_to_dict(one) for one in mutations]
    return f"batch:{hashlib.sha256(plain_json([rows, state], 'batch').encode()).hexdigest()}"


def requested(request_digest: str) -> str:
    """The digest to store for a request that brings its own."""
    return f"request:{request_digest}"
