"""SIGKILL of the resident daemon at random times: after each the store is sound, at last all is dreamed once."""

from __future__ import annotations

import json
import random
import subprocess
import threading
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from memgardend.core.ports import Store
from memgardend.daemon.failpoints import NoFailpoints
from memgardend.daemon.locations import GARDEN
from memgardend.daemon.store import open_rehearsal, verify
from memgardend.daemon.store.driver import Database
from support.commandline import COMMAND, CommandLine

PAID_MODEL = (
    'echo "$MEMGARDEND_DREAM $MEMGARDEND_ROUND" >> "$0"; sleep 0.1;'
    """ echo '{"operations": [], "questions": [], "summary": "nothing"}'"""
)
"""Notes each call before it is answered."""
LONGEST_SECONDS = 2.0

Calls = Counter[tuple[str, str]]


def settings(ledger: Path) -> str:
    """Two dreams at once, by a model that is paid for each call."""
    argv = json.dumps(["sh", "-c", PAID_MODEL, str(ledger)])
    return (
        f"locale: en\nsources: []\nmodel: {{command: {argv}}}\n"
        "dream: {idle_minutes: 5, suppress_windows: [], max_concurrent: 2, max_attempts: 1000}\n"
    )


def killed(command: CommandLine, seconds: float) -> None:
    """Run the daemon for so long."""
    process = subprocess.Popen(
        [COMMAND, "run"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=command.environment(),
        cwd=command.workspace,
    )
    threading.Event().wait(seconds)
    process.kill()
    process.wait()


def kill_often(
    folder: Path, rounds: int, seed: int, harm: Callable[[Path], None] = lambda store_file: None
) -> None:
    """Let people speak and the daemon die, again and again; then let one live. `harm` befalls the store last."""
    print(f"seed {seed}")  # noqa: T201 - a seed replays the run
    chance = random.Random(seed)
    command, ledger = CommandLine(folder), folder / "ledger"
    ledger.touch()
    command.configure(settings(ledger))
    command.ok("init", "--yes")
    store_file = command.workspace / ".memgarden" / "memory.db"
    paid: Calls = Counter()
    for number in range(rounds):
        command.push(f"w{number % 7}", f"I always want port {8000 + number} for service {number}.")
        killed(command, chance.uniform(0.2, LONGEST_SECONDS))
        assert list(verify(store_file)) == []
        paid = still_paid_once(copy_of(store_file), ledger, paid)
    # Past every backoff; the last death may only be found now, and waits once more.
    for day in (2, 3):
        command.extra["MEMGARDEND_CLOCK"] = f"2026-12-0{day}T03:00:00+08:00@0"
        command.ok("run", "--once")
    harm(store_file)
    command.ok("run", "--once")
    store = copy_of(store_file)
    still_paid_once(store, ledger, paid)
    covered = Counter(
        (one.window, seq)
        for one in store.dreams()
        if one.state in ("applied", "empty")
        for seq in range(one.from_seq + 1, (one.through_seq or 0) + 1)
    )
    assert set(covered.values()) == {1}
    assert sum(covered.values()) == rounds
    assert [one.new_events for one in store.window_facts()] == [0] * min(7, rounds)


def copy_of(store_file: Path) -> Store:
    return open_rehearsal(store_file, GARDEN, failpoints=NoFailpoints())


def still_paid_once(store: Store, ledger: Path, paid: Calls) -> Calls:
    """The calls so far of all rounds whose answer is stored; none of those of `paid` was asked again."""
    calls: Calls = Counter()
    for line in ledger.read_text("ascii").splitlines():
        dream, _, name = line.partition(" ")
        calls[dream, name] += 1
    again = {one: calls[one] for one in paid if calls[one] != paid[one]}
    assert again == {}
    return Counter(
        {
            (dream.id, one.name): calls[dream.id, one.name]
            for dream in store.dreams()
            for one in store.rounds(dream.id)
            if one.answer is not None
        }
    )


@pytest.mark.sweep
@pytest.mark.timeout(1800)
def test_two_hundred_daemons_die(tmp_path: Path) -> None:
    kill_often(tmp_path, 200, random.SystemRandom().randrange(1 << 32))


def test_some_daemons_die(tmp_path: Path) -> None:
    kill_often(tmp_path, 8, 7)


def dream_again(store_file: Path) -> None:
    """A watermark that is lost."""
    with Database.open(store_file).write() as transaction:
        transaction.execute("UPDATE windows SET dreamed_seq = 0, rev = rev + 1")


def lose_a_dream(store_file: Path) -> None:
    """A watermark that is moved without a dream."""
    with Database.open(store_file).write() as transaction:
        transaction.execute("DELETE FROM receipts")
        transaction.execute("DELETE FROM dream_rounds")
        transaction.execute("DELETE FROM dreams")


@pytest.mark.parametrize("harm", [dream_again, lose_a_dream])
def test_what_is_dreamed_twice_or_never_is_noticed(
    harm: Callable[[Path], None], tmp_path: Path
) -> None:
    with pytest.raises(AssertionError):
        kill_often(tmp_path, 1, 7, harm)


def test_an_answer_paid_twice_is_noticed(tmp_path: Path) -> None:
    ledger = tmp_path / "ledger"
    ledger.write_text("d1 atomic\nd1 topic\nd1 atomic\n", "ascii")
    store = open_rehearsal(tmp_path / "none.db", GARDEN, failpoints=NoFailpoints())
    with pytest.raises(AssertionError):
        still_paid_once(store, ledger, Counter({("d1", "atomic"): 1}))
