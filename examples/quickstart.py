#!/usr/bin/env python3
"""Five steps, no network, no key: a policy, a prompt, its reply, a store, and cards of another shape.

python examples/quickstart.py
"""

import json
import tempfile
from pathlib import Path

from memgardend import (
    Chain,
    FieldMap,
    RelevanceStage,
    SqliteStore,
    build_capture_prompt,
    get_policy,
    parse_capture_cards,
    to_card,
)

WINDOW = """\
Mei: I do not eat spicy food, it gives me a stomach ache.
Assistant: Noted, nothing spicy."""


def my_model(prompt):
    """Yours goes here. This one has made up its mind."""
    card = {
        "action": "add",
        "type": "fact",
        "summary": "Mei eats nothing spicy",
        "content": "Mei does not eat spicy food, because it gives her a stomach ache.",
        "bucket": "Food",
        "importance": 0.6,
    }
    return json.dumps({"cards": [card]})


def main():
    # 1. A policy says how much is worth keeping: of a conversation little, of an archive all.
    policy = get_policy("conversation_capture")
    print(f"1 policy   {policy.name}: at most {policy.max_cards} cards")

    # 2. The library says what to ask. The locale has no default: it chooses the buckets.
    prompt = build_capture_prompt(window=WINDOW, locale="en", user_name="Mei")
    print(f"2 prompt   {len(prompt)} characters")

    # 3. You ask, the library reads. `error` is None, or says what to send back to the model.
    cards, error = parse_capture_cards(my_model(prompt), policy=policy.name)
    print(f"3 cards    {[card['summary'] for card in cards]}, error: {error}")

    with tempfile.TemporaryDirectory() as folder:
        # 4. Where cards are kept is yours to say. The same key is written once, however often it comes.
        store = SqliteStore(Path(folder) / "memory.db")
        for _ in range(2):
            rows = [{"op": "add", "card": card} for card in cards]
            store.apply("mei", rows, idempotency_key="turn-42")
        kept = store.load("mei").cards
        print(f"4 store    {len(kept)} card, id {kept[0]['id'][:8]}…")

        # 5. Cards of another shape are searched too. What is private is found by, and never shown.
        pages = FieldMap(
            summary_fields=("Name",), text_fields=("Name", "Notes"), private_fields=("Notes",)
        )
        page = {"id": "n1", "Name": "Getting a dog", "Notes": "It became a corgi."}
        everything = [*kept, to_card(page, pages)]
        found = Chain((RelevanceStage(limit=3),)).select(everything, "Which corgi?", limit=3)
        [hit] = [card for card in everything if card["id"] in found.card_ids]
        print(f"5 recall   {hit['summary']}")


if __name__ == "__main__":
    main()
