"""Texts that no memory is: placeholders, pieces of the protocol, reports on the memory itself."""

from __future__ import annotations

import re
import unicodedata

MIN_SUBSTANCE = 2
"""Letters or digits below which a text says nothing."""

_BRACKETED = re.compile(r"[\[<{【][^\[\]<>{}【】]*[\]>}】]")
_PLACEHOLDER_WORDS = """
tbd todo fixme n/a na none null nil undefined placeholder example summary content title goal bucket
thread threads string text keyword keywords value reason quote unknown empty
待定 无 暂无 占位 占位符 示例 例子 摘要 内容 标题 目标 文本 字符串 关键词 未知 空
"""
_PLACEHOLDERS = frozenset(_PLACEHOLDER_WORDS.split())
_PROTOCOL = re.compile(
    r'"(?:op|operations|evidence|keywords|layer|content|questions)"\s*:|^\s*```(?:json)?\s*[\[{]'
    r"|</?(?:think|thinking|thought|reasoning|system-reminder|tool_use|tool_result|function_calls)\b"
    r"|<\|[a-z_]{2,}\|>|\bmemgardend-own\b",
    re.IGNORECASE | re.MULTILINE,
)
_BOOKKEEPING = re.compile(
    r"\b(?:superseded|replaced|merged)\s+(?:by|into|with)\s+#?(?:[men]\d|[0-9a-f]{8})"
    r"|(?:已被|被)\s*[0-9a-f]{8,}"
    r"|\b(?:this|the)\s+(?:(?:old|older|previous|existing)\s+)?memory\s+(?:entry\s+)?"
    r"(?:was|has been|is)\s+(?:updated|archived|superseded|merged|consolidated)\b"
    r"|^\s*(?:updated|archived|superseded|merged|completed)\s+(?:the\s+)?(?:memory|memories|entry|entries)"
    r"(?=\s*(?:$|[.:,#(]|(?:about|on|of|with|to)\b|[men]\d))"
    r"|^\s*(?:已)?(?:更新|归档|合并|替换)(?:了)?(?:该|此|这条|旧)?记忆",
    re.IGNORECASE | re.MULTILINE,
)


def substance(text: str) -> int:
    """How many letters and digits of any script a text holds."""
    return sum(unicodedata.category(char)[0] in "LN" for char in text)


def is_placeholder(text: str) -> bool:
    """True for a field that stands for a text, and is none: brackets around all of it, or a bare word."""
    bare = text.strip()
    word = bare.strip(".…!?:;,。 ").casefold()
    return is_bracketed(text) or word in _PLACEHOLDERS or set(word) == {"x"}


def is_bracketed(text: str) -> bool:
    """True when one pair of square, angle or curly brackets is around all of a text: a blank to be filled."""
    return _BRACKETED.fullmatch(text.strip()) is not None


def holds_protocol(text: str) -> bool:
    """True when a piece of an answer's JSON, of reasoning or of a tool call stands in a text."""
    return _PROTOCOL.search(text) is not None


def is_bookkeeping(text: str) -> bool:
    """True when a text reports what became of memories, instead of what is true."""
    return _BOOKKEEPING.search(text) is not None
