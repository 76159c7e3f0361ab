"""A model on 127.0.0.1 that speaks the protocols of both agents and records what it is asked.

It does as prompts say: a line `CALL <tool> {arguments}` is answered by one call of the tool whose name ends so, as
soon as there is one; all the rest by SAID.
"""

from __future__ import annotations

import json
import re
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

SAID = "That is noted."
_ASKED = re.compile(r"CALL (\w+) (\{.*\})")
_USAGE = {"input_tokens": 10, "output_tokens": 5}


class ModelStub(ThreadingHTTPServer):
    """Serves on a port of its own choice; `asked` holds all questions so far, in order."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.asked: list[dict[str, Any]] = []
        self.said = SAID
        self._news = threading.Condition()

    @property
    def url(self) -> str:
        """The base of its addresses."""
        return f"http://127.0.0.1:{self.server_port}"

    def note(self, body: dict[str, Any]) -> None:
        """Somebody asks this; without tools it is no conversation, but agents ask so for titles."""
        if not body.get("tools"):
            return
        with self._news:
            self.asked.append(body)
            self._news.notify_all()

    def wait_for(self, words: str, patience_s: float = 60) -> str:
        """All that the model has before it when it is asked these words last; waits until it is."""

        def found() -> str | None:
            texts = (texts_of(body) for body in reversed(self.asked))
            return next(("\n".join(one) for one in texts if words in last_said(one)), None)

        with self._news:
            text = self._news.wait_for(found, patience_s)
        if text is None:
            raise TimeoutError(f"nobody asked {words!r}")
        return text


def texts_of(body: dict[str, Any]) -> list[str]:
    """What each message of a question says, results of tools included."""
    messages = body.get("messages") or body["input"]
    return [_text(one.get("content", one.get("output"))) for one in messages]


def last_said(texts: list[str]) -> str:
    """The last three messages: what hooks and the agent add may stand behind what a person said."""
    return "\n".join(texts[-3:])


@contextmanager
def listening() -> Iterator[ModelStub]:
    """A stub that answers as long as the block lasts."""
    with ModelStub() as stub:
        threading.Thread(target=stub.serve_forever, daemon=True).start()
        try:
            yield stub
        finally:
            stub.shutdown()


class _Handler(BaseHTTPRequestHandler):
    server: ModelStub
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        match self.path.partition("?")[0].rpartition("/")[2]:
            case "messages":
                self.server.note(body)
                said = _message(body, self.server.said)
                self._answer(_streamed(said) if body.get("stream") else json.dumps(said))
            case "responses":
                self.server.note(body)
                self._answer(_responses(body, self.server.said))
            case _:
                self._answer("{}", status=404)

    def do_GET(self) -> None:
        self._answer("{}", status=404)

    def do_HEAD(self) -> None:
        self._answer("", status=404)

    def _answer(self, text: str, status: int = 200) -> None:
        self.send_response(status)
        streamed = text.startswith("event:")
        self.send_header("Content-Type", "text/event-stream" if streamed else "application/json")
        self.send_header("Content-Length", str(len(text.encode())))
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *_: object) -> None:
        """Quiet: the recorded questions say more."""


def _message(body: dict[str, Any], said: str) -> dict[str, Any]:
    """Anthropic's answer, https://docs.anthropic.com/en/api/messages."""
    messages = body["messages"]
    blocks = [block for one in messages if one["role"] == "assistant" for block in one["content"]]
    done = {block["name"] for block in blocks if block["type"] == "tool_use"}
    wanted = _wanted(_tools(body.get("tools", [])), _calls(messages), done)
    if wanted is None:
        block: dict[str, Any] = {"type": "text", "text": said}
    else:
        name, given = wanted
        block = {"type": "tool_use", "id": f"toolu_{id(body)}", **name, "input": json.loads(given)}
    return {
        "id": f"msg_{id(body)}",
        "type": "message",
        "role": "assistant",
        "model": body["model"],
        "content": [block],
        "stop_reason": "end_turn" if wanted is None else "tool_use",
        "stop_sequence": None,
        "usage": _USAGE,
    }


def _streamed(message: dict[str, Any]) -> str:
    block = message["content"][0]
    if block["type"] == "text":
        start, delta = {**block, "text": ""}, {"type": "text_delta", "text": block["text"]}
    else:
        start = {**block, "input": {}}
        delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
    stop = {"stop_reason": message["stop_reason"], "stop_sequence": None}
    return _events(
        {"type": "message_start", "message": {**message, "content": [], "stop_reason": None}},
        {"type": "content_block_start", "index": 0, "content_block": start},
        {"type": "content_block_delta", "index": 0, "delta": delta},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": stop, "usage": _USAGE},
        {"type": "message_stop"},
    )


def _responses(body: dict[str, Any], said: str) -> str:
    """OpenAI's answer, https://platform.openai.com/docs/api-reference/responses-streaming."""
    done = {one["name"] for one in body["input"] if one["type"] == "function_call"}
    wanted = _wanted(_tools(body["tools"]), _calls(body["input"]), done)
    if wanted is None:
        content = [{"type": "output_text", "text": said, "annotations": []}]
        item = {"type": "message", "id": f"msg_{id(body)}", "role": "assistant", "content": content}
    else:
        name, given = wanted
        call = {"type": "function_call", "id": f"fc_{id(body)}", "call_id": f"call_{id(body)}"}
        item = {**call, **name, "arguments": given}
    ended = {"id": "resp_1", "usage": {**_USAGE, "total_tokens": 15}}
    return _events(
        {"type": "response.created", "response": {"id": "resp_1"}},
        {"type": "response.output_item.done", "output_index": 0, "item": item},
        {"type": "response.completed", "response": ended},
    )


def _calls(messages: list[dict[str, Any]]) -> list[tuple[str, str]]:
    """All calls that prompts ask for, in order: the tool and its arguments."""
    prompts = [_text(one["content"]) for one in messages if one.get("role") == "user"]
    return _ASKED.findall("\n".join(prompts))


def _tools(tools: list[dict[str, Any]]) -> Iterator[dict[str, str]]:
    """What names each tool in a call. Codex puts those of servers into namespaces."""
    for tool in tools:
        if tool.get("type") == "namespace":
            yield from ({"namespace": tool["name"], **inner} for inner in _tools(tool["tools"]))
        elif "name" in tool:
            yield {"name": tool["name"]}


def _wanted(
    tools: Iterator[dict[str, str]], calls: list[tuple[str, str]], done: set[str]
) -> tuple[dict[str, str], str] | None:
    """The first call that is not done yet and can be: what names the tool, and the arguments."""
    there = [tool for tool in tools if tool["name"] not in done]
    for wanted, given in calls:
        for tool in there:
            if tool["name"].endswith(wanted):
                return tool, given
    return None


def _text(content: Any) -> str:
    """What a content says, given as a text or as blocks of one kind or another."""
    if isinstance(content, str):
        return content
    blocks = content or []
    return "\n".join(block.get("text") or _text(block.get("content")) for block in blocks)


def _events(*events: dict[str, Any]) -> str:
    return "".join(f"event: {one['type']}\ndata: {json.dumps(one)}\n\n" for one in events)
