"""Chinese: what makes a sentence worth keeping, and what makes it not.

The order is that of English; the words are those with which Chinese speakers mark what lasts: 一律 for rules,
喜欢 for tastes, 决定, 就用 for decisions, 待办, 提醒我 for todos, and plain statements with a value or a name.
Questions, conditions, hedges, hearsay, jokes and orders for this moment are left out first.
"""

from memgardend.core.extract.zh.table import CHINESE, CHINESE_WORDING

__all__ = ["CHINESE", "CHINESE_WORDING"]
