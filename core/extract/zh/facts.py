"""Chinese statements about how things are, specific enough to be looked up later."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memgardend.core.extract.patterns import words
from memgardend.core.extract.zh.vocabulary import ASKS, MOMENT, PASSING, STATES, VERBS
from memgardend.core.values import values

if TYPE_CHECKING:
    from memgardend.core.extract.language import Told

_FAMILY = r"""女儿|儿子|孩子|老公|老婆|妻子|丈夫|爱人|男朋友|女朋友|妈妈?|爸爸?|母亲|父亲|奶奶|爷爷
        |姐姐?|妹妹?|哥哥?|弟弟?|猫|狗"""
_NAMED = words(
    rf"""我(?:的名字)?(?:叫|姓)\w | 我(?:住)?在[^,。]{{2,12}}(?:上班|工作|读书|读研|念书|负责|做\w{{2}})
    | 我(?:住|老家|家)(?:在|是)\w{{2}} | (?:我(?:们)?(?:的)?|我家)?(?:{_FAMILY})(?:的)?(?:生日|叫
        |对.{{1,8}}过敏|今年)
    | 生日(?:是|在) | (?:服务器|机房|数据中心|办公室|总部|仓库|公司|学校)(?:在|位于)\w{{2}} | (?:负责人
        |接口人|联系人|组长|主管|leader|导师|老板|经理)(?:是|叫|换成) | (?:由|归)[^,。]{{1,8}}(?:负责|管|维护)
    | (?:截止|到期|交付|上线|发布)(?:日期|时间|日)?(?:是|为|在|到)?:?[^,。]{{0,4}}(?:\d
        |[一二三四五六七八九十])
    | 对[^,。]{{1,8}}过敏 | 我(?:有|是|患)?[^,。]{{0,6}}(?:高血压|糖尿病|哮喘|色盲|色弱|血压偏|近视)"""
)
# What is said of something that the sentence does not name, unless it says what it is not.
_SPEAKING = words(
    r"""\A(?:这|那|它|他|她|你|我(?!们|家|的|叫|住|组|司|女|儿|老|妈|爸|公|主|电|手机)
        |(?:现在|目前|已经)?(?:是|为|叫|改成|改为|换成|变成)(?![^,。]*,\ ?(?:而)?不是))"""
)
_PLAIN = words(
    rf"""\A(?!咱|有|没|还|刚|昨|目前|就|也|都|真|好|太|谢|不过|但|因为|所以|从
        |第)[^,。;:?]{{1,24}}?(?:{STATES})"""
)
_CHANGED = words(
    r"""(?:现在|已经|目前|以后|从.{1,20}|最终|最后|统一)[^,。]{0,8}(?:改成|改为|换成|换为|变成|改用|调到
        |涨到|降到|升到|是|叫|用|走|在)
    | (?:改成|改为|换成|换为|变成|改名|调到|涨到|降到|升到|改到|移到|搬到|迁到)[^,。]{1,24}了 | 不再是
        |不是[^,。]{1,24},\ ?(?:而)?是 | \A(?:应该)?是[^,。]{2,24},\ ?(?:而)?不是"""
)
_ASKS = words(rf"\A(?:{ASKS})")
_VERBS = words(rf"\A(?:{VERBS})")
_COPULA = words(
    r"\A[^,。;:?]{2,16}?(?:是|为|在(?!一)|叫|定在|位于|上限|默认|最多|最少|至少|保留|到期|截止|用|归)"
)
_MOMENT = words(rf"(?:{MOMENT})")
_PASSING = words(rf"(?:{PASSING})")
_NAME = words(r"[A-Za-z][\w+#.-]+ | [“「《][^”」》]+[”」》]")
_AMOUNT = words(
    r"""[零一二三四五六七八九十百千万两半]+(?:点|天|年|月|周|号|日|个|次|块|元|人|台|层|楼|倍|张|小时
        |分钟|秒|位|种|条|成|套|份)
    | (?:周|星期|礼拜)[一二三四五六日天]"""
)
_OURS = words(r"\A(?:我们|我家|我的|咱们|我组|本组|公司|团队)")
_WHY = words(r"只有|因为|由于|否则|不然|所以|只能|从不|不能|不支持|不允许|不兼容")


def is_fact(told: Told, bare: str) -> bool:
    """True for a plain statement with a value, a name or a reason in it; `bare` is the text without quotations."""
    if _MOMENT.search(bare) or _ASKS.match(bare):
        return False
    if _VERBS.match(bare) and not _COPULA.match(bare):
        return False
    if _NAMED.search(bare):
        return True
    if _SPEAKING.match(bare) or not (_PLAIN.match(bare) or _CHANGED.search(bare)):
        return False
    specific = bool(values(told.text)) or _AMOUNT.search(told.text) is not None
    if told.remembers or told.corrects or specific:
        return True
    if _PASSING.search(bare):
        return False
    return any(pattern.search(told.text) for pattern in (_NAME, _OURS, _WHY))
