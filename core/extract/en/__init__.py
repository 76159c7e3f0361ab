"""English: what makes a sentence worth keeping, and what makes it not.

The rules come from how English speakers mark what lasts: adverbs of always and never, verbs of liking, deciding
and owing, and plain statements that hold a value or a name. Questions, conditions, hedges, hearsay, jokes and
orders for this moment are left out first, because a wrong memory costs more than a missing one.
"""

from memgardend.core.extract.en.table import ENGLISH, ENGLISH_WORDING

__all__ = ["ENGLISH", "ENGLISH_WORDING"]
