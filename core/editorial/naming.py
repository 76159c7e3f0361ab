"""How a card calls the person: by name, or by nothing at all; never "the user"."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memgardend.core.editorial.wording.locale_words import LocaleWords

UNKNOWN_PERSON = "TA"
"""The mark for a person whose name nobody knows. It stands in no prompt and no card."""
_RESERVED = frozenset({"", "ta", "user", "the user", "用户"})

_ENGLISH_PREDICATES = """
wants? wanted likes? liked loves? loved prefers? preferred hates? hated dislikes? disliked enjoys? enjoyed
feels? felt thinks? thought believes? believed hopes? hoped plans? planned says? said told mentioned asked
lives? lived moved grew married bought owns? owned works? worked stud(?:y|ies|ied) dreams? dreamed
worr(?:y|ies|ied) fears? feared remembers? remembered miss(?:es|ed)? eats? ate drinks? drank cooks? cooked
sleeps? slept speaks? spoke plays? played travels? travell?ed adopted
"""
_ENGLISH_STATES = """
allergic afraid scared married engaged divorced pregnant born retired vegetarian vegan diabetic ill sick lonely
homesick
"""
_ENGLISH_NEAR = """
wife husband partner girlfriend boyfriend mother father mom mum dad parents sister brother son daughter
child children dog cat pet
"""
_ENGLISH_OWN = f"{_ENGLISH_NEAR} family friend friends name birthday home house boss job health"
_CHINESE_PREDICATES = """
喜欢 不喜欢 讨厌 爱 不爱 害怕 担心 希望 想要 想去 想念 觉得 认为 相信 打算 计划 偏好 习惯 享受 说 提到 表示 告诉
住在 搬到 搬家 养了 结婚 出生 买了 曾经 小时候 吃 喝 不吃 不喝 不能吃 生日 怀念 记得
"""
_CHINESE_NEAR = """
妻子 丈夫 老婆 老公 伴侣 女友 男友 妈妈 爸爸 母亲 父亲 父母 姐姐 妹妹 哥哥 弟弟 儿子 女儿 孩子 家人 朋友 狗 猫
"""
_CHINESE_OWN = f"{_CHINESE_NEAR} 名字 生日 家 老板 工作 健康"
_THIRD_PERSON = {"are": "is", "were": "was", "have": "has", "do": "does", "don't": "doesn't"}
_SAME_IN_ALL_PERSONS = frozenset(
    {"can", "cannot", "could", "may", "might", "must", "should", "will", "would", "had", "did"}
)


def _any_of(words: str) -> str:
    return "|".join(words.split())


_ENGLISH = re.compile(
    # A condition before it speaks of the users of a product: "when the user likes a post".
    r"(?P<before>(?<!\w)(?i:when|if|whenever|where|once|until|unless|after|before|each|every)\s+)?"
    r"(?P<the>\b[Tt]he\s+user|(?:^|(?<=[.!?]\s)|(?<=\n))User)(?P<own>['’]s\b)?"
    r"(?=\s+(?P<rest>[a-z][^.!?\n]{0,80}))"
)
_ENGLISH_VERB = re.compile(_any_of(_ENGLISH_PREDICATES))
_ENGLISH_NOUN = re.compile(rf"(?:{_any_of(_ENGLISH_OWN)})\b")
_ENGLISH_LIFE = re.compile(
    r"(?:(?:also|always|never|often|usually|mostly|still|really|now|just|recently|no longer|has|had|would"
    rf"|cannot|does not|did not|(?:doesn|didn|can)['’]t)\s+)*(?:{_any_of(_ENGLISH_PREDICATES)})\b"
    rf"|(?:is|was)\s+(?:not\s+)?(?:an?\s+)?(?:{_any_of(_ENGLISH_STATES)})\b"
    rf"|(?:has|had)\s+(?:an?|no|one|two|three|\d+)\s+(?:[a-z]+\s+)?(?:{_any_of(_ENGLISH_NEAR)})s?"
    r"(?=\W*$|[,;:]|\s+(?:who|named|called|and|with|in|at|from)\b)"
)
_CHINESE = re.compile(
    r"(?<![新老旧每个些名多少有对端])(?:该|这位)?用户"
    r"(?=(?:也|还|很|最|一直|已经|现在|特别|非常|从不|从来不|不再|经常|总是)?"
    rf"(?:{_any_of(_CHINESE_PREDICATES)})|的(?:{_any_of(_CHINESE_OWN)})"
    r"|在[^，。；\s]{1,8}(?:工作|生活|上学|长大)|是(?:素食|左撇子)|今年[^，。；\s]{1,4}岁|会(?:弹|唱|画|说[^，。；\s]?[语文话])"
    rf"|对[^，。；\s]{{1,8}}过敏|有[一两三几\d]+[只条个位名](?:{_any_of(_CHINESE_NEAR)}))"
)
_LEADING = re.compile(r"^\s*(?:TA|Ta|你|您)(?=\s+[a-z]|[一-鿿])")
_LEADING_YOU = re.compile(r"^\s*[Yy]ou\s+(?P<word>[a-z']+)")
_LEADING_PRONOUN = re.compile(r"^\s*(?:He|She|They|他|她)(?=\s+[a-z]|[一-鿿])")
_RESIDUE = re.compile(r"\b[Tt]he\s+user\b|用户|(?<![A-Za-z])TA(?![A-Za-z])")


def clean_name(name: str | None) -> str:
    """The name of the person, or UNKNOWN_PERSON for a blank one and for words that are no name."""
    said = " ".join((name or "").split())
    return UNKNOWN_PERSON if said.casefold() in _RESERVED else said


def is_known(name: str | None) -> bool:
    """True for a name that a card may use."""
    return clean_name(name) != UNKNOWN_PERSON


def speaker_label(role: str, *, words: LocaleWords, user_name: str = "", ai_name: str = "") -> str:
    """Who speaks in a transcript: a name or the locale's word for one, never the raw role."""
    if role.strip().casefold() in ("user", "human", "person"):
        return clean_name(user_name) if is_known(user_name) else words.the_person
    return " ".join(ai_name.split()) or words.the_assistant


def rewrite_user_reference(text: str, user_name: str = "", subject: str = "") -> str:
    """A card's text with `the user` replaced by the name, or by a neutral word where nobody knows one.

    Only where a personal predicate follows: `user growth is slow` and a product's users stay. With the subject
    `user` the text is about the person, and a leading TA or `you` is replaced too; `he` and `she` only by a name.
    """
    known = is_known(user_name)
    name = clean_name(user_name) if known else ""
    text = _ENGLISH.sub(lambda match: _english(match, name), text)
    text = _CHINESE.sub(lambda _: name or "对方", text)
    if subject != "user":
        return text
    leading = _LEADING_PRONOUN.sub(lambda _: name, text, count=1) if known else text
    neutral = "对方" if re.search(r"[一-鿿]", text) else "The person"
    told = _LEADING_YOU.sub(lambda match: _third_person(match, name or neutral), leading, count=1)
    return _LEADING.sub(lambda _: name or neutral, told, count=1)


def residual_references(text: str) -> int:
    """How often a text still calls somebody `the user` or TA; product talk counts too, so it only informs."""
    return len(_RESIDUE.findall(text))


def _english(match: re.Match[str], name: str) -> str:
    personal = _ENGLISH_NOUN if match["own"] else _ENGLISH_LIFE
    if match["before"] or not personal.match(match["rest"]):
        return match[0]
    person = name or ("the person" if match["the"][0] == "t" else "The person")
    return person + (match["own"] or "")


def _third_person(match: re.Match[str], person: str) -> str:
    """`You like` becomes `Mei likes`; where the form of the verb is not sure the text stays."""
    word = match["word"]
    if word in _THIRD_PERSON:
        return f"{person} {_THIRD_PERSON[word]}"
    if word in _SAME_IN_ALL_PERSONS:
        return f"{person} {word}"
    return f"{person} {word}s" if _ENGLISH_VERB.fullmatch(f"{word}s") else match[0]
