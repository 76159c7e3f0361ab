"""The one hash that a hook needs, from Python's own module: `hashlib` asks OpenSSL, or brings all there are."""

from __future__ import annotations

from importlib import import_module
from sys import version_info

sha256 = import_module("_sha2" if version_info >= (3, 12) else "_sha256").sha256
