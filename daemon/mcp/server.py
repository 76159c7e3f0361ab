"""The server: what `serving` can do, in the words of the protocol, by the official SDK."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

import anyio.to_thread
import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError

from memgardend.core.errors import MemgardendError
from memgardend.daemon.cli.version import installed
from memgardend.daemon.mcp.caller import Caller
from memgardend.daemon.mcp.serving import BLOCK, GUIDE, READING

if TYPE_CHECKING:
    from collections.abc import Callable

    from mcp.server.context import ServerRequestContext

    from memgardend.daemon.mcp.serving import Serving

    Context = ServerRequestContext[Any]

Result = TypeVar("Result")

MARKDOWN = "text/markdown"
_RESOURCES = {BLOCK: "mcp.block", GUIDE: "mcp.guide"}
_ABOUT = "about"


class _Handlers:
    """One request each. The store is read beside the loop, which goes on meanwhile."""

    def __init__(self, serving: Serving) -> None:
        self._serving = serving

    async def list_tools(
        self, context: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        tools = [
            types.Tool(
                name=one.name,
                description=one.description,
                input_schema=dict(one.parameters),
                annotations=_harm(one.name),
            )
            for one in await _beside(self._serving.definitions)
        ]
        return types.ListToolsResult(tools=tools)

    async def call_tool(
        self, context: Context, params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        """What went wrong is an answer that the model can read, too.

        A text alone: given a document besides, Claude Code and Codex show the model that one, without the words
        that frame what is remembered.
        """
        caller = Caller(_client_of(context), context.meta or {})
        asked = partial(self._serving.call, params.name, params.arguments or {}, caller)
        try:
            answer = await anyio.to_thread.run_sync(asked)
        except MemgardendError as error:
            return types.CallToolResult(content=[_text(_said(error))], is_error=True)
        return types.CallToolResult(content=[_text(answer.text)], is_error=not answer.ok)

    async def list_resources(
        self, context: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        texts = await _beside(self._serving.texts)
        found = [
            types.Resource(
                uri=uri,
                name=uri.rpartition("/")[2],
                description=texts.say(label),
                mime_type=MARKDOWN,
            )
            for uri, label in _RESOURCES.items()
        ]
        return types.ListResourcesResult(resources=found)

    async def read_resource(
        self, context: Context, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        text = await _beside(partial(self._serving.read, params.uri))
        content = types.TextResourceContents(uri=params.uri, mime_type=MARKDOWN, text=text)
        return types.ReadResourceResult(contents=[content])

    async def list_prompts(
        self, context: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListPromptsResult:
        texts = await _beside(self._serving.texts)
        about = types.PromptArgument(
            name=_ABOUT, description=texts.say("mcp.recall.about"), required=True
        )
        prompts = [
            types.Prompt(name="dream", description=texts.say("mcp.dream")),
            types.Prompt(name="recall", description=texts.say("mcp.recall"), arguments=[about]),
        ]
        return types.ListPromptsResult(prompts=prompts)

    async def get_prompt(
        self, context: Context, params: types.GetPromptRequestParams
    ) -> types.GetPromptResult:
        texts = await _beside(self._serving.texts)
        given = (params.arguments or {}).get(_ABOUT, "").strip()
        if params.name == "dream":
            said = texts.say("mcp.dream.ask")
        elif params.name == "recall" and given:
            said = texts.say("mcp.recall.ask", given=given)
        else:
            raise MCPError(types.INVALID_PARAMS, f"prompts: dream, and recall with `{_ABOUT}`")
        message = types.PromptMessage(role="user", content=_text(said))
        return types.GetPromptResult(messages=[message])


def _client_of(context: Context) -> str:
    """The name that the client gave, where it gave any."""
    told = context.session.client_params
    return told.client_info.name if told is not None else ""


def server_of(serving: Serving) -> Server[Any]:
    """The server of a workspace. Raises ConfigError for a broken prompt pack."""
    handlers = _Handlers(serving)
    return Server(
        "memgardend",
        version=installed(),
        instructions=serving.guide(),
        on_list_tools=handlers.list_tools,
        on_call_tool=handlers.call_tool,
        on_list_resources=handlers.list_resources,
        on_read_resource=handlers.read_resource,
        on_list_prompts=handlers.list_prompts,
        on_get_prompt=handlers.get_prompt,
    )


def server_of_nothing(why: str) -> Server[Any]:
    """A server without tools, for clients that start it wherever a person works, and would show an error there."""
    return Server("memgardend", version=installed(), instructions=why, on_list_tools=_no_tools)


async def _no_tools(
    context: Context, params: types.PaginatedRequestParams | None
) -> types.ListToolsResult:
    return types.ListToolsResult(tools=[])


async def serve(server: Server[Any]) -> None:
    """Serve over stdin and stdout until the client closes them."""
    async with stdio_server() as (reading, writing):
        await server.run(reading, writing, server.create_initialization_options())


async def _beside(ask: Callable[[], Result]) -> Result:
    """Do it in a thread; what goes wrong becomes an error of the protocol."""
    try:
        return await anyio.to_thread.run_sync(ask)
    except MemgardendError as error:
        raise MCPError(types.INTERNAL_ERROR, _said(error)) from error


def _harm(tool: str) -> types.ToolAnnotations:
    """What a tool may do to the world. A client that is not told has to ask the person before each call.

    Nothing is destroyed: of whatever changes, the version before stays.
    """
    return types.ToolAnnotations(
        read_only_hint=tool in READING, destructive_hint=False, open_world_hint=False
    )


def _said(error: MemgardendError) -> str:
    return f"{error}; try: {error.hint}" if error.hint else str(error)


def _text(text: str) -> types.TextContent:
    return types.TextContent(type="text", text=text)
