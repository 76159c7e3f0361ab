"""A workspace in which a rule and a fact are known, for those who ask it from outside."""

from __future__ import annotations

from pathlib import Path

from support.commandline import CommandLine

RULE = "Always answer in British English."
FACT = "The billing service listens on port 9090."
PORT = "Which port does the billing service listen on?"


def knowing(home: Path) -> CommandLine:
    """Registered, with both remembered for every project."""
    command = CommandLine(home)
    command.ok("init", "--locale", "en", "--person", "Mia")
    for layer, text in (("rules", RULE), ("fact", FACT)):
        command.ok(
            *("remember", text, "--layer", layer, "--project", "global", "--importance", "3")
        )
    return command
