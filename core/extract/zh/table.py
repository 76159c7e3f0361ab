"""The Chinese table: openers, what is done, and the order in which kinds are tried."""

from __future__ import annotations

import re

from memgardend.core.extract.language import Kind, Language, Told, Wording
from memgardend.core.extract.patterns import words
from memgardend.core.extract.zh.days import with_dates
from memgardend.core.extract.zh.facts import is_fact
from memgardend.core.extract.zh.keywords import keywords
from memgardend.core.extract.zh.lasting import blames, is_rule, is_todo, lasting_kind
from memgardend.core.extract.zh.noise import is_hedged, is_unmeant
from memgardend.core.extract.zh.spelling import simplified
from memgardend.core.extract.zh.switch import LINKING, REASON, REASSIGNED, STATED, SWITCHED
from memgardend.core.likeness import auto_keywords
from memgardend.core.tokens import cjk_characters, tokenize

_QUOTED = re.compile(r"\"[^\"]*\"|“[^”]*”|「[^」]*」|『[^』]*』|`[^`]*`")
_ONLY_QUOTED = re.compile(r"(?:\"[^\"]{6,}\"|“[^”]{6,}”|「[^」]{6,}」)")
_CONDITION = words(
    r"\A(?:那|但|但是|不过)?,?(?:如果|要是|万一|除非|一旦|只要|当|每当|遇到|碰到|若)"
)


def classify(told: Told) -> Kind | None:
    """What a sentence is worth keeping as; None for most."""
    if _ONLY_QUOTED.match(told.text):
        return None
    bare = _QUOTED.sub("“x”", told.text)
    if is_unmeant(bare):
        return None
    if is_todo(bare):
        return Kind.TODO
    if _CONDITION.match(bare):
        return Kind.RULE if is_rule(bare) else None
    if is_hedged(bare):
        return None
    kind = lasting_kind(bare)
    if kind is None and not blames(bare) and is_fact(told, bare):
        return Kind.FACT
    return kind


_DOING = words(
    r"""已经|都|全部|刚刚?|终于|总算|做|写|弄|改|打|搞定|搞|完成|完毕|完|好|掉|合并|合进|合入|发布|发出去
        |发|交|提交|上线|修复|修|换|处理|划|续"""
    "|(?:这|那)(?:件|个)?事情?|待办|提醒|记得|回头|还要|还|一下|可以|需要|[了的把要得我们得给去在用吧呢啦]"
)
"""What is said of doing, and the words that only link: a todo and its end share the rest."""


def _matter(text: str) -> frozenset[str]:
    plain = _DOING.sub(" ", simplified(text))
    latin = (token for token in tokenize(plain, "zh") if token.isascii())
    return frozenset([*latin, *cjk_characters(plain)])


_WRONG = r"不对|不是这样|错了|你错了|说错了|搞错了|弄错了|不"
_KEEP = r"记住|记一下|记下来?|帮我记一下|请注意|注意|切记|备注|划重点"

CHINESE = Language(
    locale="zh-Hans",
    plain=simplified,
    opener=words(
        rf"""(?:(?:嗯|哦|噢|啊|呃|额|唉|欸|诶|哎|喂|ok(?:ay)?)+|好(?:的|吧|了|滴|嘞)?|行|可以|对了?|没错
        |是的|那么?|然后|另外|还有|此外
        |顺(?:便|带)(?:说|提)?(?:一句|一下|一提)?|总之|反正|(?:再)?补充(?:一下|一点)?|谢谢(?:你|啦)?
        |辛苦了|不好意思|抱歉|麻烦了|拜托
        |{_WRONG}|不是|更正(?:一下)?|纠正(?:一下)?|其实|事实上|准确地?(?:说|讲)|(?:请
        |你)?(?:{_KEEP})|重要|提醒一下|提示|fyi|btw|hi|hello|ps
        |你好|早|早上好|首先|其次|最后|说明一下)
            (?:[,。.!:;~—…]|\ -\ )[,。.!:;~…—\ ]*
    | (?:另外|还有|对了)?(?:请)?(?:{_KEEP})(?!的|力)[,:\ ]* | (?:其实|事实上)\ *"""
    ),
    correcting=words(
        rf"""\A(?:{_WRONG}|不是)[,。!:;~\ ] | \A(?:其实|事实上|更正|纠正|准确)
    | \A不是[^,。]{{1,20}},\ ?(?:而)?是
    | 你(?:又)?(?:弄|搞|写|记|说|理解|算)(?:错|反|混)了?"""
    ),
    remembering=words(rf"(?:{_KEEP}|fyi|重要|别忘了)"),
    closer=words(
        r"[,。;~\ ]+(?:记住了?|别忘了|谢谢(?:你|啦)?|多谢|辛苦了?|拜托了?|麻烦了)[。!~]*\Z"
    ),
    classify=classify,
    done=words(
        r"""(?:已经?.{0,12}了|搞定|完成了|(?:做|写|弄|改|打|办|跑|测|补|配|迁移?|整理|算)(?:完|好)了?
        |(?:修|换|续|交|发|寄|付|买|订|签|装|删|关)(?:好|完|掉)?了
        |合并了|合[进入]了?|上线了|划掉)(?!.*(?:吗|没有|没)\W*\Z)"""
    ),
    matter=_matter,
    keywords=lambda text: keywords(text) or auto_keywords(text, "zh-Hans"),
    important=words(r"重要|关键|千万|绝对|无论如何|严禁|红线"),
    here=words(r"(?:这个|本|我们的?|当前)(?:项目|仓库|工程|代码库)"),
    about_person=words(
        r"""我(?:的)?(?:名字|叫|住|家|女儿|儿子|老公|老婆|妻子|丈夫|妈|爸|生日|在.{2,12}(?:工作|上班))
        |我(?:是|有|对)|生日"""
    ),
    switched=SWITCHED,
    reassigned=REASSIGNED,
    stated=STATED,
    linking=LINKING,
    reason=REASON,
    with_dates=with_dates,
    full_stop="。",
)

CHINESE_WORDING = Wording(
    repeated="本人又说了一遍。",
    changed="本人给出了更新的说法。",
    developed="对话有了新的进展。",
    done="本人说这件事已经做完。",
    duplicate="另有一条记忆说的是同一件事。",
    summary="离线整理（只用规则，不用语言模型）：从 {turns} 段本人发言中得出 {operations} 项操作。",
)
