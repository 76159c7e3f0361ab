"""All checks of the contract of `StoragePort`, by name."""

from __future__ import annotations

from support import storage_checks_cards, storage_checks_requests
from support.storage_contract import CHECKS

MODULES = (storage_checks_cards, storage_checks_requests)

__all__ = ["CHECKS", "MODULES"]
