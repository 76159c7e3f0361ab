"""The JSON that a capture asks for, with texts in it that no card may copy."""

from __future__ import annotations

_SUMMARY = "one line that a person can read by itself"
_CONTENT = "the full account: who, what, where, how much, and why as far as it was said"
_CUE = "words by which it will be looked for"

TEMPLATES = (_SUMMARY, _CONTENT, _CUE)

SHAPE = f"""\
{{"cards": [
  {{"action": "add", "target_id": null, "type": "fact",
   "summary": "<{_SUMMARY}>",
   "content": "<{_CONTENT}>",
   "retrieval_cues": ["<{_CUE}>"],
   "bucket": "<one bucket>", "threads": ["<thread>"],
   "importance": 0.5, "importance_level": 3, "pulse": 0.3}}
]}}"""
