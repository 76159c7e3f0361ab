"""Which project a folder belongs to: read from the files of git, which is never run."""

from __future__ import annotations

import configparser
import re
import uuid
from pathlib import Path

from memgardend.core.clean import clean_line
from memgardend.core.records import Project

_SCP_REMOTE = re.compile(r"(?:[^@/\s]+@)?([^:/\s]+):(?!//)(.+)")
_URL_REMOTE = re.compile(r"[a-z+]+://(?:[^@/\s]*@)?([^/:\s]+)(?::\d+)?/(.+)")


def resolve_project(cwd: str | None, *, fallback: Path | None = None) -> Project | None:
    """The git repository around a folder, worktrees counted as their main one; links are followed first.

    Outside of any repository: `fallback` (the workspace) where it holds the folder, else None.
    """
    if not cwd or not Path(cwd).is_absolute():
        return None
    try:
        folder = Path(cwd).resolve()
        for root in (folder, *folder.parents):
            if (git := _git_folder(root)) is not None:
                return _project(*git)
        inside = fallback is not None and folder.is_relative_to(fallback.resolve())
    except (OSError, RuntimeError, ValueError):
        return None  # no folder of this machine: too long a name, a loop of links, a NUL
    return _project(fallback.resolve(), None) if inside and fallback is not None else None


def _project(root: Path, git: Path | None) -> Project:
    return Project(
        id=str(uuid.uuid5(uuid.NAMESPACE_URL, root.as_uri())),
        name=clean_line(root.name) or str(root),
        root=str(root),
        remote=_remote(git / "config") if git is not None else None,
    )


def _git_folder(root: Path) -> tuple[Path, Path] | None:
    """The root of the repository and its git folder; for a linked worktree those of the main one."""
    git = root / ".git"
    if git.is_dir():
        return root, git
    pointer = _first_line(git)
    if pointer is None or not pointer.startswith("gitdir:"):
        return None
    own = (root / pointer.removeprefix("gitdir:").strip()).resolve()
    common = _first_line(own / "commondir")
    if common is None:  # a submodule: a repository of its own
        return root, own
    main = (own / common).resolve()
    return (main.parent if main.name == ".git" else main), main


def _first_line(path: Path) -> str | None:
    try:
        with path.open(encoding="utf-8", errors="replace") as stream:
            return stream.readline().strip()
    except OSError:
        return None  # no such file, or none that we may read: no repository for us


def _remote(config: Path) -> str | None:
    """`host/owner/name` of origin: the same for every way to reach it, and without credentials."""
    parser = configparser.ConfigParser(strict=False, interpolation=None, allow_no_value=True)
    try:
        parser.read_string(config.read_text(encoding="utf-8", errors="replace"))
    except (OSError, configparser.Error):
        return None  # git's own format allows more than this parser; then the root alone names the project
    url = parser.get('remote "origin"', "url", fallback=None)
    match = _URL_REMOTE.fullmatch(url) or _SCP_REMOTE.fullmatch(url) if url else None
    return f"{match[1]}/{match[2].removesuffix('.git').strip('/')}" if match else None
