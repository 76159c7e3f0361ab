"""Workspaces come, go, break and heal, and none touches another."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from structlog.contextvars import merge_contextvars
from structlog.testing import capture_logs

from memgardend.config.load import load
from memgardend.config.packs import Pack
from memgardend.core.clock import HOUR_MS, MINUTE_MS
from memgardend.core.errors import ConfigError, StoreUnavailableError
from memgardend.core.words import DreamState
from memgardend.daemon.effective import keep_effective
from memgardend.daemon.settings_mark import settings_mark
from memgardend.jobs.context import Garden
from memgardend.jobs.look.daemon import daemon_document
from support.conversation import keep_all
from support.garden import START, ScriptedModel
from support.serving import QUIET, Serving

SOON = QUIET.replace("dream: {", "dream: {idle_minutes: 5, ")


@pytest.fixture
def serving(tmp_path: Path) -> Iterator[Serving]:
    serving = Serving(tmp_path, model=ScriptedModel(keep_all()))
    yield serving
    for one in serving.service.tended.values():
        one.close()


@pytest.fixture
def on_disk(serving: Serving) -> Serving:
    serving.on_disk = True
    return serving


def states(serving: Serving, name: str) -> list[DreamState]:
    return [one.state for one in serving.garden(name).store.dreams()]


def test_each_workspace_dreams_by_its_own_settings(serving: Serving) -> None:
    serving.workspace("a")
    serving.workspace("b", QUIET.replace("dream: {", "dream: {idle_minutes: 30, "))
    serving.service.open()
    for name in ("a", "b"):
        serving.speak(name)
    serving.pass_time(HOUR_MS)
    assert (states(serving, "a"), states(serving, "b")) == ([], [DreamState.APPLIED])
    serving.pass_time(2 * HOUR_MS)
    assert states(serving, "a") == [DreamState.APPLIED]


@pytest.mark.parametrize("trouble", ["settings", "damage", "gone", "bug"])
def test_one_that_breaks_leaves_the_others_alone(on_disk: Serving, trouble: str) -> None:
    serving = on_disk
    healthy, broken = serving.workspace("healthy", SOON), serving.workspace("broken")
    serving.service.open()
    assert serving.tended("broken").trouble is None
    serving.speak("healthy")
    serving.tended("broken").close()
    if trouble == "settings":
        (broken / "memgarden.yaml").write_text("locale: [", "utf-8")
    elif trouble == "damage":
        (broken / ".memgarden" / "memory.db").write_bytes(b"no store")
    elif trouble == "gone":
        (broken / "memgarden.yaml").unlink()
    else:

        def opened(garden: Garden) -> Garden:
            if (healthy / ".memgarden").resolve() in Path(str(garden.store._database.path)).parents:  # type: ignore[attr-defined]
                return garden
            raise ZeroDivisionError("a bug")

        serving.opened = opened
    serving.pass_time(6 * MINUTE_MS)
    assert states(serving, "healthy") == [DreamState.APPLIED]
    found = serving.tended("broken").trouble
    assert found is not None
    assert found.text
    assert serving.tended("broken").errors == (
        1 if trouble == "damage" else 7
    )  # tried each minute, or seldom
    assert str(broken) in serving.service.status()


def test_a_disk_that_comes_back_is_tended_again(serving: Serving) -> None:
    serving.workspace("other")
    root = serving.workspace("work")
    serving.service.open()
    aside = root.rename(root.with_name("aside"))
    serving.pass_time(2 * MINUTE_MS)
    assert serving.tended().trouble is not None
    aside.rename(root)
    serving.pass_time(2 * MINUTE_MS)
    assert serving.tended().trouble is None
    assert serving.tended().open is not None


def test_a_store_that_was_replaced_is_opened_anew(on_disk: Serving) -> None:
    serving = on_disk
    root = serving.workspace(yaml=SOON)
    serving.service.open()
    serving.speak("work")
    file = root / ".memgarden" / "memory.db"
    serving.garden().store.backup(root / "copy.db")
    (root / "copy.db").replace(file)
    serving.pass_time(7 * MINUTE_MS)
    assert serving.tended().trouble is None
    assert states(serving, "work") == [DreamState.APPLIED]


def test_new_workspaces_are_taken_in_and_unregistered_ones_let_go(serving: Serving) -> None:
    first = serving.workspace("a")
    serving.service.open()
    serving.workspace("b")
    serving.pass_time(2 * MINUTE_MS)
    assert sorted(one.name for one in serving.service.tended) == ["a", "b"]
    serving.roots.discard(first)
    serving.pass_time(2 * MINUTE_MS)
    assert [one.name for one in serving.service.tended] == ["b"]


def test_nothing_to_serve_ends_with_what_would_help(serving: Serving) -> None:
    with pytest.raises(ConfigError, match="no workspace is registered"):
        serving.service.open()
    root = serving.workspace(yaml="locale: en\ndreem: {}\n")
    with pytest.raises(ConfigError, match="dreem"):
        serving.service.open()
    (root / "memgarden.yaml").unlink()
    serving.tended().look_again()
    with pytest.raises(StoreUnavailableError, match="not there") as gone:
        serving.service.open()
    assert gone.value.hint == f"ls -ld {root}"


def test_reloading_takes_new_settings_and_keeps_old_ones_for_broken_ones(serving: Serving) -> None:
    root = serving.workspace()
    serving.service.open()
    serving.speak("work")
    (root / "memgarden.yaml").write_text("locale: en\ndreem: {}\n", "utf-8")
    serving.orders.ask_reload()
    serving.turn()
    kept = serving.tended().kept
    assert kept is not None
    assert "dreem" in str(kept)
    assert "old settings kept" in serving.service.status()
    beat = json.loads(serving.garden().store.state("daemon") or "")
    assert beat["kept"] == str(kept)
    assert beat["kept_hint"] == f"memgardend config check -w {root}"
    serving.pass_time(HOUR_MS)
    assert states(serving, "work") == []
    assert [sorted(one) for one in serving.told if "RELOADING" in one or "READY" in one] == [
        ["MONOTONIC_USEC", "RELOADING"],
        ["READY"],
    ]
    (root / "memgarden.yaml").write_text(
        QUIET.replace("dream: {", "dream: {idle_minutes: 90, "), "utf-8"
    )
    serving.pass_time(HOUR_MS)  # a mended file is taken without being told
    assert serving.tended().kept is None
    assert states(serving, "work") == [DreamState.APPLIED]


def test_an_edit_reaches_hooks_within_a_minute_and_the_daemon_when_it_is_told(
    serving: Serving,
) -> None:
    root = serving.workspace()
    folder = root / ".memgarden"
    folder.mkdir(exist_ok=True)
    keep_effective(folder, load(root / "memgarden.yaml"), Pack("en").slot)
    serving.service.open()
    before, daemon = told_hooks(folder), serving.tended()
    (root / "memgarden.yaml").write_text(QUIET + "recall: {hit_top_k: 5}\n", "utf-8")
    with capture_logs() as logs:
        serving.pass_time(2 * MINUTE_MS)
    assert (before["hit_top_k"], told_hooks(folder)["hit_top_k"]) == (2, 5)
    assert [one["event"] for one in logs if one["event"] == "settings_edited"] == [
        "settings_edited"
    ]
    assert daemon.open is not None
    assert daemon.open.place.config.recall.hit_top_k == 2
    assert looked(serving, root)["settings_old"]
    (root / "memgarden.yaml").write_text("locale: en\ndreem: {}\n", "utf-8")
    with capture_logs() as logs:
        serving.pass_time(2 * MINUTE_MS)
    assert "hook_settings_kept" in [one["event"] for one in logs]
    assert told_hooks(folder)["hit_top_k"] == 5
    (root / "memgarden.yaml").write_text(QUIET + "recall: {hit_top_k: 5}\n", "utf-8")
    serving.orders.ask_reload()
    serving.turn()
    assert not looked(serving, root)["settings_old"]
    unread = daemon_document(serving.garden().store, serving.clock.now_ms())
    assert not unread["settings_old"], "who has not looked cannot know"
    assert daemon.open.place.config.recall.hit_top_k == 5


def told_hooks(folder: Path) -> dict[str, Any]:
    """What hooks go by."""
    said: dict[str, Any] = json.loads((folder / "effective.json").read_bytes())["recall"]
    return said


def looked(serving: Serving, root: Path) -> dict[str, Any]:
    """The daemon as `status` sees it."""
    store, now = serving.garden().store, serving.clock.now_ms()
    return daemon_document(store, now, settings=settings_mark(root))


def test_a_paused_workspace_reads_but_does_not_dream(serving: Serving) -> None:
    serving.workspace()
    serving.service.open()
    serving.speak("work")
    until = START + 5 * HOUR_MS
    serving.garden().store.set_state("paused", None, json.dumps({"until": until}))
    serving.pass_time(5 * HOUR_MS - 1)
    assert states(serving, "work") == []
    serving.pass_time(1)
    assert [one.started_at for one in serving.garden().store.dreams()] == [until]


def test_housekeeping_keeps_three_verified_copies(on_disk: Serving) -> None:
    serving = on_disk
    root = serving.workspace()
    serving.service.open()
    for _ in range(5):
        serving.clock.advance(25 * HOUR_MS)
        serving.turn()
    copies = sorted((root / ".memgarden" / "backups").iterdir())
    assert len(copies) == 3
    assert all(copy.name.startswith("memory-") for copy in copies)


def test_housekeeping_removes_what_killed_writers_left(on_disk: Serving) -> None:
    spool = on_disk.workspace() / ".memgarden" / "spool"
    on_disk.service.open()
    spool.mkdir()
    day_s = 24 * 3600
    now_s = on_disk.clock.now_ms() / 1000 + 2 * day_s
    ages = {".marks.json.0123456789abcdef": 2, ".marks.json.fedcba9876543210": 0, ".theirs": 9}
    for name, days in ages.items():
        (spool / name).touch()
        os.utime(spool / name, times=(now_s - days * day_s,) * 2)
    on_disk.pass_time(2 * day_s * 1000)
    assert {one.name for one in spool.iterdir()} == set(ages) - {".marks.json.0123456789abcdef"}


def test_a_daily_copy_that_failed_is_tried_again_within_the_hour(on_disk: Serving) -> None:
    serving = on_disk
    root = serving.workspace()
    folder = root / ".memgarden" / "backups"
    serving.service.open()
    serving.turn()
    shutil.rmtree(folder)
    folder.write_text("in the way", "utf-8")
    serving.pass_time(25 * HOUR_MS)
    assert serving.tended().last_error
    folder.unlink()
    serving.pass_time(HOUR_MS)
    assert len(list(folder.iterdir())) == 1
    serving.pass_time(12 * HOUR_MS)
    assert len(list(folder.iterdir())) == 1


def test_a_task_that_raises_is_counted_and_shown(serving: Serving) -> None:
    serving.workspace()
    serving.service.open()
    serving.speak("work")
    broken = replace(serving.garden(), jitter=lambda: 1 / 0)
    serving.opened = lambda garden: replace(garden, slot=lambda name: str(broken.jitter()))
    serving.pass_time(3 * HOUR_MS + MINUTE_MS)
    assert serving.tended().errors
    assert serving.tended().last_error == "division by zero"
    beat = json.loads(serving.garden().store.state("daemon") or "")
    assert beat["errors"] == serving.tended().errors
    assert START < beat["last_error_at"] <= serving.clock.now_ms()


def test_every_line_about_a_workspace_names_it(serving: Serving) -> None:
    """`logs` of one would show the sweeps and dreams of all others, too."""
    serving.workspace("a", SOON)
    serving.workspace("b", SOON)
    serving.service.open()
    serving.speak("a")
    with capture_logs([merge_contextvars]) as said:
        serving.pass_time(HOUR_MS)
    about = {"sweep_ended", "dream_claimed", "dream_committed", "dream_ended"}
    assert about <= {one["event"] for one in said}
    told = [one for one in said if one["event"] in about and one["log_level"] != "debug"]
    named = {one.get("workspace") for one in told}
    assert named == {str(serving.folder / "a")}


def test_a_full_disk_sets_the_workspace_aside_with_the_reason_and_without_a_rush(
    serving: Serving,
) -> None:
    serving.workspace("full")
    serving.workspace("other")
    serving.service.open()
    serving.speak("other")
    store = serving.garden("full").store
    says = "/srv/memory.db has no room: the disk is full"

    def full(*_: object) -> bool:
        raise StoreUnavailableError(says)

    writes = store.set_state
    store.set_state = full  # type: ignore[method-assign, assignment]
    turns: list[None] = []
    with capture_logs([merge_contextvars]) as said:
        serving.pass_time(10 * MINUTE_MS, lambda: turns.append(None))
    here = {one["event"] for one in said if one.get("workspace") == str(serving.folder / "full")}
    assert here == {"workspace_failed"}
    trouble = serving.tended("full").trouble
    assert trouble is not None
    assert (trouble.text, serving.tended("full").lasting) == (says, False)
    assert len(turns) < 50
    serving.service.run(lambda seconds: serving.orders.stop() or set())  # type: ignore[func-returns-value]
    noted = serving.troubles[-1][serving.folder / "full"]
    assert (noted.text, noted.retry_at) == (says, serving.clock.now_ms() + MINUTE_MS)
    store.set_state = writes  # type: ignore[method-assign]
    serving.tended("full").look_again()
    with capture_logs([merge_contextvars]) as said:
        serving.service.turn()
    assert serving.tended("full").trouble is None
    assert {one["event"] for one in said} == {"workspace_opened"}


def test_a_store_that_another_process_locks_holds_up_nobody_else(tmp_path: Path) -> None:
    serving = Serving(tmp_path, model=ScriptedModel(keep_all()), on_disk=True, patience_ms=0)
    root = serving.workspace("locked", SOON)
    serving.workspace("other", SOON)
    serving.service.open()
    for name in ("locked", "other"):
        serving.speak(name)
    writer = sqlite3.connect(root / ".memgarden" / "memory.db", isolation_level=None)
    writer.execute("BEGIN EXCLUSIVE")
    turns: list[None] = []
    serving.pass_time(10 * MINUTE_MS, lambda: turns.append(None))
    assert states(serving, "other") == [DreamState.APPLIED]
    assert serving.tended("locked").open is not None
    assert len(turns) < 10 * 60 / 5 * 2
    writer.execute("ROLLBACK")
    serving.pass_time(5_000)
    assert states(serving, "locked") == [DreamState.APPLIED]
    writer.close()
    for name in ("locked", "other"):
        serving.tended(name).close()


def test_settings_that_a_person_no_longer_agrees_to_are_read_anew(serving: Serving) -> None:
    serving.workspace(yaml=SOON)
    serving.service.open()
    agreed = False

    def opened(garden: Garden) -> Garden:
        if not agreed:
            raise ConfigError("the model settings have changed since you agreed to them")
        return garden

    serving.speak()
    serving.opened = opened
    serving.pass_time(6 * MINUTE_MS)
    kept = serving.tended().kept
    assert kept is not None
    assert "agreed" in str(kept)
    assert states(serving, "work") == [DreamState.PENDING]
    agreed = True
    serving.pass_time(2 * MINUTE_MS)
    assert serving.tended().kept is None
    assert states(serving, "work") == [DreamState.APPLIED]
