"""Keywords of a Chinese sentence: quoted terms, names in Latin letters, and what stands between linking words."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from typing import TYPE_CHECKING

from memgardend.core.extract.zh.spelling import simplified
from memgardend.core.stop_words import ENGLISH_STOP_WORDS

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_KEYWORDS = 13
MAX_WORD_CHARS = 6
"""A longer run without a linking word is none that anybody types; its pairs of characters are."""
_MIN_CHARS = 2

_QUOTED = re.compile(r"[“「『《\"`]([^“”「」『』《》\"`]{1,20})[”」』》\"`]")
_LATIN = re.compile(r"(?=\d*[A-Za-z]|\d{3})[A-Za-z0-9](?:[\w+#./:@-]*\w)?", re.ASCII)
_HAN = re.compile(r"[\u3400-\u9fff]+")
# They hold a linking character and link nothing.
_WORDS = """
用户名 用户 在线 上线 下线 对象 目的地 目的 为准 到期 有效期 有效 使用率 应用 通用 费用 信用
作用 是否 要求 需求 重要 主要 先生 对接 所有权 上限 下限 把手 都市 和平 有机 还款 归还 请求 申请
邀请 最大 最小 最新 将来 过期 过敏 过滤 说明 大家 每天 每周 每月 每年 用法 上海 上游 下游 里程碑
比例 对比 向量 方向 首先 不同 从属
"""
_LINKS = """
我们 你们 他们 咱们 自己 这个 那个 这些 那些 这里 那里 什么 怎么 因为 所以 由于 如果 但是 不过
而且 然后 以后 之后 之前 以前 现在 目前 如今 已经 以及 或者 还是 不是 而是 就是 只有 只能 可以
应该 必须 需要 不要 不能 不会 不用 没有 一定 一律 一般 一直 一下 一个 统一 监听 务必 改为 改成
改用 换成 变成 时候 的话 使用 记得 记住 回头
"""
_LINKING = (
    "的了是在我你他她它们就都也把被和与或及吗呢吧啊呀啦嘛这那从到用为对给让要先再还不没有别会能上里次每且而但很太"
    "最更只着过说叫将于向往以之其某各由跟比等放请一个"
)
_SPLIT = re.compile(f"({'|'.join(_WORDS.split())})|{'|'.join(_LINKS.split())}|[{_LINKING}]")


def keywords(text: str) -> tuple[str, ...]:
    """At most 13, the most frequent first, then quoted terms, names, and words in their order. Perhaps none."""
    text = unicodedata.normalize("NFKC", text)
    found = [*_QUOTED.findall(text), *filter(_names, _LATIN.findall(text))]
    found += [word for run in _HAN.findall(_QUOTED.sub(" ", text)) for word in _words(run)]
    counts = Counter(word.strip().casefold() for word in found if len(word.strip()) >= _MIN_CHARS)
    return tuple(word for word, _ in counts.most_common(MAX_KEYWORDS))


def _names(word: str) -> bool:
    """False for the `is` of an English sentence; IT and US are names."""
    return word.isupper() or word.casefold() not in ENGLISH_STOP_WORDS


def _words(run: str) -> Iterator[str]:
    """What stands between the linking words, in the spelling of the person."""
    at = 0
    plain = simplified(run)
    for link in _SPLIT.finditer(plain):
        yield from _typed(run[at : link.start()])
        yield from [run[link.start() : link.end()]] * bool(link[1])
        at = link.end()
    yield from _typed(run[at:])


def _typed(part: str) -> Iterator[str]:
    if len(part) <= MAX_WORD_CHARS:
        yield part
    else:
        yield from (part[at : at + 2] for at in range(len(part) - 1))
