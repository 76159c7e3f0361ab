"""Who reads, what the text is, and what is worth a card: for each policy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memgardend.core.editorial.policies import PolicyName

if TYPE_CHECKING:
    from collections.abc import Mapping

RESTRAINT = "When in doubt, leave it out: an empty list is a good answer."
"""The sentence that holds a model back, for hosts that quote it, or put another in its place."""

FRAMINGS: Mapping[PolicyName, str] = {
    PolicyName.CONVERSATION_CAPTURE: (
        "You are the editor of what {{assistant}} remembers of {{person}}. Below is a stretch of a conversation "
        "between the two that has come to rest. Decide what of it deserves a card. {{assistant}} will read that "
        "card months from now, without this conversation, and so may {{person}}. Most stretches deserve one "
        "card, or none."
    ),
    PolicyName.HISTORY_IMPORT: (
        "You are the editor of what {{assistant}} remembers of {{person}}. Below is old material that "
        "{{person}} brings along{{kind}}: it was written before, perhaps to somebody else, and it reaches you in "
        "pieces. Decide what of this piece still tells who {{person}} is, and write it as cards."
    ),
    PolicyName.CURATED_ARCHIVE: (
        "You file, for {{assistant}}, an archive that {{person}} made by hand{{kind}}. Somebody has already "
        "decided that each entry is worth keeping; that is not asked again. Your work is to turn the entries "
        "into cards that lose nothing and can be found."
    ),
}
"""{{kind}} is empty, or says what the material is."""

YARDSTICKS: Mapping[PolicyName, str] = {
    PolicyName.CONVERSATION_CAPTURE: """\
- Ask three questions of everything: Will it still matter in three months? Does it change how {{assistant}} sees {{person}}? Would {{person}} want it kept? A clear yes to one of them is enough. {{restraint}}
- What happened, and what it meant to {{person}}, weighs more than loose data. Fold small facts into the card of the matter that they belong to, instead of giving each a card of its own.
- Few cards, but full ones: each keeps every concrete detail of its matter, such as names, numbers, places, dates, conditions, and the wording of a promise.
- Leave out greetings and thanks, passing moods, jokes and make-believe, questions that stayed open, steps of a task that is done, general knowledge, and what {{assistant}} said that {{person}} did not take up.""",
    PolicyName.HISTORY_IMPORT: """\
- Keep what holds beyond its day: who {{person}} is and lives with, what they like, cannot bear, believe, are able to do, have decided, and what changed their life. Drop what happened once and left no trace: "{{one_off}}" is dropped, "{{lasting}}" is kept.
- One card for one matter, however often the material comes back to it. What changed over time is one card that says how it changed.
- Leave out pleasantries, passing moods, jokes, guesses, quoted or forwarded texts, and what an assistant said about {{person}} without their agreement. {{restraint}}""",
    PolicyName.CURATED_ARCHIVE: """\
- Keep everything. Leave out only blank entries, mere headings, and plain repetition of an entry or of an existing card.
- One entry, one card. Do not merge entries because they are alike; do not shorten, rank, explain or improve them. An entry that holds several matters becomes several cards, and together they say all that it said.
- Copy names, numbers and dates exactly as they stand. Where entries carry tags, use the tags as threads.""",
}

SPECIFICS = """\
- Keep what holds beyond its day, as "{{lasting}}", and keep the concrete facts of {{person}}'s own life too, even those that happened once: what they bought, where they went, whom they met, what they did. Even "{{one_off}}" is kept, with its date.
- One card for one matter, however often the material comes back to it. What changed over time is one card that says how it changed.
- Leave out pleasantries, passing moods, jokes, guesses, quoted or forwarded texts, and all that an assistant said."""
"""The yardstick of `history_import` with the switch that keeps specifics."""
