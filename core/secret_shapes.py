"""The shapes of keys that vendors give out, and of the command lines and URLs that carry passwords.

Every pattern runs in linear time: repetitions are bounded, possessive, or start once per token.
"""

from __future__ import annotations

import re

from memgardend.core.patterns import regex
from memgardend.core.shape import INVISIBLE, Shape, after, themselves

JWT = "eyJ"
"""How a JSON object in base64 begins. Of all PREFIXED only a JWT may lack sixteen characters in a row."""
# The tail must look random too where the prefix is a plain word.
PREFIXED = regex(
    r"(?<![A-Za-z0-9])(?:(?P<prefix>"
    r"sk-(?:ant-|proj-|or-|svcacct-)?|hsk-|csk-|tvly-|pplx-|xai-|nvapi-|gsk_|r8_|hf_|fw_|npm_|pypi-|lsv2_(?:pt|sk)_|"
    r"mem0_|m0-|brv_|retaindb_|gl(?:pat|dt|rt|ptt|cbt)-|xox[abeoprs]-|xapp-|lin_api_|ntn_|secret_|figd_|"
    r"sntry[su]_|phx_|whsec_|[rs]k_(?:live|test)_|shp(?:at|ca|pa|ss)_|do[opr]_v1_|dckr_pat_|sbp_|dapi|"
    r"NRAK-|PMAK-|GOCSPX-|rubygems_|github_pat_|gh[opsur]_|ATATT3|ya29\.|hvs\.|sl\.(?:u\.)?|key-(?=[0-9a-f]{32}))"
    rf"(?P<tail>[\w{INVISIBLE}-]{{16,}}+(?:[.=][\w-]{{1,}}+)*+)"
    r"|(?P<aws>A(?:KIA|SIA|BIA|CCA))[A-Z0-9]{16}(?![A-Za-z0-9])"
    r"|(?P<google>AIza)[\w-]{30,}+"
    r"|(?P<sendgrid>SG\.)[\w-]{16,}+\.[\w-]{16,}+"
    r"|(?P<airtable>pat)[A-Za-z0-9]{14}\.[0-9a-f]{64}"
    r"|(?P<terraform>[A-Za-z0-9]{14}\.atlasv1\.)[\w-]{60,}+"
    rf"|(?P<jwt>{JWT})[\w-]{{8,}}+\.[\w-]{{8,}}+(?:\.[\w-]*+)?"
    r"|(?P<telegram>\d{8,10}:)AA[\w-]{33}(?![\w-])"
    r"|(?P<asana>[12]/\d{10,20}:)[0-9a-f]{32}(?![\w-])"
    r"|(?P<mailchimp>)[0-9a-f]{32}-us\d{1,2}(?!\w)"
    r"|(?P<age>AGE-SECRET-KEY-1)[0-9A-Z]{40,}+)",
    re.ASCII,
)
PEM_WORDS = "PRIVATE KEY"
"""No key in PEM form is without them."""
_PEM_NAME = rf"(?:[A-Z0-9]{{1,20}} ){{0,3}}{PEM_WORDS}(?: BLOCK)?-----"
_PEM_BREAK = r"(?:\\[nr]|\s)"
PEM = Shape(
    regex(
        rf"(-----BEGIN {_PEM_NAME})"
        rf"(?:(?:(?!-----)[\s\S])*+(-----END {_PEM_NAME})"
        rf"|{_PEM_BREAK}*+[A-Za-z0-9+/=]{{16,}}+(?:{_PEM_BREAK}++[A-Za-z0-9+/=]{{20,}}+)*+)"
    ),
    after(("-----begin ",), "key"),
)

URL_PASSWORD = Shape(
    regex(r"(://[^\s:/@?#\"'<>]{0,64}:)([^\s@/?#\"'<>]{1,256})(?=@)"), after(("://",), "@")
)

# Each of the following has two groups: what stays, and the value.
CARRIED = (
    Shape(
        regex(
            r"(authorization\\?[\"']?\s{0,4}[:=]\s{0,4}\\?[\"']?(?:(?:basic|bearer|digest|token)\s{1,4})?)"
            r"([^\s\"'\\,;]{8,}+)",
            re.IGNORECASE,
        ),
        themselves("authorization"),
    ),
    Shape(
        regex(r"\b((?:basic|bearer)\s{1,4})([A-Za-z0-9._~+/=-]{12,}+)", re.IGNORECASE),
        themselves("basic", "bearer"),
    ),
    Shape(
        regex(
            r"(--(?:[a-z0-9]{1,16}-){0,3}(?:api-?key|password|secret|token)[ =])([^\s\"'`]{6,}+)",
            re.IGNORECASE,
        ),
        after(("--",), "key", "passw", "secret", "token"),
    ),
    Shape(
        regex(r"(cookie:\s{0,4})([\w.-]{1,64}=[^\s\"'\\][^\"'\\\n]*+)", re.IGNORECASE),
        themselves("cookie:"),
    ),
    Shape(
        regex(r"(hooks\.slack\.com/(?:services|triggers|workflows)/)([\w/-]{16,}+)"),
        themselves("hooks.slack.com/"),
    ),
    Shape(regex(r"(/api/webhooks/\d{10,25}/)([\w-]{30,}+)"), themselves("/api/webhooks/")),
    Shape(
        regex(
            r"((?:(?<=[?&])|(?<=[?&]x-amz-)|(?<=[?&]x-goog-))sig(?:nature)?=)([\w%+/=.~-]{16,}+)",
            re.IGNORECASE,
        ),
        themselves("sig=", "signature="),
    ),
)
"""Headers, flags and URLs with a value that is secret if it has a digit."""

COMMANDS = (
    Shape(
        regex(
            r"(\bcurl\b[^\n|;&]{0,200}?\s(?:-u|--(?:proxy-)?user)[ =]?[\"']?[\w.@-]{1,64}:)([^\s\"'`]{4,}+)"
        ),
        themselves("curl"),
    ),
    Shape(
        regex(r"(\bsshpass\s{1,4}-p\s{0,4}[\"']?)([^\s\"'`]{4,}+)"),
        themselves("sshpass"),
    ),
    Shape(
        regex(r"(\bmysql(?:admin|dump)?\b[^\n|;&]{0,120}?\s-p[\"']?)([^\s\"'`]{4,}+)"),
        themselves("mysql"),
    ),
    Shape(
        regex(
            r"(\b(?:docker|podman)\s{1,4}login\b[^\n|;&]{0,120}?\s-p\s{1,4}[\"']?)([^\s\"'`]{4,}+)"
        ),
        after(("docker", "podman"), "login"),
    ),
    Shape(
        regex(r"(\bredis-cli\b[^\n|;&]{0,120}?\s-a\s{1,4}[\"']?)([^\s\"'`]{4,}+)"),
        themselves("redis-cli"),
    ),
    Shape(
        regex(r"(\blogin\s{1,4}\S{1,64}\s{1,4}password\s{1,4})([^\s\"'`]{4,}+)"),
        themselves("login"),
    ),
)
"""Command lines whose value is a password, whatever it looks like."""

SPOKEN = (
    Shape(
        regex(
            r"(\b(?:pass(?:word|phrase|code)|pwd)\s{1,2}(?:is|was):?\s{1,4}[\"'`“‘]?)([^\s\"'`“”‘’]{6,64}+)",
            re.IGNORECASE,
        ),
        themselves("passcode", "passphrase", "passw", "pwd"),
    ),
    Shape(
        regex(
            r"(\b(?:pass(?:word|phrase|code)|pwd)[ \t]{1,2}[\"'`“‘]?)"
            r"((?=[^\s]{0,64}[A-Z])(?=[^\s]{0,64}[a-z])[^\s\"'`“”‘’]{6,64}+)"
        ),
        themselves("passcode", "passphrase", "passw", "pwd"),
    ),
    Shape(
        regex(
            r"(\b(?:token|(?:access|api|auth|secret) key)(?:\s{1,2}is)?:?\s{1,4}[\"'`“‘]?)(\w[\w.-]{15,}+)",
            re.IGNORECASE,
        ),
        themselves("token") | after(("access key", "api key", "auth key", "secret key"), "key"),
    ),
    Shape(
        regex(r"((?:密码|口令|密钥|令牌)(?:就?是|为|[：:=])\s{0,4}[\"'`“「]?)([!-~]{6,64}+)"),
        after(("密码", "密钥"), "密") | after(("口令", "令牌"), "令"),
    ),
)
"""Sentences that tell a secret, if the word has letters and digits."""

NO_SPOKEN_SECRET = regex(
    r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\Z"
    r"|(?:aes|argon|base|bcrypt|crypt|md|oauth|oidc|pbkdf|rsa|saml|scrypt|sha|utf|v)-?\d|\w*[(\[<{]|\W*\Z",
    re.IGNORECASE,
)
"""UUIDs, names of methods and versions, and calls: words with digits that are told about passwords."""
