"""The documentation says what the program does."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer.main

from memgardend.daemon.cli.app import app
from support import documents

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]


def commands() -> Iterator[tuple[str, Any]]:
    """Every command and subcommand by its full name."""
    group: Any = typer.main.get_command(app)
    for name, command in group.commands.items():
        yield name, command
        for inner, one in getattr(command, "commands", {}).items():
            yield f"{name} {inner}", one


COMMANDS = dict(commands())


def test_generated_pages_are_fresh() -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "docs" / "generate.py", "--check"], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name", COMMANDS)
def test_command_explains_itself_and_each_of_its_options(name: str) -> None:
    command = COMMANDS[name]
    assert command.help
    first = command.help.splitlines()[0]
    assert first.endswith("."), "the first line is a sentence: it stands in the list of commands"
    assert [one.name for one in command.params if not one.help and one.name != "help"] == []
    lines = filter(None, command.help.splitlines())
    cut = [line for line in lines if not line.endswith((".", "}"))]
    assert cut == [], "a terminal breaks lines where they end here, so each is a sentence"


@pytest.mark.parametrize("name", [name for name in COMMANDS if "install" not in name])
def test_every_command_takes_a_workspace_and_answers_in_json(name: str) -> None:
    command = COMMANDS[name]
    if not getattr(command, "commands", None):
        assert {"-w", "--json"} <= {one for param in command.params for one in param.opts}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_named_in_the_pages_exist(page: Path) -> None:
    named = re.findall(r"`memgardend ([a-z]+)|^memgardend ([a-z]+)", page.read_text("utf-8"), re.M)
    known = {name.split()[0] for name in COMMANDS}
    assert {one or other for one, other in named} - known == set()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_within_the_project_lead_somewhere(page: Path) -> None:
    links = re.findall(r"\]\(([^)#]+)", page.read_text("utf-8"))
    local = [link for link in links if "://" not in link]
    assert [link for link in local if not (page.parent / link).exists()] == []


def anchors(page: Path) -> set[str]:
    """The names by which a forge links to the headings of a page."""
    headings = re.findall(r"^#+ (.+)$", page.read_text("utf-8"), re.M)
    return {re.sub(r"[^\w -]", "", one.lower()).replace(" ", "-") for one in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_to_a_heading_find_it(page: Path) -> None:
    links = re.findall(r"\]\(([^):#]*)#([^)]+)\)", page.read_text("utf-8"))
    assert [
        one for one in links if one[1] not in anchors(page.parent / one[0] if one[0] else page)
    ] == []


@pytest.mark.parametrize(
    "document",
    [
        documents.status(),
        documents.window(),
        documents.why(),
        documents.dream(),
        documents.show(),
        documents.memory(),
        documents.history(),
    ],
    ids=["status", "window", "why", "dream", "show", "memory", "history"],
)
def test_every_field_of_a_document_is_documented(document: dict[str, Any]) -> None:
    page = (ROOT / "docs" / "reference" / "json.md").read_text("utf-8")
    fields = [name for name in document if not name.endswith("short") and name != "schema"]
    assert [name for name in fields if f"`{name}`" not in page] == []


def test_every_command_that_answers_in_json_has_a_row_or_a_heading() -> None:
    page = (ROOT / "docs" / "reference" / "json.md").read_text("utf-8")
    headings = {
        name.strip() for line in re.findall(r"^## (.+)$", page, re.M) for name in line.split(",")
    }
    rows = {
        name
        for row in re.findall(r"^\| (`[^|]+) \|", page, re.M)
        for name in re.findall(r"`([^`]+)`", row)
    }
    told = headings | rows | set(re.findall(r"`(config schema|model schema|manifest|serve)`", page))
    groups = {name.split()[0] for name in COMMANDS if " " in name}
    elsewhere = {"run", "mcp", "windows"}  # `run --once`; a server; under status
    assert COMMANDS.keys() - told - groups - elsewhere == set()
