"""Prompt packs of a person's own: what they write is what the model reads."""

from __future__ import annotations

import json
from pathlib import Path

from support.commandline import CommandLine


def write(folder: Path, slot: str, text: str, locale: str = "en") -> None:
    file = folder / "prompts" / locale / f"{slot}.md"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, "utf-8")


def user_dir(command: CommandLine) -> Path:
    return command.home / "config" / "memgardend"


def test_an_override_reaches_the_model(command: CommandLine) -> None:
    heard = command.home / "heard"
    model = ["sh", "-c", f"cat >> '{heard}'; echo '{{\"operations\": []}}'"]
    command.configure(f"locale: en\nsources: []\nmodel: {{command: {json.dumps(model)}}}\n")
    write(user_dir(command), "opening", "The user's opening, for {{person}}.")
    write(user_dir(command), "closing", "The user's closing; data ended at {{fence}}.")
    write(command.workspace / ".memgarden", "opening", "The workspace's opening, for {{person}}.")
    command.ok("init", "--yes")
    command.push("mail", "I prefer tea to coffee.")
    command.ok("run", "--once")
    prompt = heard.read_text("utf-8")
    assert "The workspace's opening, for the person." in prompt
    assert "The user's closing; data ended at " in prompt
    assert "The user's opening" not in prompt
    assert "## The seven layers" in prompt

    write(command.workspace / ".memgarden", "opening", "Another opening.")
    command.push("note", "The port is 9090 now.")
    command.ok("run", "--once")
    assert "Another opening." in heard.read_text("utf-8").removeprefix(prompt)


def test_a_pack_of_ones_own_makes_a_locale_work(command: CommandLine) -> None:
    refused = command.run("init", "--locale", "fr")
    assert refused.code == 78
    assert "error: there is no prompt pack `fr`; there are en, zh-Hans\ntry: mkdir" in refused.err
    assert not (command.workspace / "memgarden.yaml").exists()

    built_in = Path(__file__).parents[2] / "config" / "prompts" / "en"
    for file in built_in.iterdir():
        write(user_dir(command), file.stem, file.read_text("utf-8"), "fr")
    write(user_dir(command), "opening", "# Entretenir la mémoire de {{person}}", "fr")
    command.ok("init", "--locale", "fr")
    command.push("mail", "I prefer tea to coffee.", "以后都用简体中文回答我。")
    (ran,) = command.ok("run", "--once", "--json").json()["dreams"]
    assert ran["ending"] == "applied"
    kept = {one["content"] for one in command.ok("memories", "--json").json()["memories"]}
    assert {"I prefer tea to coffee.", "以后都用简体中文回答我。"} <= kept

    (user_dir(command) / "prompts" / "fr" / "seal.md").unlink()
    command.push("note", "The port is 9090 now.")
    broken = command.run("run", "--once")
    assert (broken.code, broken.err.splitlines()[-2:]) == (
        78,
        ["error: the prompt pack `fr` lacks: seal", "try: memgardend config prompts --check"],
    )
    assert command.ok("status", "--json").json()["counts"]["due"] == 1


def test_a_chinese_garden_is_asked_in_chinese(command: CommandLine) -> None:
    heard = command.home / "heard"
    model = ["sh", "-c", f"cat >> '{heard}'; echo '{{\"operations\": []}}'"]
    command.configure(f"locale: zh-Hans\nsources: []\nmodel: {{command: {json.dumps(model)}}}\n")
    command.ok("init", "--yes")
    command.push("mail", "以后都用简体中文回答我。")
    command.ok("run", "--once")
    prompt = heard.read_text("utf-8")
    assert "# 打理一座记忆园" in prompt
    assert "· 真人：对方 ===\n以后都用简体中文回答我。\n" in prompt
