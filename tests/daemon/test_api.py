"""`from memgardend import Garden`: the calls of agents, from Python, with the daemon dead."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import structlog

from memgardend import Garden
from memgardend.core.clock import ManualClock
from memgardend.core.errors import ConfigError, ConflictError, UsageError
from memgardend.core.words import Layer, Status
from memgardend.daemon.log_file import log_file
from memgardend.jobs.tools import DreamStart, Outcome
from support.garden import START

PAGE = Path(__file__).parents[2] / "docs" / "python.md"
PORT = "The staging server of the shop listens on port 8080."


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with settings, that nobody has registered, and a state folder of its own."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    folder = tmp_path / "work"
    folder.mkdir()
    (folder / "memgarden.yaml").write_text("locale: en\nsources: []\n", "utf-8")
    return folder


@pytest.fixture
def garden(workspace: Path) -> Iterator[Garden]:
    with Garden.open(workspace, clock=ManualClock(START)) as opened:
        yield opened


def test_reading_creates_nothing(garden: Garden, workspace: Path) -> None:
    assert garden.search("port").hits == ()
    with pytest.raises(UsageError, match="known: none"):
        garden.project("shop")
    with pytest.raises(UsageError, match="no memory"):
        garden.read("01")
    assert [one.name for one in workspace.iterdir()] == ["memgarden.yaml"]


def test_what_is_remembered_is_found_read_compared_and_changed(garden: Garden) -> None:
    assert garden.search("port").hits == ()
    done = garden.remember(PORT, project="shop", keywords="staging, port", importance=3)
    assert (done.outcome, done.memory.keywords) == (Outcome.STORED, ("staging", "port"))
    assert [one.memory for one in garden.search("which port").hits] == [done.memory]
    assert [shelf.memories for shelf in garden.project("shop").shelves] == [(done.memory,)]
    assert garden.read(done.memory.id[:8]).memory == done.memory
    other = garden.remember(PORT.replace("8080", "9090"), project=["shop"]).memory
    assert [one.memory for one in garden.find_similar(other.id)] == [done.memory]
    changed = garden.update(done.memory.id, status="archived", reason="moved", revision=1)
    assert changed.changed == ("status",)
    assert [one.memory for one in garden.search("port").hits] == [other]
    gone = garden.search("port", status=Status.ARCHIVED)
    assert [one.memory.id for one in gone.hits] == [done.memory.id]


def test_each_mistake_has_its_error(garden: Garden) -> None:
    memory = garden.remember(PORT, project="shop", layer=Layer.FACT).memory
    with pytest.raises(UsageError, match="is no layer; choose from: soul"):
        garden.remember(PORT, layer="rule")
    with pytest.raises(UsageError, match="no list"):
        garden.remember(PORT, keywords='["a"')
    with pytest.raises(ConflictError):
        garden.update(memory.id, importance=4, revision=2)
    with pytest.raises(UsageError, match="known: shop"):
        garden.search("port", project="blog")
    with pytest.raises(UsageError, match="window"):
        garden.recall("hello")
    with pytest.raises(UsageError, match="window"):
        garden.dream()


def test_outside_of_any_workspace_there_is_no_garden(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"no memgarden\.yaml"):
        Garden.open(tmp_path)


def test_a_folder_that_nobody_named_or_registered_is_not_written(
    workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(workspace)
    with Garden.open(clock=ManualClock(START)) as garden:
        assert garden.search("port").hits == ()
        with pytest.raises(ConfigError, match="not registered"):
            garden.remember(PORT)


def test_nothing_of_such_a_folder_runs_or_speaks(
    workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Garden.open(workspace, clock=ManualClock(START)) as garden:
        garden.remember(PORT)
    settings = workspace / "memgarden.yaml"
    settings.write_text(f"{settings.read_text('utf-8')}recall: {{policy: 'os:abort'}}\n", "utf-8")
    override = workspace / ".memgarden/prompts/en/recall.md"
    override.parent.mkdir(parents=True)
    override.write_text("nothing = of ours", "utf-8")
    monkeypatch.chdir(workspace)
    with Garden.open(clock=ManualClock(START)) as garden:
        assert len(garden.search("port").hits) == 1


def test_in_a_window_nothing_comes_twice(workspace: Path) -> None:
    clock = ManualClock(START)
    with Garden.open(workspace, clock=clock) as garden:
        garden.remember(PORT, project="global", keywords="staging, port, server")
        garden.remember("Never deploy on a Friday.", project="global", layer="rules")
    with Garden.open(workspace, window="event:w", clock=clock) as garden:
        said = "Which port does the staging server have?"
        first = garden.recall("Hello!")
        assert first is not None and "Never deploy" in first.text
        clock.advance(60_000)
        second = garden.recall(said)
        assert second is not None and PORT in second.text
        assert garden.recall(said) is None
        assert garden.dream().start is DreamStart.UNKNOWN


def test_what_happens_is_kept_in_the_log_and_not_printed(
    garden: Garden, capsys: pytest.CaptureFixture[str]
) -> None:
    before = structlog.get_config()
    structlog.reset_defaults()
    try:
        garden.remember(PORT, project="global")
        structlog.get_logger().warning("dream_claimed")
    finally:
        structlog.configure(**before)
    assert capsys.readouterr() == ("", "")
    assert [one["event"] for one in log_file().read()[0]] == ["dream_claimed"]


def test_a_model_calls_the_tools_by_name(garden: Garden) -> None:
    names = [one.name for one in garden.tools()]
    assert names[0] == "memory_remember" and len(names) == 7
    refused = garden.call("memory_remember", {"content": PORT})
    assert not refused.ok and "`project` is missing" in refused.text
    done = garden.call(
        "memory_remember",
        {"content": PORT, "project": "shop", "keywords": '["port"]', "importance": "3"},
    )
    assert done.ok and done.document["memory"]["keywords"] == ["port"]


def test_the_page_on_python_runs(
    workspace: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(workspace.rename(workspace.with_name("shop")).parent)
    [program] = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    exec(compile(program, PAGE.name, "exec"), {})
    stored, hit = capsys.readouterr().out.splitlines()
    assert stored.startswith("stored 0") and hit.endswith("listens on port 8080.")


def test_every_call_is_on_the_page() -> None:
    page = PAGE.read_text("utf-8")
    calls = [name for name in vars(Garden) if not name.startswith("_") and name != "close"]
    assert [name for name in calls if not re.search(rf"`(?:Garden\.)?{name}\(", page)] == []


def test_closed_it_opens_again(garden: Garden) -> None:
    garden.remember(PORT)
    garden.close()
    garden.close()
    assert len(garden.search("port").hits) == 1
