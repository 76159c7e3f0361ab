"""The page on `memgardend serve`, written from the service itself."""

from __future__ import annotations

import json
from typing import Any

from memgardend.daemon.serve.about import schema_document
from memgardend.daemon.serve.lines import MAX_LINE_BYTES
from memgardend.daemon.serve.service import METHODS
from memgardend.daemon.serve.sessions import CAPACITY, IDLE_SECONDS

TOP = f"""\
# memgardend serve

The [library](../library.md) for programs in any language: one JSON object a line on stdin, one answer a
line on stdout, in order. What is said on stderr is for people. The service ends when its input does.

```text
$ memgardend serve --storage sqlite:///memory.db --model-cmd "llm -m gpt-4o"
{{"id": 1, "method": "records.write", "params": {{"scope": {{"tenant": "t", "owner": "mei"}}, "text": "Tea."}}}}
{{"id": 1, "ok": true, "result": {{"written": true, "record_ids": ["…"], …}}}}
{{"id": 2, "method": "records.search", "params": {{"scope": {{"tenant": "t", "owner": "mei"}}, "query": ""}}}}
{{"id": 2, "ok": false, "error": {{"code": "query_required", "message": "the query is blank", "field": "query"}}}}
```

`id` is a text or a number and comes back; `params` may be left out where a method has none. A parameter
that is not listed here is refused, and so is a wrong type. No line ends the service: what is no JSON in
UTF-8 is `invalid_json`, and so is a line of more than {MAX_LINE_BYTES // 1024 // 1024} MiB.
`memgardend serve --schema`, or `schema.get`, prints all of this as JSON schemas.

`scope` says whose memories a request is about: `tenant` and `owner`, the open `mounts` (none named:
`agent-private` alone), and the `actor` (`user_id`, `agent_id`, `session_id`) who signs what is written,
whatever a card says itself. It is the program's to say, never a model's. A card in a mount that is not open
is as good as missing.

Who has a model of their own calls `….begin`, asks it the `next_prompt`, and calls `….feed` with its reply,
until `status` is `completed`; then `result` is the receipt. A session waits {IDLE_SECONDS // 60} minutes
for a reply, {CAPACITY} may wait at once, and none outlives the process: a judgement writes nothing before
its last reply, so begin it anew. With an `idempotency_key` a request that is known is not judged again.

## Methods
"""


def serve_page() -> str:
    """Every method with its parameters, and every error code."""
    document = schema_document(METHODS.values())
    parts = [TOP]
    parts += [_method(name, one) for name, one in document["methods"].items()]
    codes = [f"| `{code}` | {meaning} |" for code, meaning in document["errors"].items()]
    intro = "`error` has `code` and `message`, and where it helps `field` (a parameter) or `detail` (a word)."
    parts.append("\n".join(["## Errors\n", f"{intro}\n", "| code | means |", "|---|---|", *codes]))
    return "\n".join(parts) + "\n"


def _method(name: str, one: dict[str, Any]) -> str:
    schema = one["params"]
    required = schema.get("required", ())
    rows = [
        f"| `{field}` | {_type(said)} | {_default(field, said, required)} | {said.get('description', '')} |"
        for field, said in schema.get("properties", {}).items()
    ]
    table = ["| parameter | type | default | |", "|---|---|---|---|", *rows, ""] if rows else []
    returns = ", ".join(f"`{field}`" for field in one["returns"])
    return "\n".join([f"### {name}\n", f"{one['description']}\n", *table, f"Returns {returns}.\n"])


def _type(said: dict[str, Any]) -> str:
    if "anyOf" in said:
        return " or ".join(_type(one) for one in said["anyOf"])
    if "enum" in said:
        return "one of " + ", ".join(f"`{word}`" for word in said["enum"])
    if "$ref" in said:
        name = said["$ref"].rpartition("/")[2]
        return {"ScopeParams": "scope", "PolicyName": "policy", "SectionParams": "section"}[name]
    if said.get("type") == "array":
        return f"list of {_type(said.get('items', {}))}"
    return str(said.get("type", "value"))


def _default(field: str, said: dict[str, Any], required: list[str]) -> str:
    if field in required:
        return "required"
    return f"`{json.dumps(said['default'])}`" if "default" in said else ""
