"""Write the generated pages of docs/reference; with --check say whether they are fresh."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import typer.main
from library_page import library_page
from serve_page import serve_page
from tools_page import tools_page

from memgardend.config.settings import settings
from memgardend.daemon.cli.app import app

REFERENCE = Path(__file__).parent / "reference"
NOTE = "<!-- written by docs/generate.py; do not edit -->\n"


EXIT_CODES = """\
Every command that works on a workspace takes `-w DIR` (or `MEMGARDEND_WORKSPACE`) after its name. stdout is the
answer, stderr the rest. With `--json` the answer is one document ([fields](json.md)), and so is an error,
on stderr.

| exit code | means |
|---|---|
| 0 | fine |
| 1 | failed; or `status --exit-status` wants attention |
| 2 | wrong usage |
| 3 | no daemon runs (only `status --exit-status`) |
| 69 | the model command cannot be used |
| 75 | not now: a gate is shut, or another process holds it |
| 78 | configuration, trust, schema or corruption |
| 130 | interrupted |
"""


def cli_page() -> str:
    """Every command with its arguments and options."""
    group: Any = typer.main.get_command(app)
    parts = [NOTE, "# Commands\n", f"{group.help}\n", EXIT_CODES]
    panel = None
    for name, command in group.commands.items():
        if command.rich_help_panel != panel:
            panel = command.rich_help_panel
            parts.append(f"## {panel}\n")
        inner = getattr(command, "commands", None)
        if inner is None:
            parts.append(_command(f"memgardend {name}", command))
            continue
        parts.append(f"### memgardend {name}\n\n{command.help}\n")
        parts += [_command(f"memgardend {name} {sub}", one) for sub, one in inner.items()]
    return "\n".join(parts)


def _command(name: str, command: Any) -> str:
    arguments = [one for one in command.params if one.param_type_name == "argument"]
    options = [one for one in command.params if one.param_type_name == "option" and not one.hidden]
    shown = [one.metavar or one.name for one in arguments]
    needed = [
        (text if one.required else f"[{text}]") + "..." * (one.nargs == -1)
        for one, text in zip(arguments, shown, strict=True)
    ]
    usage = " ".join([name, *needed, "[OPTIONS]"])
    text = "\n".join(line.strip() for line in (command.help or "").splitlines())
    rows = [_row(text, one.help) for one, text in zip(arguments, shown, strict=True)]
    rows += [_row(_names(one), _help(one)) for one in options if one.name != "help"]
    table = "\n".join(["| | |", "|---|---|", *rows]) + "\n" if rows else ""
    return f"### {name}\n\n{text}\n\n    {usage}\n\n{table}"


def _row(name: str, text: str) -> str:
    return f"| `{name}` | {text} |".replace("|MEMORY", "\\|MEMORY")


def _names(option: Any) -> str:
    takes_value = not option.is_flag
    metavar = f" {option.metavar or option.name.upper()}" if takes_value else ""
    return ", ".join(option.opts) + metavar


def _help(option: Any) -> str:
    default = option.default
    shown = f" Default: `{default}`." if default not in (None, False, "") else ""
    return f"{option.help}{shown}"


def config_page() -> str:
    """Every setting with its default and its documentation."""
    lines = [
        NOTE,
        "# memgarden.yaml\n",
        "Found by walking up from the current folder, as git does. `memgardend config check` shows every mistake",
        "at once, `memgardend config show` every value in force and where it comes from.\n",
        "| setting | default | |",
        "|---|---|---|",
    ]
    for one in settings():
        default = "" if isinstance(one.default, dict) else f"`{json.dumps(one.default)}`"
        default = "required" if one.required else default
        lines.append(f"| `{one.key}` | {default} | {one.doc} |")
    return "\n".join(lines) + "\n"


PAGES = {
    "cli.md": cli_page,
    "config.md": config_page,
    "library.md": lambda: NOTE + "\n" + library_page(),
    "serve.md": lambda: NOTE + "\n" + serve_page(),
    "tools.md": lambda: NOTE + "\n" + tools_page(),
}


def main() -> int:
    """Write the pages, or check them."""
    stale = []
    for name, page in PAGES.items():
        file, text = REFERENCE / name, page()
        if "--check" in sys.argv:
            stale += [name] if file.read_text("utf-8") != text else []
        else:
            file.parent.mkdir(exist_ok=True)
            file.write_text(text, "utf-8")
    for name in stale:
        sys.stderr.write(f"docs/reference/{name} is stale: python docs/generate.py\n")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
