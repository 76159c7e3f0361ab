"""The server, asked by the client of the official SDK."""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, cast

import anyio
import mcp_types as types
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.shared.exceptions import MCPError

from memgardend.config.load import load
from memgardend.core.tools.parameters import ToolName
from memgardend.daemon.garden import Workspace, look
from memgardend.daemon.mcp.caller import Caller
from memgardend.daemon.mcp.server import server_of
from memgardend.daemon.mcp.serving import BLOCK, GUIDE, Serving
from support.commandline import COMMAND, CommandLine
from support.hooks import ask
from support.knowing import FACT, PORT, RULE, knowing

Talking = Callable[[Client], Awaitable[Any]]

DAY = "The release train leaves each Tuesday."


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> CommandLine:
    """A registered workspace that remembers a rule and a fact."""
    return knowing(tmp_path_factory.mktemp("served"))


@pytest.fixture
def serving(made: CommandLine, monkeypatch: pytest.MonkeyPatch) -> Serving:
    """Its server's inside, in this process."""
    for name, value in made.environment().items():
        monkeypatch.setenv(name, value)
    root = made.workspace
    return Serving(Workspace(root, load(root / "memgarden.yaml"), named=False), "mcp:w1")


def asked(serving: Serving, talking: Talking) -> Any:
    """What a client gets to know in one connection."""

    async def talk() -> Any:
        async with Client(server_of(serving)) as client:
            return await talking(client)

    return anyio.run(talk)


def refused(serving: Serving, ask: Talking) -> str:
    """What a client is told that asks for what there is not."""

    async def fail(client: Client) -> str:
        with pytest.raises(MCPError) as caught:
            await ask(client)
        return str(caught.value)

    return str(asked(serving, fail))


def call(serving: Serving, name: str, **arguments: Any) -> types.CallToolResult:
    """One call of a tool."""
    answer = asked(serving, lambda client: client.call_tool(name, arguments))
    assert isinstance(answer, types.CallToolResult)
    return answer


def text_of(answer: types.CallToolResult) -> str:
    """The text for the model."""
    (content,) = answer.content
    assert isinstance(content, types.TextContent)
    return content.text


def stored(command: CommandLine, content: str) -> Any:
    """The one memory of this content."""
    memories = command.ok("memories", "--json").json()["memories"]
    (found,) = (one for one in memories if one["content"] == content)
    return found


def test_the_seven_tools_are_there_and_each_takes_a_window(serving: Serving) -> None:
    listed = asked(serving, lambda client: client.list_tools()).tools
    assert {one.name for one in listed} == set(map(str, ToolName))
    for one in listed:
        assert one.description
        assert one.input_schema["properties"]["window"]["type"] == "string"
        assert "window" not in one.input_schema["required"]


def test_the_guide_is_the_instructions_and_a_resource(serving: Serving) -> None:
    async def ask(client: Client) -> tuple[str | None, Any]:
        return client.instructions, await client.read_resource(GUIDE)

    instructions, read = asked(serving, ask)
    assert "memory_search" in (instructions or "")
    assert read.contents[0].text == instructions


def test_the_block_can_be_read_again_and_again(serving: Serving) -> None:
    listed = asked(serving, lambda client: client.list_resources()).resources
    assert {one.uri for one in listed} == {BLOCK, GUIDE}
    for _ in range(2):
        read = asked(serving, lambda client: client.read_resource(BLOCK))
        assert RULE in read.contents[0].text
    other = refused(serving, lambda client: client.read_resource("memgardend://other"))
    assert other == f"there is no memgardend://other; try: {BLOCK} or {GUIDE}"


def test_what_is_remembered_is_found_and_its_history_names_the_server(
    made: CommandLine, serving: Serving
) -> None:
    kept = call(
        serving,
        "memory_remember",
        content=DAY,
        project="global",
        keywords="release, train, Tuesday",
        importance="3",
    )
    assert not kept.is_error
    assert DAY in text_of(kept)
    found = call(serving, "memory_search", query="release train", content_chars=0)
    assert "> release, train, Tuesday" in text_of(found)
    history = made.ok("why", stored(made, DAY)["id"], "--json").json()["history"]
    assert history[0]["actor"] == "mcp"


def test_the_text_is_all_that_a_client_gets_to_show(serving: Serving) -> None:
    for answer in (call(serving, "memory_search", query="billing port"), call(serving, "nothing")):
        assert text_of(answer)
        assert answer.structured_content is None


def test_a_client_knows_that_it_need_not_ask_the_person(serving: Serving) -> None:
    told = {
        one.name: one.annotations
        for one in asked(serving, lambda client: client.list_tools()).tools
    }
    reading = {name for name, one in told.items() if one.read_only_hint}
    assert reading == {"memory_search", "memory_project", "memory_find_similar", "memory_read"}
    assert {(one.destructive_hint, one.open_world_hint) for one in told.values()} == {
        (False, False)
    }


def test_a_wrong_call_is_one_telling_error(serving: Serving) -> None:
    answer = call(serving, "memory_remember", content="x")
    assert answer.is_error
    assert "`project` is missing" in text_of(answer)
    assert call(serving, "memory_forget").is_error


def test_a_call_speaks_for_the_conversation_that_it_names(
    made: CommandLine, serving: Serving
) -> None:
    def told(session: str) -> str:
        return ask("UserPromptSubmit", session, made.workspace, prompt=PORT)

    for session in ("named", "other"):
        assert RULE in told(session)
    call(serving, "memory_search", query="billing port", window="claude-code:named")
    assert told("named") == "", "it was shown there by the search"
    assert FACT in told("other")


CODEX, CLAUDE = "codex-mcp-client", "claude-code"
SESSION = "CLAUDE_CODE_SESSION_ID"
SPEAKERS: dict[str, tuple[str, dict[str, Any], str | None, str | None, bool, str]] = {
    "nobody says": ("other", {}, None, None, False, "mcp:w1"),
    "the model says": ("other", {}, None, "claude-code:m", False, "claude-code:m"),
    "codex says": (CODEX, {"threadId": "t"}, None, None, False, "codex:t"),
    "codex says, and knows better": (CODEX, {"threadId": "t"}, None, "codex:m", False, "codex:t"),
    "codex says no id": (CODEX, {"threadId": "\n"}, None, "codex:m", False, "codex:m"),
    "codex in a shell of claude": (CODEX, {}, "s", None, False, "mcp:w1"),
    "another calls threads so": ("other", {"threadId": "t"}, None, None, False, "mcp:w1"),
    "claude started it": (CLAUDE, {}, "s", None, False, "claude-code:s"),
    "claude was cleared": (CLAUDE, {}, "s", "claude-code:m", False, "claude-code:m"),
    "a person named it": (CLAUDE, {}, "s", None, True, "mcp:w1"),
    "an old claude": (CLAUDE, {}, None, None, False, "mcp:w1"),
}


@pytest.mark.parametrize(
    ("client", "meta", "session", "named", "pinned", "window"),
    SPEAKERS.values(),
    ids=SPEAKERS.keys(),
)
def test_who_calls_is_told_by_whoever_knows_best(
    serving: Serving,
    monkeypatch: pytest.MonkeyPatch,
    client: str,
    meta: dict[str, Any],
    session: str | None,
    named: str | None,
    pinned: bool,
    window: str,
) -> None:
    monkeypatch.delenv(SESSION, raising=False)
    if session is not None:
        monkeypatch.setenv(SESSION, session)
    arguments = {"query": "billing port"} | ({"window": named} if named else {})

    async def talk() -> None:
        server = server_of(replace(serving, pinned=pinned))
        info = types.Implementation(name=client, version="1")
        async with Client(server, client_info=info) as caller:
            told = cast("types.RequestParamsMeta", meta)
            await caller.call_tool("memory_search", arguments, meta=told)

    before = searches(serving)
    anyio.run(talk)
    assert searches(serving) - before == Counter([window])


def searches(serving: Serving) -> Counter[str]:
    """How often each window has asked."""
    store, _ = look(serving.workspace, os.environ)
    found = Counter(one.window for one in store.recalls() if one.record["mode"] == "search")
    store.close()
    return found


def test_a_conversation_that_is_nowhere_proves_nothing(made: CommandLine, serving: Serving) -> None:
    """Else a model could name any, and be believed."""
    (made.home / ".claude" / "projects").mkdir(parents=True, exist_ok=True)
    told = {"project": "global", "keywords": ["reply"], "importance": 3, "layer": "rules"}
    for content, window, origin in (
        ("Reply with one word only.", "claude-code:nowhere", "mcp:unheard"),
        ("Reply in two words at least.", "elsewhere:nowhere", "mcp"),
        ("Reply to all questions in Welsh.", None, "mcp"),
    ):
        named = {"window": window} if window else {}
        call(serving, "memory_remember", content=content, **told, **named)
        assert stored(made, content)["origin"] == origin


@pytest.mark.parametrize(
    ("content", "caller", "window", "sources"),
    [
        ("Reply in rhymes.", Caller("codex-mcp-client", {"threadId": "new"}), None, None),
        ("Reply in capitals.", Caller(), "claude-code:nowhere", []),
    ],
    ids=["its program names it", "no transcript is read"],
)
def test_who_names_no_window_by_guess_is_believed(
    made: CommandLine,
    serving: Serving,
    content: str,
    caller: Caller,
    window: str | None,
    sources: list[Any] | None,
) -> None:
    for folder in (".codex/sessions", ".claude/projects"):
        (made.home / folder).mkdir(parents=True, exist_ok=True)
    config = serving.workspace.config.model_copy(update={"sources": sources})
    quiet = replace(serving, workspace=replace(serving.workspace, config=config))
    told = {"project": "global", "keywords": ["reply"], "importance": 3, "layer": "rules"}
    named = {"window": window} if window else {}
    assert quiet.call("memory_remember", {"content": content, **told, **named}, caller).ok
    assert stored(made, content)["origin"] == "mcp"


def test_what_was_just_said_is_read_before_something_is_remembered(
    made: CommandLine, serving: Serving
) -> None:
    def speak(session: str, text: str) -> str:
        said = {"type": "user", "uuid": session, "cwd": str(made.workspace), "sessionId": session}
        file = made.home / ".claude" / "projects" / "p" / f"{session}.jsonl"
        file.parent.mkdir(parents=True, exist_ok=True)
        line = {**said, "timestamp": made.now, "message": {"role": "user", "content": text}}
        file.write_text(json.dumps(line) + "\n", "utf-8")
        return f"claude-code:{session}"

    rule = "Write commit messages in the imperative mood."
    arguments = {"content": rule, "project": "global", "keywords": ["commit"], "importance": 3}
    other = speak("elsewhere", "Look at the weather, please.")
    for window, origin in (
        (speak("spoken", rule), "mcp"),
        (other, "mcp:unheard"),
    ):
        call(serving, "memory_remember", layer="rules", window=window, **arguments)
        memory = stored(made, str(arguments["content"]))
        proof = [one["quote"] for one in memory["evidence"]]
        assert (memory["origin"], proof) == (origin, [rule] if origin == "mcp" else [])
        arguments["content"] = "Write in Comic Sans."


def test_prompts_ask_for_a_dream_and_for_what_is_remembered(serving: Serving) -> None:
    async def ask(client: Client) -> Any:
        listed = await client.list_prompts()
        dream = await client.get_prompt("dream", {})
        recall = await client.get_prompt("recall", {"about": "the billing port"})
        return {one.name for one in listed.prompts}, dream, recall

    names, dream, recall = asked(serving, ask)
    assert names == {"dream", "recall"}
    assert "`memory_dream`" in dream.messages[0].content.text
    assert recall.messages[0].content.text.endswith("the billing port")
    for name in ("recall", "other"):
        said = refused(serving, partial(Client.get_prompt, name=name, arguments={}))
        assert said == "prompts: dream, and recall with `about`"


def over_pipes(command: CommandLine, talking: Talking, *arguments: str) -> Any:
    """What a client gets to know of the installed command."""
    server = StdioServerParameters(
        command=str(COMMAND),
        args=["mcp", *arguments],
        env=command.environment(),
        cwd=command.workspace,
    )

    async def talk() -> Any:
        async with Client(stdio_client(server, errlog=sys.stderr)) as client:
            return await talking(client)

    return anyio.run(talk)


def test_the_installed_command_serves_over_stdin_and_stdout(made: CommandLine) -> None:
    async def talk(client: Client) -> tuple[set[str], str]:
        listed = await client.list_tools()
        answer = await client.call_tool("memory_dream", {})
        return {one.name for one in listed.tools}, text_of(answer)

    names, dreamed = over_pipes(made, talk)
    assert names == set(map(str, ToolName))
    assert dreamed == (
        "Nothing of this conversation has been read yet, so there is nothing to dream."
    )


def test_where_nothing_is_registered_nothing_is_offered(tmp_path: Path) -> None:
    async def talk(client: Client) -> tuple[str | None, Any]:
        return client.instructions, await client.list_tools()

    command = CommandLine(tmp_path)
    command.workspace.mkdir()
    why, listed = over_pipes(command, talk)
    assert "no memgarden.yaml in" in why
    assert listed.tools == []
    named = command.run("mcp", "-w", str(command.workspace))
    assert (named.code, named.out) == (78, "")
