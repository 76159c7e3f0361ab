"""Repair of the commonest fault in a model's JSON: bare quotes inside a value."""

from __future__ import annotations

import re

_SPACE = re.compile(r"[ \t\r\n]*")
_SCALAR = re.compile(r"-?[0-9.eE+-]+|true|false|null")
_PLAIN = re.compile(r'[^"\\]*')


def repair_quotes(text: str, start: int) -> str | None:
    """The JSON object that begins at `start`, with bare quotes inside its member values escaped.

    A quote inside a member's value ends it only before `}`, `]`, `:`, the end, or a comma that is followed
    by another key. Keys and list elements are not repaired, and any other fault gives None: half
    an answer must not look like a whole one. Linear in the length of the text.
    """
    return _Walk(text, start).run()


class _Walk:
    """One pass over the grammar of JSON with an explicit stack, so that depth costs no recursion."""

    def __init__(self, text: str, start: int) -> None:
        self.text = text
        self.start = start
        self.at = start
        self.escapes: list[int] = []

    def run(self) -> str | None:
        stack: list[str] = []
        expect = "value"
        while True:
            self._skip_space()
            char = self.text[self.at : self.at + 1]
            if expect in ("value", "value or end") and char in ("{", "["):
                stack.append(char)
                expect = "key or end" if char == "{" else "value or end"
                self.at += 1
            elif expect in ("value", "value or end") and char != "]":
                if not self._value(in_object=stack[-1:] == ["{"]):
                    return None
                expect = "comma or end"
            elif expect in ("key", "key or end") and char == '"':
                if not self._string(repair=False) or not self._take(":"):
                    return None
                expect = "value"
            elif expect == "comma or end" and char == ",":
                expect = "key" if stack[-1] == "{" else "value"
                self.at += 1
            elif expect.endswith("or end") and stack and char == {"{": "}", "[": "]"}[stack[-1]]:
                stack.pop()
                self.at += 1
                if not stack:
                    return self._repaired()
                expect = "comma or end"
            else:
                return None

    def _skip_space(self) -> None:
        self.at = self._after_space(self.at)

    def _after_space(self, at: int) -> int:
        match = _SPACE.match(self.text, at)
        return match.end() if match else at

    def _take(self, char: str) -> bool:
        self._skip_space()
        taken = self.text.startswith(char, self.at)
        self.at += taken
        return taken

    def _value(self, *, in_object: bool) -> bool:
        if self.text.startswith('"', self.at):
            return self._string(repair=in_object)
        match = _SCALAR.match(self.text, self.at)
        if not match:
            return False
        self.at = match.end()
        return True

    def _string(self, *, repair: bool) -> bool:
        self.at += 1
        while True:
            plain = _PLAIN.match(self.text, self.at)
            self.at = plain.end() if plain else self.at
            if self.at >= len(self.text):
                return False
            if self.text[self.at] == "\\":
                self.at += 2
            elif not repair or self._closes(self.at):
                self.at += 1
                return True
            else:
                self.escapes.append(self.at)
                self.at += 1

    def _closes(self, at: int) -> bool:
        after = self._after_space(at + 1)
        following = self.text[after : after + 1]
        if following == ",":
            after = self._after_space(after + 1)
            return self.text.startswith('"', after)
        return following in ("", "}", "]", ":")

    def _repaired(self) -> str:
        parts, last = [], self.start
        for escape in self.escapes:
            parts += [self.text[last:escape], "\\"]
            last = escape
        return "".join([*parts, self.text[last : self.at]])
