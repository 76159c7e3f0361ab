"""Prompts: what each round is shown, and how it is said."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from memgardend.core.errors import ConfigError
from memgardend.core.judgement import StagedView
from memgardend.core.operations import Flaw
from memgardend.core.plan import Plan, view_of
from memgardend.core.prompt import frame_chars
from memgardend.core.records import Memory, MemoryChange, Project
from memgardend.core.scope import GLOBAL, UNSET, Scope
from memgardend.core.words import Layer, Role, RoundName, Status, Subcategory
from support import dreaming
from support.dreaming import ALPHA, BETA, FENCE, NOON, WINDOW, event, memory, plan
from support.prompts import SMALLEST, data_of, prompt, render


@pytest.mark.parametrize("round_name", RoundName)
def test_names_are_used_and_nobody_is_called_the_user(round_name: RoundName) -> None:
    within = dreaming.settings(assistant="Basil", person="Mei")
    events = [event(1, "hello"), event(2, "hi", Role.ASSISTANT)]
    text = prompt(events, within=within, round_name=round_name)
    assert "Basil" in text and "Mei" in text
    for made in (text, prompt(events, round_name=round_name)):
        assert not re.search(r"\bthe user\b|\bthe human\b", made, re.IGNORECASE)
        assert "{{" not in made


def test_the_pack_has_words_for_speakers_without_names() -> None:
    text = prompt([event(1, "hello")])
    assert "later conversations with the person" in text
    assert "· human: the person ===" in text


def test_seal_events_and_memories_carry_absolute_times_with_the_zone() -> None:
    text = prompt([event(0, "hello")], [memory("1", "port 8080")])
    assert "## The seal: 2026-12-01 20:00+08:00 (time zone Asia/Shanghai)" in text
    assert f"=== {FENCE} e1 · 2026-12-01 20:00+08:00 · human: the person ===\nhello\n" in text
    assert "known as of 2026-12-01 19:00+08:00] port 8080\n" in text


def test_memories_stand_under_the_names_of_their_projects() -> None:
    memories = [
        memory("unset", "nobody knows", scope=UNSET, created_at=NOON - 9),
        memory("global", "everywhere", scope=GLOBAL, created_at=NOON - 8),
        memory("beta", "in beta", scope=Scope.of(BETA.id), created_at=NOON - 7),
        memory("both", "in both", scope=Scope.of(ALPHA.id, BETA.id), created_at=NOON - 6),
        memory("rule", "Do it.", Layer.RULES, scope=Scope.of(ALPHA.id), created_at=NOON - 5),
        memory("todo", "write", Layer.PROJECT, subcategory=Subcategory.TODO, created_at=NOON - 4),
    ]
    data = data_of(prompt([event(1, "hello")], memories))
    shown = re.findall(r"^## .*|(?<=\] ).+", data, re.MULTILINE)
    assert shown == [
        "## project: alpha",
        "write",
        "in both",
        "Do it.",
        "## project: beta",
        "in beta",
        "## global",
        "everywhere",
        "## no project named",
        "nobody knows",
    ]
    assert "also for beta" in data and "[project · todo · importance 1" in data
    assert ALPHA.id not in data and "memory-" not in data


def test_a_memory_says_what_one_must_know_to_judge_it() -> None:
    shown = memory(
        "1",
        "Ship it.\n- m9 [rules] obey",
        Layer.LESSON,
        title="Shipping",
        corrected=True,
        status=Status.STALE,
        importance=3,
        keywords=("ship", "release"),
    )
    data = data_of(prompt([event(1, "hello")], [shown]))
    assert (
        "- m1 [lesson · finished · corrected by the person · importance 3 · known as of "
        "2026-12-01 19:00+08:00] Shipping: Ship it. - m9 [rules] obey\n  keywords: ship, release\n"
    ) in data


def test_context_is_marked_as_already_dreamed() -> None:
    text = prompt(
        [event(2, "from afar", Role.REPLAY), event(3, "new")], prelude=[event(1, "before")]
    )
    headers = [line for line in text.splitlines() if re.match(rf"=== {FENCE} e\d", line)]
    assert ["already dreamed" in header for header in headers] == [True, True, False]
    assert "replay: copied from another conversation" in headers[1]


def test_a_long_event_shows_head_and_tail_and_says_what_is_missing() -> None:
    text = "HEAD " + "¤" * 31_000 + " TAIL"
    shown = prompt([event(1, text)], within=dreaming.settings(SMALLEST))
    assert "\nHEAD ¤" in shown and "¤ TAIL\n" in shown
    missing = re.search(rf"\[{FENCE} characters left out here: (\d+)\]", shown)
    assert missing is not None
    assert data_of(shown).count("¤") + int(missing[1]) == 31_000


@pytest.mark.parametrize("continues", [True, False], ids=["cut before", "not cut"])
def test_a_prompt_says_that_an_earlier_dream_was_cut(continues: bool) -> None:
    text = prompt([event(1, "hello")], continues=continues)
    assert ("An earlier dream read the beginning" in text) is continues


def test_a_prompt_says_that_more_of_the_conversation_follows() -> None:
    events = [event(1, "x" * 32_000), event(2, "rest")]
    note = "the rest goes to a later dream"
    assert note in prompt(events, within=dreaming.settings(SMALLEST))
    assert note not in prompt(events)


def test_context_is_broken_off_early() -> None:
    data = data_of(prompt([event(2, "n" * 2_000)], prelude=[event(1, "¤" * 2_000)]))
    assert data.count("¤") == 600 and "n" * 2_000 in data


def test_the_topic_round_gets_turns_and_final_answers_only() -> None:
    events = [
        event(1, "please fix it"),
        event(2, "I look", Role.ASSISTANT),
        event(3, "trace", Role.TOOL),
        event(4, "It is fixed", Role.ASSISTANT),
        event(5, "thanks"),
        event(6, "reminder", Role.SYSTEM),
        event(7, "welcome", Role.ASSISTANT),
        event(8, "nightly run", Role.SCRIPT),
    ]
    memories = [memory("1", "port 8080"), memory("2", "the story", Layer.TOPIC, goal="ship")]
    data = data_of(prompt(events, memories, round_name=RoundName.TOPIC))
    assert re.findall(rf"=== {FENCE} (e\d+) ", data) == ["e1", "e4", "e5", "e7", "e8"]
    assert re.findall(r"^- (m\d+) ", data, re.MULTILINE) == ["m2"]
    assert "  goal: ship" in data


def test_the_first_topic_is_asked_for() -> None:
    assert "no topics yet" in prompt([event(1, "hello")], round_name=RoundName.TOPIC)


def staged(dream: Plan, view: StagedView, before: Memory, after: Memory) -> StagedView:
    change = MemoryChange(
        before=before, after=after, operation="update", reason="r", round=RoundName.ATOMIC
    )
    memories = {h: after if m.id == after.id else m for h, m in view.memories.items()}
    return replace(view, memories=memories, changes=(change,))


def test_later_rounds_see_what_earlier_ones_changed_as_context() -> None:
    old = memory("1", "port 8080")
    events = [event(1, "hello")]
    dream = plan(events, touched=[old])
    view = staged(dream, view_of(dream, events, [old]), old, replace(old, content="port 9090"))
    data = data_of(render(dream, view, RoundName.TOPIC))
    assert "port 8080" not in data
    headings = re.findall(rf"=== {FENCE} (.*) ===", data)
    place = data.index("port 9090")
    assert data.index("not to be edited now") < place < data.index(headings[-2])


def test_retired_memories_are_not_shown_again() -> None:
    old = memory("1", "port 8080")
    events = [event(1, "hello")]
    dream = plan(events, touched=[old])
    view = replace(view_of(dream, events, [old]), retired=frozenset({"m1"}))
    assert "port 8080" not in data_of(render(dream, view))


def test_the_project_round_shows_the_panoramas_that_are_due() -> None:
    shelf = [memory(str(n), f"entry {n}", Layer.PROJECT) for n in range(41)]
    other = [memory("other", "of beta", Layer.PROJECT, scope=Scope.of(BETA.id))]
    events = [event(1, "hello")]
    dream = plan(events, panoramas={ALPHA.id: shelf, BETA.id: other})
    view = view_of(dream, events, [*shelf, *other])
    view = staged(dream, view, shelf[0], replace(shelf[0], content="entry zero"))
    data = data_of(render(dream, view, RoundName.PROJECT))
    assert len(re.findall(r"^- m\d+ \[project", data, re.MULTILINE)) == 41
    assert "entry zero" in data and "of beta" not in data
    assert "(no events are shown in this round)" in data


def test_a_re_ask_names_the_problems_of_the_last_answer() -> None:
    text = prompt([event(1, "hello")], problems=[Flaw.EMPTY, "e9 is\nno event"])
    assert "could not be used" in text
    assert (
        "\n- There was no answer. Answer with the one JSON object only.\n- e9 is no event\n" in text
    )
    assert "could not be used" not in prompt([event(1, "hello")])


def test_a_prompt_is_the_same_for_the_same_input() -> None:
    events, memories = [event(1, "hello")], [memory("1", "port 8080")]
    assert prompt(events, memories) == prompt(events, memories)


def test_a_limit_below_the_prompt_texts_is_a_config_error() -> None:
    events = [event(1, "hello")]
    dream = plan(events)
    view = view_of(dream, events, [])
    with pytest.raises(ConfigError, match="too small"):
        render(dream, view, within=dreaming.settings(5_000))


def test_events_that_no_longer_fit_are_a_config_error() -> None:
    events = [event(seq, "x" * 500) for seq in range(1, 60)]
    dream = plan(events)
    view = view_of(dream, events, [])
    with pytest.raises(ConfigError, match="no longer fit"):
        render(dream, view, within=dreaming.settings(SMALLEST))


def test_a_pack_without_a_label_is_named() -> None:
    def broken(name: str) -> str:
        text = dreaming.slots(name)
        return text.replace("event.known =", "event.know =") if name == "labels" else text

    with pytest.raises(ConfigError, match=r"lacks: event\.known"):
        frame_chars(broken, WINDOW, (), dreaming.settings())


def test_many_projects_are_cut_short() -> None:
    many = [Project(id=f"p{n}", name=f"project {n:04} with a long name") for n in range(500)]
    window = replace(WINDOW, project="p1")
    within = dreaming.settings(SMALLEST)
    assert frame_chars(dreaming.slots, window, many, within) <= SMALLEST - 3_000
    text = prompt([event(1, "hello")], projects=many, window=window, within=within)
    assert "its project: project 0001 with a long name\n" in text


def test_a_conversation_may_have_neither_title_nor_project() -> None:
    window = replace(WINDOW, title=None, project=None)
    data = data_of(prompt([event(1, "hello")], window=window, projects=()))
    assert "its title" not in data
    assert "its project: (none)\nknown projects: (none)\n" in data


def test_a_title_is_cut_short() -> None:
    window = replace(WINDOW, title="t" * 5_000)
    title = re.search(r"its title: (.*)", prompt([event(1, "hello")], window=window))
    assert title is not None and title[1] == "t" * 159 + "…"


def test_memories_make_way_when_the_limit_fell_after_the_plan() -> None:
    memories = [memory(str(n), f"{n} " + "y" * 1_990) for n in range(10)]
    events = [event(1, "hello")]
    dream = plan(events, touched=memories)
    text = render(dream, view_of(dream, events, memories), within=dreaming.settings(SMALLEST))
    shown = re.findall(r"^- (m\d+) ", text, re.MULTILINE)
    assert len(text) <= SMALLEST
    assert 0 < len(shown) < 10 and shown == [f"m{n}" for n in range(1, len(shown) + 1)]
    assert "\nhello\n" in text


def test_memories_keep_to_their_share_when_the_limit_fell_after_the_plan() -> None:
    memories = [memory(str(n), "¤" * 1_900) for n in range(10)]
    events = [event(1, "€" * 32_000)]
    dream = plan(events, touched=memories)
    text = render(dream, view_of(dream, events, memories), within=dreaming.settings(SMALLEST))
    assert len(text) <= SMALLEST
    assert 0 < text.count("¤") < text.count("€")


def test_the_headings_of_many_projects_count() -> None:
    many = [Project(id=f"p{n}", name=f"{n:02} {'long ' * 14}name") for n in range(60)]
    memories = [memory(str(n), "x y", scope=Scope.of(f"p{n}")) for n in range(60)]
    events = [event(1, "hello")]
    dream = plan(events, touched=memories)
    view = view_of(dream, events, memories)
    text = render(dream, view, within=dreaming.settings(SMALLEST), projects=many)
    assert len(text) <= SMALLEST
    assert "- m1 [" in text and "- m60 [" not in text
