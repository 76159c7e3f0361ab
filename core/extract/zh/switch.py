"""Chinese sentences that name what held until now and what holds instead."""

from __future__ import annotations

from memgardend.core.extract.patterns import words

_NAME = r"[A-Za-z][\w+#.-]*(?:\ [A-Z][\w+#.-]*)*|[\u4e00-\u9fff]{1,8}?"
_OLD = rf"\ ?(?P<old>{_NAME})\ ?"
_NEW = r"\ ?(?P<new>[A-Za-z][\w+#.-]*(?:\ [A-Z][\w+#.-]*)*|[\u4e00-\u9fff]{1,8}?)(?=\ ?(?:了|上|[,。;!]|\Z))"
_INTO = r"(?:换|改|变|迁移?|切换?|转|搬|移)(?:成|到|为|用)了?"

SWITCHED = (
    words(rf"从{_OLD}(?:全部|整个|都|彻底)?{_INTO}{_NEW}"),
    words(rf"(?:把|将){_OLD}(?:全部|都)?{_INTO}{_NEW}"),
    words(
        rf"不(?:再)?(?:使?用|叫|是|走){_OLD}了?,\ ?(?:而是|现在|都|已经|统一)*"
        rf"(?:改?使?用|换成|改成|改叫|叫|是|走){_NEW}"
    ),
    words(
        rf"(?:改?用|换成|改成|是|叫){_NEW}(?:了)?,\ ?(?:而)?(?:不再|不)(?:使?用|是|叫){_OLD}了?\W*\Z"
    ),
    words(rf"用\ ?(?P<new>{_NAME})\ ?(?:代替|替代|取代|替换)了?{_OLD}(?:了)?\W*\Z"),
)
"""`old` no longer holds, `new` does."""

_ROLE = r"(?P<subject>[\w\ ]{0,12}?(?:负责人|接口人|联系人|对接人|组长|主管|导师|老板|经理|owner|leader))"
_WHO = r"\ ?(?P<new>[A-Za-z][\w.-]*|[\u4e00-\u9fff]{1,4}?)\ ?"
REASSIGNED = words(
    rf"\A{_ROLE}(?:现在|已经)?(?:换成|改成|变成|换为|改为|现在是|现在叫){_WHO}了?\W*\Z"
)
"""Somebody by name has a part that others had before."""

STATED = words(rf"\A{_ROLE}(?:现在|已经)?(?:是|叫|为|换成|改成|变成|换为|改为):?{_WHO}了?\W*\Z")
"""Who has a part."""

LINKING = words(
    r"""我们|咱们|换|改|变|迁移?|切换?|转|搬|移|成|到|为|使?用|是|叫|走|从|把|将|现在|目前|已经|如今|以后
    |不再|而是|不|代替|替代|取代|替换|选了?|采用|统一|全部|都|决定|一直|来|做|的|了"""
)
"""Words that say that something is used or changes, not what."""

REASON = words(r",?\ ?(?:因为|由于|这样|因此|所以).*\Z")
"""Why: what a sentence says besides."""
