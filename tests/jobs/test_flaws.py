"""What is wrong with an answer is said to the model in the garden's language, and to the person in ours."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from memgardend.jobs.look import show_document
from memgardend.jobs.sweep import sweep
from support.conversation import say
from support.garden import QUIET_MS, START, Answer, ScriptedModel, make_garden, nothing


def at_the_second_ask(request: dict[str, Any]) -> Answer:
    return nothing(request) if request["problems"] else "我什么也没找到。"


def test_a_chinese_garden(tmp_path: Path) -> None:
    model = ScriptedModel(at_the_second_ask)
    garden = make_garden(tmp_path, yaml="locale: zh-Hans\n", model=model)
    say(garden.store, "mail", "以后都用简体中文回答我。", at=START - QUIET_MS)
    (dreamed,) = sweep(garden).dreams

    first, second = model.requests[:2]
    said = "里面读不出 JSON 对象。只用那一个 JSON 对象作答。"
    assert (first["locale"], first["problems"], second["problems"]) == ("zh-Hans", [], [said])
    assert "# 打理一座记忆园" in first["prompt"]
    assert (
        f"## 你上一次的答案用不了\n\n请针对上面的全部内容重新完整作答。上次的问题是：\n\n- {said}\n"
        in (second["prompt"])
    )
    shown = show_document(garden.store, dreamed.dream)["rounds"][0]
    assert shown["problems"] == ["no JSON object could be read in the answer"]
