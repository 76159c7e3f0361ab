"""Secrets go, everything else stays."""

from __future__ import annotations

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memgardend.core.mask import MASK, mask

# Made of the alphabet on purpose: shaped like keys, recognisable as none.
TAIL = "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7"
HEX = "3f786850e387550fdab836ed7e6dc881de23001b"

PREFIXES = [
    "sk-",
    "sk-ant-",
    "sk-ant-api03-",
    "sk-proj-",
    "hsk-",
    "mem0_",
    "m0-",
    "brv_",
    "retaindb_",
    "ghp_",
    "gho_",
    "ghs_",
    "github_pat_",
    "glpat-",
    "xoxb-",
    "xoxp-",
    "hf_",
    "npm_",
    "pypi-",
    "gsk_",
    "sk_live_",
    "shpat_",
    "dop_v1_",
    "hvs.",
    "r8_",
    "xai-",
    "whsec_",
    "tvly-",
    "sbp_",
    "GOCSPX-",
    "NRAK-",
    "PMAK-",
    "glptt-",
    "lsv2_pt_",
    "fw_",
    "dapi",
]


@pytest.mark.parametrize("prefix", PREFIXES)
def test_a_key_with_a_known_prefix_keeps_only_the_prefix(prefix: str) -> None:
    masked = mask(f"use {prefix}{TAIL} for now")
    assert TAIL not in masked
    assert TAIL[:8] not in masked
    assert masked.startswith(f"use {prefix[:3]}")
    assert masked.endswith(f"{MASK} for now")


SECRETS = {
    "aws key id": ("id AKIA" + "ABCDEFGHIJKLMNOP", "id AKIA[masked]"),
    "google": ("AIza" + TAIL + "abcdefgh", "AIza[masked]"),
    "sendgrid": (f"SG.{TAIL}.{TAIL}", "SG.[masked]"),
    "jwt": (f"eyJ{TAIL}.eyJ{TAIL}.{TAIL}", "eyJ[masked]"),
    "telegram": ("123456789:AA" + "x" * 33, "123456789:[masked]"),
    "url password": ("postgres://bob:s3cr3t@db:5432/x", "postgres://bob:[masked]@db:5432/x"),
    "bearer header": (f"Authorization: Bearer {TAIL}", "Authorization: Bearer [masked]"),
    "basic header": ("authorization: Basic dXNlcjpwYXNz1", "authorization: Basic [masked]"),
    "bearer alone": (f"curl -H 'Bearer {TAIL}'", "curl -H 'Bearer [masked]'"),
    "cookie": ("Cookie: session=abc123; theme=dark", "Cookie: [masked]"),
    "flag": ("deploy --api-token abc12345", "deploy --api-token [masked]"),
    "slack webhook": (
        f"https://hooks.slack.com/services/T01/B02/{TAIL}",
        "https://hooks.slack.com/services/[masked]",
    ),
    "discord webhook": (
        f"https://discord.com/api/webhooks/123456789012345678/{TAIL}{TAIL}",
        "https://discord.com/api/webhooks/123456789012345678/[masked]",
    ),
    "signed url": (f"https://x.net/c?sig={TAIL}%3D&se=1", "https://x.net/c?sig=[masked]&se=1"),
    "mailgun": (f"key-{HEX[:32]}", "key-[masked]"),
    "mailchimp": (f"{HEX[:32]}-us12", "[masked]"),
    "asana": (f"1/1234567890123456:{HEX[:32]}", "1/1234567890123456:[masked]"),
    "airtable": (f"pat{TAIL[:14]}.{HEX}{HEX[:24]}", "pat[masked]"),
    "terraform": (f"{TAIL[:14]}.atlasv1.{TAIL * 3}", f"{TAIL[:14]}.atlasv1.[masked]"),
    "across a space of no width": (f"ghp_{TAIL}\u200b{TAIL}", "ghp_[masked]"),
    "curl user": ("curl -s -u bob:horses http://x", "curl -s -u bob:[masked] http://x"),
    "curl long": ("curl --user bob:pa55 http://x", "curl --user bob:[masked] http://x"),
    "mysql": ("mysql -uroot -pHorses db", "mysql -uroot -p[masked] db"),
    "sshpass": ("sshpass -p horses ssh x", "sshpass -p [masked] ssh x"),
    "docker login": ("docker login -u bob -p horses x", "docker login -u bob -p [masked] x"),
    "redis-cli": ("redis-cli -h x -a horses", "redis-cli -h x -a [masked]"),
    "netrc": ("machine x login bob password horses", "machine x login bob password [masked]"),
    "wifi": ('psk="horses"', 'psk="[masked]"'),
    "told": ("The password is winter2026.", "The password is [masked]."),
    "told in quotes": ('password was "blue-Horse-77" then', 'password was "[masked]" then'),
    "named": (
        "user admin and password Zx9-kkP!2 please",
        "user admin and password [masked] please",
    ),
    "a token told": (f"use the token {HEX[:20]} for it", "use the token [masked] for it"),
    "a bot's token": (f"token is {TAIL}.1CiAhz.{TAIL}", "token is [masked]"),
    "told in Chinese": ("密码是 Winter2026，别忘了", "密码是 [masked]，别忘了"),
    "Chinese colon": ("口令：Winter2026", "口令：[masked]"),
    "env line": ("DB_PASSWORD=correcthorse\n", "DB_PASSWORD=[masked]\n"),
    "yaml": ("password: hunter2", "password: [masked]"),
    "yaml word": ("password: hunter\nuser: bob", "password: [masked]\nuser: bob"),
    "json": ('{"api_key": "abcd1234efgh"}', '{"api_key": "[masked]"}'),
    "json inside json": (r"{\"api_key\": \"abcd1234efgh\"}", r"{\"api_key\": \"[masked]\"}"),
    "python": ("client_secret = 'abcdefgh'", "client_secret = '[masked]'"),
    "aws secret": (
        "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG",
        "aws_secret_access_key = [masked]",
    ),
    "random token": (f"x {TAIL}{TAIL}", "x [masked]"),
    "shortest random token": (f"x {(TAIL + TAIL)[:32]}", "x [masked]"),
    "random token in pieces": (f"x {TAIL[:14]}/{TAIL[14:]}+{TAIL[:9]}", "x [masked]"),
    "shortest tail": (f"hvs.{TAIL[:16]}", "hvs.[masked]"),
    "jwt of short parts": ("eyJhbGciOiJI.eyJzdWIi.x", "eyJ[masked]"),
    "pem": (
        "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4\n\nMIIE\n-----END RSA PRIVATE KEY-----",
        "-----BEGIN RSA PRIVATE KEY-----[masked]-----END RSA PRIVATE KEY-----",
    ),
    "pem cut off": (
        f"-----BEGIN PRIVATE KEY-----\n{'MIIE' * 16}\n{'abcd' * 16}\nI prefer tabs",
        "-----BEGIN PRIVATE KEY-----[masked]\nI prefer tabs",
    ),
}


@pytest.mark.parametrize(("text", "masked"), SECRETS.values(), ids=SECRETS.keys())
def test_a_secret_is_replaced_and_its_name_stays(text: str, masked: str) -> None:
    assert mask(text) == masked


@pytest.mark.parametrize(
    "kind", ["access", "account", "api", "auth", "encryption", "private", "secret", "signing"]
)
def test_a_key_of_each_kind_is_a_secret(kind: str) -> None:
    assert mask(f"{kind}_key = correct7horse") == f"{kind}_key = {MASK}"


PLAIN = {
    "git sha": f"fixed in {HEX}",
    "short sha": "fixed in 3f78685",
    "uuid": "window 550e8400-e29b-41d4-a716-446655440000",
    "sha256": f"sha256:{HEX}{HEX[:24]}",
    "integrity": "integrity sha512-aB3dE6gH9jK2mN5pQ8sT1vW4yZ7aB3dE6gH9jK2mN5pQ8sT1vW4yZ7==",
    "named digest": f'"integrity": "{TAIL}{TAIL}"',
    "path": "/Users/Alice/Projects/MyApp2/src/Main3/WidgetFactoryBuilder.java",
    "embedded image": f"![](data:image/png;base64,{TAIL}{TAIL})",
    "public key": f"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5{TAIL} bob@host",
    "call id": "call_00_kFKHaEXcTYEex0iDZw0C2432",
    "docker user": "docker run -u 1000:1000 -p 8080:80 nginx",
    "other -p and -u": "mkdir -p src2; grep -u foo:bar2; curl -u $USER:$PASS x",
    "password of prose": "the password is sha256-hashed, passwords need 12 characters, password OAuth2",
    "password of code": "password was varchar(60), password {self.password1}",
    "asterisks": "password: ********",
    "subscript": "token = parts[0][2], auth_key=sheet.row[12]",
    "type name": 'private_key: "_RSAPrivateKey"',
    "colour": "Token: '#dcdccc'",
    "token with a uuid": "the token 550e8400-e29b-41d4-a716-446655440000 is a window",
    "Chinese prose": "密码是必填项，密码：见保险箱",
    "camel case": "AbstractSingletonProxyFactoryBean2TestCaseRunner1",
    "kebab": "sk-learn-is-a-library-for-machine-learning",
    "numbers": "max_tokens=4096 and token_budget: 120000",
    "tokenizer": "tokenizer: cl100k_base",
    "prose": "the token: please renew it, the password is in the vault",
    "call": "token = get_token(12)",
    "variable": "password=$DB_PASSWORD1 token: ${TOKEN_2}",
    "attribute": "api_key = settings.model.api_key2",
    "name": "connect(password=password)",
    "placeholder": "password: required",
    "key file": "private_key: ~/.ssh/id_ed25519",
    "tool id": "toolu_01T1SrbUgaSJkHWJd5outNgr",
    "image note": "[image: image/png]",
    "version": "we pin ruff==0.14.2 and port 8080",
    "basic prose": "a Basic understanding of bearer authentication",
    "url": "https://example.com:8443/a@b",
}


@pytest.mark.parametrize("text", PLAIN.values(), ids=PLAIN.keys())
def test_what_is_no_secret_stays(text: str) -> None:
    assert mask(text) == text


_JOINTS = [
    "=",
    ": ",
    '"',
    "'",
    "\\",
    "\n",
    " ",
    "://",
    "@",
    ":",
    ".",
    "-",
    "/",
    "[",
    "]",
    "(",
    "$",
    "1",
]
_WORDS = ["token", "password", "Bearer ", "sha256", "eyJ", TAIL, MASK]
_FENCES = ["-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----"]
_SAMPLES = [*PREFIXES, *(text for text, _ in SECRETS.values()), *PLAIN.values()]
_PIECES = st.sampled_from([*_SAMPLES, *_JOINTS, *_WORDS, *_FENCES])
_TEXTS = st.lists(_PIECES | st.text(string.ascii_letters + string.digits, max_size=40)).map("".join)


@given(_TEXTS | st.text())
def test_masking_twice_changes_nothing_more(text: str) -> None:
    once = mask(text)
    assert mask(once) == once


@given(
    st.text(string.ascii_letters + string.digits, min_size=20, max_size=60),
    st.sampled_from(PREFIXES),
)
def test_no_part_of_a_prefixed_key_survives(tail: str, prefix: str) -> None:
    assert tail not in mask(f"key {prefix}7{tail} end")


HOSTILE = [
    "token=",
    "eyJ",
    "sk-",
    "-----BEGIN PRIVATE KEY-----",
    "://a:",
    "authorization: ",
    "a-",
    "SG.a",
]
HOSTILE += [
    "curl -u a:",
    "curl ",
    "login a ",
    "password ",
    "password is ",
    "mysql ",
    "key-",
    "密码是",
]
HOSTILE += [
    "?sig=",
    "docker login ",
    "1/1",
    "a.atlasv1.",
    "token is a.",
    "psk",
    "a[",
    "--a-",
    "https://u:p@",
    'api_key="',
    "token" + " " * 20,
    "bearer ",
    "A",
    "-----BEGIN ",
]


@pytest.mark.timeout(20)  # a quadratic pattern would need minutes
@pytest.mark.parametrize("piece", HOSTILE)
def test_hostile_text_of_any_length_ends(piece: str) -> None:
    masked = mask(piece * (200_000 // len(piece)))
    assert mask(masked) == masked
