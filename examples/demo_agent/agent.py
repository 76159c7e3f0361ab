#!/usr/bin/env python3
"""An agent that chats and remembers, on nothing but the library. Type /help once it runs.

    python examples/demo_agent/agent.py --fake                            no key, no network
    python examples/demo_agent/agent.py --model-cmd "llm -m gpt-4o-mini"  a model of yours

Memories are in demo-memory.db: start it again, and it still knows.
"""

import argparse
import json
import re
import shlex
import subprocess
import sys
from collections import deque

from memgardend import (
    CaptureRequest,
    GardenComponent,
    MaintenanceRequest,
    MountedGarden,
    Scope,
    SqliteStore,
)

TURNS = 6
"""Lines of the conversation that the agent has in mind."""
HELP = (
    "/memories  what I know   /forget N  one of them   /tidy  merge what belongs together   /quit"
)
PROMPT = """\
You are Io, a friendly companion of {name}. Answer in one or two sentences.

What you remember of {name}:
{memories}

{talk}
Io:"""


class CommandModel:
    """Any command that reads a prompt and prints a reply."""

    def __init__(self, command):
        self.argv = shlex.split(command)

    def __call__(self, prompt):
        done = subprocess.run(
            self.argv, input=prompt, capture_output=True, text=True, check=True, timeout=300
        )
        return done.stdout.strip()


class FakeModel:
    """No model at all: it keeps what is said in the first person, word for word, and repeats it when it fits."""

    def __init__(self, name):
        self.said = re.compile(rf"^{re.escape(name)}: ((?:I|My|We) [^?\n]+)$", re.MULTILINE)
        self.name = name

    def __call__(self, prompt):
        if '"consolidations"' in prompt:
            return '{"consolidations": [], "questions_to_ask": []}'
        if '"cards"' in prompt:
            return json.dumps(
                {"cards": [self.card(said) for said in self.said.findall(prompt)[-1:]]}
            )
        remembered = re.findall(r"^- (.+)$", prompt, re.MULTILINE)
        return f"I remember: {remembered[0]}" if remembered else "Tell me more."

    def card(self, said):
        """What a model would put in better words."""
        return {
            "action": "add",
            "type": "fact",
            "summary": f"{self.name}: “{said.rstrip('.')}”",
            "content": f"{self.name} said: “{said}”",
            "importance": 0.5,
        }


class Agent:
    """One conversation with one person, over one garden."""

    def __init__(self, model, store, name, locale):
        self.model = model
        self.name = name
        self.locale = locale
        self.talk = deque(maxlen=TURNS)
        scope = Scope(tenant_id="demo", memory_owner_id=name, actor={"agent_id": "io"})
        self.garden = MountedGarden(GardenComponent(model=model), store, scope)

    def answer(self, said):
        """Recall, reply, and keep what was worth it: the reply, and what was remembered of the turn."""
        # Only what fits what is said: a search is never padded with whatever happens to be there.
        hits = self.garden.records.search(said, limit=3)
        memories = "\n".join(f"- {hit.summary}" for hit in hits) or "(nothing yet)"
        self.talk.append(f"{self.name}: {said}")
        prompt = PROMPT.format(name=self.name, memories=memories, talk="\n".join(self.talk))
        try:
            reply = self.model(prompt)
        except (OSError, subprocess.SubprocessError) as error:
            self.talk.pop()
            return f"(the model gave no answer: {type(error).__name__})", []
        self.talk.append(f"Io: {reply}")
        return reply, self.capture()

    def capture(self):
        """Let the library judge the last turns; a failure loses nothing but this attempt."""
        request = CaptureRequest(
            window="\n".join(self.talk), locale=self.locale, ai_name="Io", user_name=self.name
        )
        receipt = self.garden.capture(request)
        if receipt.error:
            print(f"  (nothing kept: {receipt.error})")
        return [card["summary"] for card in self.garden.records.get(receipt.record_ids)]

    def command(self, line):
        """What begins with a slash."""
        word, _, rest = line.partition(" ")
        if word == "/memories":
            items = self.garden.records.browse().items
            return "\n".join(f"{n}. {one.display_text}" for n, one in enumerate(items, 1)) or "none"
        if word == "/forget":
            return self.forget(rest)
        if word == "/tidy":
            request = MaintenanceRequest(cards=(), locale=self.locale, user_name=self.name)
            receipt = self.garden.run_maintenance(request)
            return str(receipt.error or receipt.reason or f"merged: {len(receipt.record_ids)}")
        return HELP

    def forget(self, number):
        """A deletion is a deletion: the card is gone, with all its versions."""
        items = self.garden.records.browse().items
        if not number.isdecimal() or not 1 <= int(number) <= len(items):
            return "no such memory"
        one = items[int(number) - 1]
        receipt = self.garden.records.delete(one.record_ref, requested_by=self.name)
        return str(receipt.error or f"forgotten: {one.display_text}")


def chat(agent, lines, say):
    """One line of the person's after the other, until /quit or the end."""
    for line in map(str.strip, lines):
        if line == "/quit":
            return
        if line.startswith("/"):
            say(agent.command(line))
        elif line:
            reply, remembered = agent.answer(line)
            say(f"Io: {reply}")
            for summary in remembered:
                say(f"  · remembered {summary}")


def main():
    parser = argparse.ArgumentParser(description="An agent that chats and remembers.")
    parser.add_argument("--fake", action="store_true", help="no model: rules that need no key")
    parser.add_argument("--model-cmd", help="a command: prompt on stdin, reply on stdout")
    parser.add_argument("--memory", default="demo-memory.db", help="the SQLite file")
    parser.add_argument("--name", default="Mei", help="who you are")
    parser.add_argument("--locale", default="en", help="en or zh-Hans")
    given = parser.parse_args()
    if given.fake == bool(given.model_cmd):
        parser.error("either --fake or --model-cmd")
    model = FakeModel(given.name) if given.fake else CommandModel(given.model_cmd)
    agent = Agent(model, SqliteStore(given.memory), given.name, given.locale)
    print(f"Io: Hello {given.name}.")
    chat(agent, sys.stdin, print)


if __name__ == "__main__":
    main()
