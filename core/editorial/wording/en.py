"""The words of an English garden."""

from __future__ import annotations

from memgardend.core.editorial.wording.locale_words import Bucket, LocaleWords, Reask

ENGLISH = LocaleWords(
    locale="en",
    language="English",
    buckets={
        Bucket.WORK: "Work",
        Bucket.GROWTH: "Goals & growth",
        Bucket.FAMILY: "Family",
        Bucket.FRIENDS: "Friends",
        Bucket.PETS: "Pets",
        Bucket.BOND: "Our relationship",
        Bucket.FEELINGS: "Feelings & comfort",
        Bucket.PREFERENCES: "Preferences & boundaries",
        Bucket.PERSONALITY: "Personality & values",
        Bucket.HEALTH: "Health",
        Bucket.INTERESTS: "Interests",
        Bucket.MONEY: "Money",
        Bucket.FOOD: "Food",
        Bucket.PLACES: "Places & travel",
    },
    short_forms={
        "goals": Bucket.GROWTH,
        "growth": Bucket.GROWTH,
        "relationship": Bucket.BOND,
        "feelings": Bucket.FEELINGS,
        "comfort": Bucket.FEELINGS,
        "preferences": Bucket.PREFERENCES,
        "boundaries": Bucket.PREFERENCES,
        "personality": Bucket.PERSONALITY,
        "values": Bucket.PERSONALITY,
        "hobbies": Bucket.INTERESTS,
        "places": Bucket.PLACES,
        "travel": Bucket.PLACES,
    },
    no_bucket="Uncategorized",
    separator=" / ",
    the_person="The person",
    the_assistant="The assistant",
    one_off="had hotpot yesterday",
    lasting="cannot eat spicy food: it gives her a stomach ache",
    partial_date="in May",
    own_words="Mei says the old kitchen should stay as it is",
    example_summary="Mei moved to Lisbon for the job at the aquarium",
    example_content=(
        "Mei moved to Lisbon in May with her dog Bruno, for the job at the aquarium. She rents two rooms "
        "in Graça and says she will stay at least three years."
    ),
    example_cues=("Lisbon", "move in May", "aquarium job", "Bruno", "Graça"),
    example_thread="moving to Lisbon",
    reasks={
        Reask.TRUNCATED: (
            "Your last reply broke off before it was complete. Reply again, shorter: fewer cards, shorter "
            "texts, the whole JSON object."
        ),
        Reask.FORMAT: (
            "Your last reply could not be read ({{problem}}). Reply again with the one JSON object and "
            'nothing else. Inside a text, write \\" for a quotation mark.'
        ),
        Reask.CONTENT: (
            "Your last reply held texts that cannot be kept: {{problem}}. Reply again with all cards. Every "
            "summary and every content must say what is true: no blanks to fill, no copied template, no ids, "
            "no JSON, no notes on what was replaced; a date is a whole date or null."
        ),
        Reask.TOO_MANY: (
            "Your last reply held {{found}} cards; at most {{allowed}} are kept. Choose the {{allowed}} that "
            "would be missed most, fold into them what belongs to the same matter, leave the rest out, and "
            "reply again with these alone."
        ),
        Reask.TARGETS: (
            "Your last reply named cards that are not in the list of existing cards, or none where one is "
            "needed ({{problem}}). Reply again with all cards. `merge` and `supersede` take a `target_id` "
            "from that list, exactly as it stands there; where none fits, use `add`."
        ),
        Reask.FEEDBACK: (
            "Your last reply was read by the application and sent back: {{problem}}. Reply again with all "
            "cards, mended."
        ),
        Reask.DREAM_CONTENT: (
            "Your last reply held texts that cannot be kept: {{problem}}. Reply again with all entries of "
            "`consolidations`. Every summary and every content must say what is true: no blanks to fill, no "
            "copied template, no ids, no JSON, no notes on what was merged or replaced."
        ),
        Reask.DREAM_TARGETS: (
            "No entry of your last reply can be followed: each names cards that are not shown, not shown whole, "
            "or already named by another entry. Reply again, with ids exactly as they stand in the headings of "
            "cards that are shown whole, each in one entry only; where no card needs it, with an empty list."
        ),
    },
)
