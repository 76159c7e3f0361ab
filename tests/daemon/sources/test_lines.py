"""Lines of JSON from any byte, whatever a crash left between them."""

from __future__ import annotations

import json
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memgardend.daemon.sources.lines import (
    BLOCK_BYTES,
    LINE_CAP_BYTES,
    fingerprint,
    holds_any,
    last_complete_byte,
    line_start_near,
    lines_until,
    read_lines,
    start_of_lines_before,
)

CASES = {
    "one a line": (b'{"a":1}\n{"a":2}\n', [1, 2], 0),
    "no last line feed": (b'{"a":1}\n{"a":2}', [1], 0),
    "two objects": (b'{"a":1}{"a":2} {"a":3}\n', [1, 2, 3], 0),
    "torn": (b'{"a":1\n{"a":2}\n', [2], 1),
    "object, then rubbish": (b'{"a":1} x\n', [1], 1),
    "nul block": (b"\0" * 4096 + b'{"a":1}\n', [1], 1),
    "only nul": (b"\0" * 40 + b"\n", [], 1),
    "not an object": (b'42\n"x"\n[1]\n{"a":1}\n', [1], 3),
    "not utf-8": (b'{"a":1,"b":"\xff"}\n', [1], 1),
    "deeply nested": (b"[" * 100_000 + b"\n" + b'{"a":1}\n', [1], 1),
    "byte order mark": (b'\xef\xbb\xbf{"a":1}\r\n{"a":2}\n', [1, 2], 0),
    "blank lines": (b'\n \r\n{"a":1}\r\n', [1], 0),
    "endless number": (b'{"a":' + b"9" * 10_000 + b'}\n{"a":1}\n', [1], 1),
}


@pytest.mark.parametrize(("raw", "values", "damaged"), CASES.values(), ids=CASES.keys())
def test_lines(tmp_path: Path, raw: bytes, values: list[int], damaged: int) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(raw)
    lines = list(read_lines(path, 0))
    assert [record["a"] for line in lines for record in line.records] == values
    assert sum(line.damaged for line in lines) == damaged
    assert (lines[-1].end if lines else 0) == last_complete_byte(path) == raw.rfind(b"\n") + 1


NUMBERS = st.one_of(
    st.integers(),
    st.floats(),
    st.from_regex(r"\A-?[0-9]{1,25}(\.[0-9]{1,25})?([eE][+-]?[0-9]{1,3})?\Z"),
)
TEXTS = st.text(st.characters(codec=None), max_size=20)
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=12,
)
ODD = [
    *(b"NaN", b"-Infinity", b"1e999", b"-0", b"-0.0", b"01", b"1.", b".5", b"[1,]", b"tru"),
    *(rb'"\ud800"', rb'"\ud83d\ude00"', rb'"\udc00x"', rb'"\u0000"', rb'"\x41"', b'"\x01"', b'"\xff"'),
    *(b'"\xed\xa0\x80"', b"9" * 4_300, b"9" * 4_301, b"[" * 150 + b"]" * 150, b"[" * 250 + b"]" * 250),
    *(b"9007199254740993.0", b"2.2250738585072011e-308", b"1_0", b"0x1", b'{"a":1,"b":2,"a":3}', b"\xef\xbb\xbf1"),
]  # fmt: skip


def as_json_reads(raw: bytes) -> object:
    try:
        return json.loads(raw.decode())
    except (ValueError, RecursionError):
        return None


def as_we_read(path: Path, value: bytes) -> tuple[object, object]:
    """What the line says to the judge, and to us; None where it says nothing."""
    raw = b'{"a":' + value + b"}\n"
    path.write_bytes(raw)
    (line,) = read_lines(path, 0)
    records = [] if line.damaged else [*line.records]
    return as_json_reads(raw), records[0] if records else None


@pytest.mark.parametrize("value", ODD, ids=range(len(ODD)))
def test_odd_values_are_read_as_json_reads_them(tmp_path: Path, value: bytes) -> None:
    expected, read = as_we_read(tmp_path / "log", value)
    assert repr(read) == repr(expected)  # 1 is no 1.0, and NaN is NaN


@given(VALUES, st.booleans())
def test_any_value_is_read_as_json_reads_it(
    tmp_path_factory: pytest.TempPathFactory, value: object, ascii: bool
) -> None:
    text = json.dumps(value, ensure_ascii=ascii).encode(errors="surrogatepass")
    expected, read = as_we_read(tmp_path_factory.getbasetemp() / "any-value", text)
    assert repr(read) == repr(expected)


@given(st.binary(max_size=30) | st.text('{}[]",:-+.0123eE tfnul\\', max_size=20).map(str.encode))
def test_any_bytes_are_read_as_json_reads_them(
    tmp_path_factory: pytest.TempPathFactory, value: bytes
) -> None:
    value = value.replace(b"\n", b" ").replace(b"\0", b" ")  # else several lines, or one repaired
    expected, read = as_we_read(tmp_path_factory.getbasetemp() / "any-bytes", value)
    assert repr(read) == repr(expected)


def test_recorded_lines_are_read_as_json_reads_them() -> None:
    files = sorted((Path(__file__).parents[4] / "shared" / "transcripts").rglob("*.jsonl"))
    if not files:
        pytest.skip("the recorded transcripts are not beside this project")
    for path in files:
        complete = path.read_bytes().split(b"\n")[:-1]
        expected = [as_json_reads(raw) for raw in complete if raw.strip()]
        if any(not isinstance(record, dict) for record in expected):
            continue  # damaged on purpose: what becomes of it is told above
        assert [record for line in read_lines(path, 0) for record in line.records] == expected


@given(st.binary(), st.data())
def test_lines_from_any_line_start_are_those_of_the_whole(
    tmp_path_factory: pytest.TempPathFactory, raw: bytes, data: st.DataObject
) -> None:
    path = tmp_path_factory.mktemp("any") / "log"
    path.write_bytes(raw)
    whole = list(read_lines(path, 0))
    near = data.draw(st.integers(0, len(raw)))
    start = line_start_near(path, near)
    assert start >= near
    assert list(read_lines(path, start)) == [line for line in whole if line.end > start]


def _with_image(size: int) -> bytes:
    blocks = [
        {"type": "image", "data": "\n" + "QUJD" * (size // 4)},
        {"type": "text", "text": "see"},
    ]
    return json.dumps({"content": blocks}).encode() + b"\n"


def test_a_line_of_20_megabytes_needs_little_memory_and_keeps_its_text(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(_with_image(20 << 20) + b'{"a":1}\n')
    tracemalloc.start()
    first, second = read_lines(path, 0)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 8 * BLOCK_BYTES
    assert first.records[0]["content"][1]["text"] == "see"
    assert "left out" in first.records[0]["content"][0]["data"]
    assert not first.damaged
    assert second.records == ({"a": 1},)


def test_a_line_that_stays_too_long_is_passed_over_and_counted(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(
        json.dumps({"text": "word " * (LINE_CAP_BYTES // 4)}).encode() + b'\n{"a":1}\n'
    )
    first, second = read_lines(path, 0)
    assert first.damaged
    assert first.records == ()
    assert second.records == ({"a": 1},)


def test_the_fingerprint_tells_another_file_of_the_same_length(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(b"a" * 5000)
    marks = {fingerprint(path, 4000), fingerprint(path, 4000)}
    path.write_bytes(b"a" * 3500 + b"b" * 1500)
    marks.add(fingerprint(path, 4000))
    path.write_bytes(b"c" + b"a" * 4999)
    marks.add(fingerprint(path, 4000))
    assert len(marks) == 3


def test_growth_keeps_the_fingerprint(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(b"abc\n")
    before = fingerprint(path, 4)
    path.write_bytes(b"abc\ndef\n")
    assert fingerprint(path, 4) == before


def test_a_needle_is_found_across_blocks(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(b"x" * (BLOCK_BYTES - 3) + b'"needle"' + b"x" * 10)
    assert holds_any(path, [b'"other"', b'"needle"'])
    assert not holds_any(path, [b'"nothing"'])


@given(st.lists(st.binary(max_size=6).map(lambda raw: raw.replace(b"\n", b"") + b"\n")), st.data())
def test_lines_are_counted_forward_and_backward(
    tmp_path_factory: pytest.TempPathFactory, lines: list[bytes], data: st.DataObject
) -> None:
    path = tmp_path_factory.mktemp("any") / "log"
    path.write_bytes(b"".join(lines))
    number = data.draw(st.integers(0, len(lines)))
    back = data.draw(st.integers(0, len(lines) + 2))
    offset = sum(map(len, lines[:number]))
    assert lines_until(path, offset) == number
    before = lines[: max(0, number - back)]
    assert start_of_lines_before(path, offset, back) == sum(map(len, before))


def test_lines_are_counted_across_blocks(tmp_path: Path) -> None:
    path = tmp_path / "log"
    lines = [b"x" * (BLOCK_BYTES - 1) + b"\n", b"y" * BLOCK_BYTES + b"\n", b"z\n"]
    path.write_bytes(b"".join(lines))
    size = path.stat().st_size
    assert lines_until(path, size) == 3
    starts = [start_of_lines_before(path, size, back) for back in range(5)]
    assert starts == [size, size - 2, BLOCK_BYTES, 0, 0]
