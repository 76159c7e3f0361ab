"""Words that carry no subject. Negations are among them: `likeness` reads those on its own."""

from __future__ import annotations

from memgardend.core.fingerprint import fingerprint

_WORDS = """
a an the this that these those
i me my mine we us our ours you your yours he him his she her hers it its they them their theirs
myself yourself himself herself itself ourselves themselves
am is are was were be been being do does did doing done have has had having
can could may might must shall should will would
and or but nor so if then else than because while although though as
at by for from in into of off on onto out over to up with without within about after before between
through during under above below again
not no never neither
what which who whom whose when where why how
here there now just only too very also both each all any some such own same other
s t d ll ve re m don isn aren wasn weren doesn didn hasn haven hadn wouldn shouldn couldn mustn
"""

ENGLISH_STOP_WORDS = frozenset(_WORDS.split())
"""Function words and the fragments that an apostrophe leaves behind; our own list."""

STOP_WORDS_VERSION = fingerprint(_WORDS)

_GENERIC = """
go goes going gone went get gets getting got gotten make makes making made take takes taking took taken
give gives giving gave say says saying said tell tells telling told ask asks asking asked
know knows knew think thinks thought want wants wanted like likes liked need needs needed
use uses used using try tries tried keep keeps kept let lets see sees saw look looks looked
thing things something anything everything kind kinds type types sort name named called
much many lot please hello hi thanks thank ok okay yes
"""
ENGLISH_GENERIC_WORDS = frozenset(_GENERIC.split())
"""Words that questions are made of and that stand everywhere: in a query they count half."""

_FUNCTION_CHARACTERS = (
    "的了着吗呢吧啊呀嘛么是在有和与跟或我你您他她它们这那哪谁什怎何几多少不没也都就才还要会能可"
    "把被给让对为所以个些时候之于而且但如果请问想知道说过到去来做用"
)
CHINESE_FUNCTION_CHARACTERS = frozenset(_FUNCTION_CHARACTERS)
"""A pair of two of these in a query is grammar: who, what, how, whether."""

_PARTICLES = "的了着吗呢吧啊呀嘛么什谁哪怎"
CHINESE_PARTICLES = frozenset(_PARTICLES)
"""A pair with one of these in a query mostly spans the end of a word: it counts half, beside a known one 0."""

_GENERIC_PAIRS = """
记得 好像 看看 帮我 帮忙 帮想 之前 以前 现在 目前 后来 东西 事情 一下 一个 一些 应该 可以 需要 喜欢 告诉 觉得
关于 情况 问题 还有 还是 已经 或者 多久 来着 注意 打算 准备 是否 怎样 如何 有关 谢谢 你好 请帮 麻烦 能否
"""
CHINESE_GENERIC_PAIRS = frozenset(_GENERIC_PAIRS.split())
"""As ENGLISH_GENERIC_WORDS."""

QUESTION_WORDS_VERSION = fingerprint(_GENERIC, _FUNCTION_CHARACTERS, _PARTICLES, _GENERIC_PAIRS)
"""Of the lists that count in questions alone."""
