#!/usr/bin/env python3
"""Mount a garden in an agent: each call once, with a model that has made up its mind.

python examples/mount_in_ten_minutes.py
"""

import json

from memgardend import (
    CaptureRequest,
    GardenComponent,
    InMemoryStore,
    MaintenanceRequest,
    MountedGarden,
    Scope,
)


def my_model(prompt):
    """Takes a prompt, gives a reply. Whatever it raises becomes the error of a result."""
    if "consolidations" in prompt:
        return json.dumps({"consolidations": [], "questions_to_ask": ["What is the corgi called?"]})
    card = {
        "action": "add",
        "summary": "Mei has a corgi",
        "content": "Mei has had a corgi since the spring.",
    }
    return json.dumps({"cards": [card]})


def without_a_store(garden):
    """The component judges and writes nothing: what it says is for your store to do."""
    request = CaptureRequest(window="Mei: In spring I got a corgi.", locale="en", user_name="Mei")

    # capture: written, empty or failed, and never two of these. A failed text stays to be read.
    result = garden.capture(request)
    print(f"capture           {result.outcome}: {result.mutations[0].card['summary']}")

    # build_context: what comes to mind in this turn, of the cards that you let it see.
    cards = [{"id": "c1", **result.mutations[0].card}]
    context = garden.build_context("Who walks the corgi?", cards)
    print(f"build_context     {context.text}")

    # tools, invoke_tool: what a model may call. It never says whose memories it reaches.
    names = [tool.name for tool in garden.tools()]
    found = garden.invoke_tool("memory_search", {"query": "corgi"}, cards=cards)
    print(f"tools             {', '.join(names)}")
    print(f"invoke_tool       {found.text}")

    # run_maintenance: merge what belongs together, when there is something new.
    tidied = garden.run_maintenance(MaintenanceRequest(cards=cards, locale="en"))
    print(f"run_maintenance   {len(tidied.mutations)} merges, asks: {tidied.questions[0]}")


def with_your_own_loop(garden):
    """The same when you call the model yourself: over a queue, in a worker, by hand."""
    session = garden.capture_session(CaptureRequest(window="Mei: I got a corgi.", locale="en"))
    while session.next_prompt:
        session.feed(my_model(session.next_prompt))
    print(
        f"capture_session   {session.result.outcome} after {session.result.trace['model_calls']} call"
    )


def with_a_store(garden):
    """Mounted, it reads the store, judges, writes in one step, and gives a receipt."""
    scope = Scope(tenant_id="acme", memory_owner_id="mei", actor={"agent_id": "demo"})
    mounted = MountedGarden(garden, InMemoryStore(), scope)
    request = CaptureRequest(
        window="Mei: In spring I got a corgi.", locale="en", idempotency_key="turn-1"
    )
    first, again = mounted.capture(request), mounted.capture(request)
    same = first.record_ids == again.record_ids
    print(f"MountedGarden     written once: {same}, replayed: {again.trace['replayed']}")
    print(f"build_context     {mounted.build_context('the corgi').text}")


def main():
    garden = GardenComponent(model=my_model)
    without_a_store(garden)
    with_your_own_loop(garden)
    with_a_store(garden)


if __name__ == "__main__":
    main()
