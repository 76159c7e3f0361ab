"""What Chinese speakers say without meaning it to last: questions, conditions, hedges, hearsay, jokes."""

from __future__ import annotations

from memgardend.core.extract.patterns import any_of, words

_QUESTION = words(
    r"""[?]["'”」)]*\Z | (?:吗|么|没有)[。.!~]*\Z
    | 为什么|为何|怎么(?!都|也)|怎样|如何(?!都|也)|哪(?:个|些|里|儿|种|一|天|位|边)(?!都|也)
    | (?<!没)什么(?!都|也)|(?<!不管)(?<!无论)谁(?!都|也)|多少(?!都|也)|几(?:点|号|天|次|岁)
    | (?<!问我)(?:是不是|能不能|要不要|有没有|可不可以|会不会|行不行|好不好|对不对|该不该|需不需要|用不用)
    | 是否|能否|可否|难道|请问|来着"""
)
_WHATEVER = words(r"不管|无论|不论")
_UNREAL = words(
    r"""\A(?:那|但|但是|可是|不过)?[,\ ]?(?:假如|假设|假若|倘若|设想|想象|比如|比方说|哪怕|即使|就算
        |要不|不如|要么|但愿|希望)
    | 就好了 | 多好 | 才怪"""
)
_JOKE = words(
    r"(?:哈|呵|嘿|嘻|hia){2,} | 开(?:个|的|一?个)?玩笑|笑死|笑哭|狗头|2333* | \blol\b | [😂🤣😅😉😜🙃🐶]"
)
_SPEECH = r"""说(?!明|法|服|好|定|的|话|到)|讲(?!究|解|义|座)|觉得|认为|建议(?!是|:)|推荐|劝|主张|声称
        |吐槽|抱怨|告诉"""
_OTHERS = r"""他|她|它|有人|别人|人家|大家|老板|领导|同事|朋友|室友|同学|客户|用户|老师|导师|经理|文档
        |官方|网上|博客|书|文章
        |教程|玩家|群|论坛|医生|\w(?:总|哥|姐|工)"""
_HEARSAY = words(
    rf"""\A(?:教程|网上|视频|书|博客)(?:里|上|中) | 据说|听说|传言|据传|按.{{1,6}}的说法
    | (?:{_OTHERS})[^,。;我你]{{0,10}}?(?<!小)(?<!来)(?:{_SPEECH})
    | \A[^,。;:我你]{{1,10}}(?<![小来是如理再听])(?:说(?!明|法|服|好|定|的|话|到)|声称|吐槽|抱怨)"""
)
_HEARSAY_CHARS = 24
"""Later in a sentence such a verb only gives a source for what the person states."""
_HEDGE = words(
    r"""(?<!不)(?<!尽)可能(?!性)|也许|或许|大概|好像|似乎|估计|恐怕|说不定|没准
    | 不(?:太|是很|怎么)?(?:确定|清楚|知道|记得)(?!的|时|就|先)|没(?:想|考虑|弄|搞)(?:好|清楚)|还没定
        |没(?:有)?决定|犹豫|考虑|纠结|在想|琢磨
    | 我(?:觉得|猜|感觉|怀疑|估摸)|(?:应该|大约).*吧 | 看起来|看上去|算了|随便|再说[吧。!]*\Z | 试试
        |试一下|跑跑看|看看
    | 我记得|印象中|貌似"""
)


def is_unmeant(text: str) -> bool:
    """True for what the speaker does not assert."""
    if _QUESTION.search(text) and not _WHATEVER.search(text):
        return True
    if any_of((_UNREAL, _JOKE), text):
        return True
    hearsay = _HEARSAY.search(text)
    return hearsay is not None and hearsay.start() < _HEARSAY_CHARS


def is_hedged(text: str) -> bool:
    """True for what the speaker is not sure of."""
    return _HEDGE.search(text) is not None
