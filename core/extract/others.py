"""Lines of a turn that the person did not write: a program's output, and forwarded mail."""

from __future__ import annotations

import re

# Programs write ASCII around whatever they quote, so word characters and white space are those of ASCII here:
# `注意:端口变了` is no setting, and an ideographic space at the head of a paragraph no indented code.
MACHINE_LINE = re.compile(
    r"""\s*(?:
          \[\s*\d+[\d.:\s-]*\] | \d{4}-\d\d-\d\d[T\ ] | Traceback | File\ " | at\ \S+\ ?\( | at\ \S+:\d
        | \w*(?:Error|Exception|Warning)\b: | [0-9a-f]{7,40}\ \w
        | [$#%>❯]\s | \w[\w.-]*@[\w.-]+[:~\ ].*[$#]
        | (?:git|sudo|npm|pip|cd|ls|docker|ping)\ [\w./-]+(?:\ -|\ [\w./-]+$|$)
        | [{}\[\]<>|+*=~_-]{2,} | [-+]{1,3}\ ?\w+\s*[({=] | [\w.-]+\(.*\)\s*;?$
        | \w+,\w+,\w | [!-~]+\s*[:=]\s*[!-~]+$
        | import\ \w | from\ \w+\ import | def\ | class\ | const\ | SELECT\ )
    | \s{2,}\S | \t""",
    re.VERBOSE | re.ASCII,
)

FORWARDED = re.compile(
    r"""\s*(?:(?:fwd?|fw|from|subject|betreff|von)\s?: | -{3,}\s?(?:original|转发|轉發|原始)
    | on\ .{6,80}\ wrote: | (?:发件人|寄件者|寄件人|主题|主旨|转发|轉發)\s?[:：]
    | (?:在|于)?\ ?\d{4}\ ?[年/-].{4,80}(?:写道|寫道)\s?[:：])""",
    re.IGNORECASE | re.VERBOSE,
)
"""A line from which on somebody else speaks."""
