"""Releases: the workflows call what people call, may do no more than they need, and the changelog is kept."""

from __future__ import annotations

import re
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

ROOT = Path(__file__).parents[2]
TARGETS = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text("utf-8"), re.M))
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
CHANGELOG = (ROOT / "CHANGELOG.md").read_text("utf-8")
VERSION = r"\d+\.\d+\.\d+(?:(?:a|b|rc)\d+)?"


def workflow(name: str) -> Any:
    return YAML(typ="safe").load(
        (ROOT / ".github" / "workflows" / f"{name}.yml").read_text("utf-8")
    )


def steps(job: Any) -> list[Any]:
    return list(job["steps"])


def made(job: Any) -> list[str]:
    """The Makefile targets that a job calls, in order."""
    calls = [step["run"].split() for step in steps(job) if step.get("run", "").startswith("make ")]
    return [word for call in calls for word in call[1:] if "=" not in word]


def test_there_are_two_workflows() -> None:
    assert [file.stem for file in WORKFLOWS] == ["ci", "release"]


@pytest.mark.parametrize("name", ["ci", "release"])
def test_workflows_call_targets_of_the_makefile_and_pinned_actions(name: str) -> None:
    document = workflow(name)
    assert document["permissions"] == {"contents": "read"}
    for job in document["jobs"].values():
        assert set(made(job)) <= TARGETS
        assert job["timeout-minutes"] <= 60
        used = [step["uses"] for step in steps(job) if "uses" in step]
        assert [
            action for action in used if not re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", action)
        ] == []


def test_ci_runs_what_a_person_runs() -> None:
    assert made(workflow("ci")["jobs"]["check"]) == ["check", "build"]
    assert (ROOT / ".ci" / "run").read_text("utf-8").splitlines()[-1] == "make test"


def test_a_tag_is_checked_and_built_once_then_attested_then_published() -> None:
    document = workflow("release")
    jobs = document["jobs"]

    assert document["on"] == {"push": {"tags": ["v[0-9]+.[0-9]+.[0-9]+*"]}}
    assert [(name, job.get("needs")) for name, job in jobs.items()] == [
        ("build", None),
        ("attest", "build"),
        ("publish", "attest"),
        ("announce", "publish"),
    ]
    assert made(jobs["build"]) == ["tagged", "check", "build"]
    assert [name for name in jobs if made(jobs[name])] == ["build"]


def test_each_job_may_do_one_thing_and_no_token_is_kept() -> None:
    jobs = workflow("release")["jobs"]
    assert {name: job.get("permissions") for name, job in jobs.items()} == {
        "build": None,
        "attest": {"id-token": "write", "attestations": "write"},
        "publish": {"id-token": "write"},
        "announce": {"contents": "write"},
    }
    assert jobs["publish"]["environment"]["name"] == "pypi"
    assert not any("secrets." in file.read_text("utf-8") for file in WORKFLOWS)


@pytest.mark.parametrize(
    ("tag", "fine"), [("v1.2.3", True), ("v1.2.4", False), ("v1x2.3", False), ("", False)]
)
def test_a_tag_must_name_the_version_and_its_changes(tmp_path: Path, tag: str, fine: bool) -> None:
    (tmp_path / "pyproject.toml").write_text('name = "memgardend"\nversion = "1.2.3"\n', "ascii")
    (tmp_path / "CHANGELOG.md").write_text("## [Unreleased]\n\n## [1.2.3] - 2026-12-01\n", "ascii")

    done = subprocess.run(
        ["make", "-s", "-f", ROOT / "Makefile", "tagged", f"TAG={tag}"],
        cwd=tmp_path,
        capture_output=True,
    )

    assert (done.returncode == 0) == fine, done.stderr


def test_the_changelog_has_dated_versions_newest_first() -> None:
    first, *rest = re.findall(r"^## (.*)$", CHANGELOG, re.M)
    assert first == "[Unreleased]"
    dated = [re.fullmatch(rf"\[({VERSION})\] - (\d{{4}}-\d\d-\d\d)", heading) for heading in rest]
    assert None not in dated
    versions = [[int(n) for n in re.findall(r"\d+", one[1])] for one in dated if one]
    dates = [one[2] for one in dated if one]
    assert versions == sorted(versions, reverse=True)
    assert dates == sorted(dates, reverse=True)


def test_changes_are_sorted_under_known_headings_and_none_is_empty() -> None:
    known = {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}
    assert set(re.findall(r"^### (.*)$", CHANGELOG, re.M)) <= known
    assert not re.search(r"^### .*\n+(?=#|\Z)", CHANGELOG, re.M)


def test_the_version_is_one_that_the_changelog_can_name() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert re.fullmatch(VERSION, project["version"])
