"""A project is a repository, however one comes to it."""

from __future__ import annotations

from pathlib import Path

import pytest

from memgardend.core.records import Project
from memgardend.daemon.projects import resolve_project


def _repository(root: Path, remote: str | None = None) -> Path:
    (root / ".git").mkdir(parents=True)
    config = "[core]\n\tbare = false\n"
    if remote:
        config += f'[remote "origin"]\n\turl = {remote}\n\tfetch = +refs/heads/*\n'
    (root / ".git" / "config").write_text(config)
    return root


def _project(cwd: Path) -> Project:
    project = resolve_project(str(cwd))
    assert project is not None
    return project


def test_folders_of_a_repository_share_its_project(tmp_path: Path) -> None:
    root = _repository(tmp_path / "harbor")
    inside = root / "src" / "deep"
    inside.mkdir(parents=True)
    assert _project(inside) == _project(root)
    assert _project(root / "deleted" / "since") == _project(root)
    assert (_project(root).name, _project(root).root) == ("harbor", str(root))


def test_repositories_of_one_name_are_two_projects(tmp_path: Path) -> None:
    one, two = _repository(tmp_path / "a" / "app"), _repository(tmp_path / "b" / "app")
    assert _project(one).id != _project(two).id
    assert _project(one).name == _project(two).name


def test_a_worktree_belongs_to_its_main_repository(tmp_path: Path) -> None:
    root = _repository(tmp_path / "harbor")
    own = root / ".git" / "worktrees" / "fix"
    own.mkdir(parents=True)
    (own / "commondir").write_text("../..\n")
    tree = tmp_path / "harbor-fix"
    tree.mkdir()
    (tree / ".git").write_text(f"gitdir: {own}\n")
    assert _project(tree) == _project(root)


def test_a_submodule_is_a_project_of_its_own(tmp_path: Path) -> None:
    root = _repository(tmp_path / "harbor")
    (root / ".git" / "modules" / "lib").mkdir(parents=True)
    module = root / "lib"
    module.mkdir()
    (module / ".git").write_text("gitdir: ../.git/modules/lib\n")
    assert _project(module).root == str(module)


def test_links_are_followed_first(tmp_path: Path) -> None:
    root = _repository(tmp_path / "harbor")
    (tmp_path / "link").symlink_to(root)
    assert _project(tmp_path / "link") == _project(root)


REMOTES = {
    "https": "https://github.com/mira/harbor.git",
    "with credentials": "https://mira:s3cr3t@github.com/mira/harbor.git",
    "ssh": "ssh://git@github.com:22/mira/harbor",
    "scp": "git@github.com:mira/harbor.git",
}


@pytest.mark.parametrize("remote", REMOTES.values(), ids=REMOTES.keys())
def test_every_way_to_a_remote_reads_the_same(tmp_path: Path, remote: str) -> None:
    assert _project(_repository(tmp_path / "x", remote)).remote == "github.com/mira/harbor"


def test_outside_of_repositories_the_workspace_stands_in(tmp_path: Path) -> None:
    chat = tmp_path / "chat"
    assert resolve_project(str(chat)) is None
    project = resolve_project(str(chat), fallback=tmp_path)
    assert project is not None
    assert project.root == str(tmp_path)
    assert resolve_project("/elsewhere", fallback=tmp_path) is None


@pytest.mark.parametrize("cwd", [None, "", "relative/folder"])
def test_no_absolute_folder_no_project(cwd: str | None) -> None:
    assert resolve_project(cwd) is None


def test_a_folder_that_cannot_be_is_in_no_project(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    for cwd in (str(tmp_path / "loop" / "x"), "/" + "x" * 5000, "/nul\0byte"):
        assert resolve_project(cwd) is None
