"""Workflows: what each job may do, that a tag publishes all that is promised, and commands that need no registry."""

import json
import os
import re
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from harness.make_run import ROOT

WORKFLOWS = {path.name: path.read_text() for path in sorted((ROOT / ".github" / "workflows").glob("*.yml"))}
JOBS = [
    (f"{name}: {key}", job) for name, text in WORKFLOWS.items() for key, job in yaml.safe_load(text)["jobs"].items()
]
RELEASE: dict[str, Any] = yaml.safe_load(WORKFLOWS["release.yml"])["jobs"]


def uses(job: dict[str, Any]) -> list[str]:
    return [step["uses"].partition("@")[0] for step in job["steps"] if "uses" in step]


def publishes(job: dict[str, Any]) -> bool:
    return "write" in job["permissions"].values()


def test_actions_are_pinned_by_a_full_hash_the_same_everywhere() -> None:
    pinned: dict[str, set[str]] = {}
    for name, text in WORKFLOWS.items():
        for line in re.findall(r"^.*\buses: .*$", text, re.MULTILINE):
            match = re.search(r"uses: ([\w./-]+)@([0-9a-f]{40} # v\d+(?:\.\d+)+)$", line)
            assert match, f"{name}: {line.strip()}: a full hash, and the version as a comment"
            pinned.setdefault(match[1], set()).add(match[2])
    assert {action: hashes for action, hashes in pinned.items() if len(hashes) > 1} == {}
    assert len(pinned) > 5


@pytest.mark.parametrize("name", WORKFLOWS)
def test_a_workflow_may_do_nothing_that_its_jobs_do_not_name(name: str) -> None:
    workflow = yaml.safe_load(WORKFLOWS[name])
    assert workflow["permissions"] == {}
    assert all("permissions" in job and "timeout-minutes" in job for job in workflow["jobs"].values())


def test_only_jobs_that_publish_have_an_identity_or_may_write() -> None:
    """Each is in an environment, whose rules may ask for a person, and runs nothing of the repository."""
    publishing = {name: job for name, job in JOBS if publishes(job)}
    scorecard = publishing.pop("scorecard.yml: scorecard")
    assert set(publishing) == {f"release.yml: {name}" for name in ("pypi", "npm", "registry", "page")}
    for name, job in publishing.items():
        assert job["permissions"]["id-token"] == "write", name
        assert job["environment"], name
        assert "actions/checkout" not in uses(job), name
        assert set(job["needs"]) >= {"packages", "images"} or set(job["needs"]) >= {"pypi", "npm", "registry"}, name
    assert [step for step in scorecard["steps"] if "run" in step] == []


def test_checkouts_leave_no_credentials() -> None:
    for name, job in JOBS:
        for step in job["steps"]:
            if step.get("uses", "").startswith("actions/checkout@"):
                assert step["with"]["persist-credentials"] is False, name


def test_a_tag_publishes_every_package_and_image() -> None:
    projects = [ROOT / "pyproject.toml", *(ROOT / "clients").glob("*/pyproject.toml")]
    names = {tomllib.loads(path.read_text())["project"]["name"] for path in projects}
    assert set(RELEASE["pypi"]["strategy"]["matrix"]["package"]) == names
    built = "\n".join(step["run"] for step in RELEASE["packages"]["steps"] if "run" in step)
    for path, name in ((path, tomllib.loads(path.read_text())["project"]["name"]) for path in projects):
        folder = path.parent.relative_to(ROOT)
        assert re.search(rf"wheel\.py dist/{name}{'' if folder == Path() else f' {folder}'}$", built, re.MULTILINE), (
            name
        )
    package = json.loads((ROOT / "clients" / "typescript" / "package.json").read_text())["name"]
    assert RELEASE["npm"]["environment"]["url"].endswith(f"/{package}")
    composed = {
        service["image"] for service in yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"].values()
    }
    images = {match[1] for image in composed if (match := re.match(r"(?:\$\{\w+:-\})?shengji-(\w+):", image))}
    for job in ("images", "registry"):
        assert set(RELEASE[job]["strategy"]["matrix"]["target"]) == images


def test_compiled_wheels_are_for_every_python_that_is_tested_and_for_the_platforms_of_the_images() -> None:
    tested = yaml.safe_load(WORKFLOWS["ci.yml"])["jobs"]["test"]["strategy"]["matrix"]["python"]
    script = (ROOT / "scripts" / "compiled_wheels").read_text()
    [versions] = re.findall(r"^for version in (.+); do$", script, re.MULTILINE)
    assert versions.split() == [version.replace(".", "") for version in tested]
    images = step("images", "Build for two architectures")
    named = {"amd64": "x86_64", "arm64": "aarch64"}
    assert {each["platform"] for each in RELEASE["compiled"]["strategy"]["matrix"]["include"]} == {
        f"manylinux_2_28_{named[architecture]}" for architecture in re.findall(r"linux/(\w+)", images)
    }
    assert "compiled" in RELEASE["pypi"]["needs"]


def test_what_is_published_is_signed_as_it_was_built() -> None:
    assert {name for name, job in RELEASE.items() if "actions/attest" in uses(job)} == {"registry", "page"}
    [to_pypi] = [step for step in RELEASE["pypi"]["steps"] if "pypi-publish" in step.get("uses", "")]
    assert to_pypi["with"]["attestations"] is True
    text = WORKFLOWS["release.yml"]
    assert "--preserve-digests" in text
    assert "_PASSWORD" not in text.upper(), "registries know the workflow, not a password"
    assert set(re.findall(r"secrets\.(\w+)", text)) == {"GITHUB_TOKEN"}


def step(job: str, name: str) -> str:
    [commands] = [each["run"] for each in RELEASE[job]["steps"] if each.get("name") == name]
    return str(commands)


def run(commands: str, folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the commands of a step as the forge does."""
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", commands],
        cwd=folder,
        env={"PATH": os.environ["PATH"], "GITHUB_REPOSITORY": "o/r", "GITHUB_REF_NAME": "v0.3.0"} | environment,
        capture_output=True,
        text=True,
        check=False,
    )


def collected(folder: Path, tag: str) -> subprocess.CompletedProcess[str]:
    """Collect what the page of a tag has, from packages that are built."""
    for name in ("CHANGELOG.md", "openapi.yaml", "asyncapi.yaml"):
        (folder / name).write_bytes((ROOT / name).read_bytes())
    for name in ("shengji-client/a.whl", "shengji-service/b.whl", "npm/c.tgz"):
        (folder / "dist" / name).parent.mkdir(parents=True)
        (folder / "dist" / name).write_text(name)
    return run(step("packages", "Collect what the release page has"), folder, GITHUB_REF_NAME=tag)


def test_the_release_page_has_every_file_its_digest_and_the_changes_of_the_version(tmp_path: Path) -> None:
    done = collected(tmp_path, "v0.3.0")
    assert done.returncode == 0, done.stderr
    (tmp_path / "digests").mkdir()
    for name in ("redis", "service"):
        (tmp_path / "digests" / f"{name}.txt").write_text(f"ghcr.io/o/shengji-{name}:0.3.0@sha256:1\n")
    listed = run(step("page", "List the images by digest"), tmp_path)
    assert listed.returncode == 0, listed.stderr
    page = tmp_path / "dist" / "page"
    sums = subprocess.run(["sha256sum", "--check", "SHA256SUMS"], cwd=page, capture_output=True, text=True, check=True)
    files = {"a.whl", "b.whl", "c.tgz", "openapi.yaml", "asyncapi.yaml", "IMAGES"}
    assert {line.partition(":")[0] for line in sums.stdout.splitlines()} == files
    notes = (tmp_path / "dist" / "notes.md").read_text()
    of_version = (ROOT / "CHANGELOG.md").read_text().partition("\n## 0.3.0 - ")[2].partition("\n## ")[0]
    assert notes.startswith(of_version.partition("\n")[2])
    images = "".join(f"`ghcr.io/o/shengji-{name}:0.3.0@sha256:1`  \n" for name in ("redis", "service"))
    assert notes.endswith(f"### Images\n{images}")


def test_a_version_without_changes_is_not_released(tmp_path: Path) -> None:
    assert collected(tmp_path, "v9.9.9").returncode != 0


def test_another_tag_than_the_version_is_refused() -> None:
    [version] = re.findall(
        r'^VERSION: Final = "(.+)"$', (ROOT / "service/common/settings.py").read_text(), re.MULTILINE
    )
    check = step("packages", "Check that the tag is the version")
    assert run(check, ROOT, GITHUB_REF_NAME=f"v{version}").returncode == 0
    assert run(check, ROOT, GITHUB_REF_NAME=f"v{version}1").returncode == 1


def test_links_of_published_pages_lead_to_the_repository(tmp_path: Path) -> None:
    pages = [ROOT / name for name in ("README.md", "CHANGELOG.md")] + [*(ROOT / "clients").glob("*/README.md")]
    for page in pages:
        copy = tmp_path / page.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(page.read_bytes())
    (tmp_path / "scripts").symlink_to(ROOT / "scripts")
    done = run(step("packages", "Make links of pages work outside the repository"), tmp_path)
    assert done.returncode == 0, done.stderr
    led = 0
    for page in pages:
        before = re.findall(r"\]\(([^)]+)\)|src=\"([^\"]+)\"", page.read_text())
        after = re.findall(r"\]\(([^)]+)\)|src=\"([^\"]+)\"", (tmp_path / page.relative_to(ROOT)).read_text())
        for (link, picture), (new_link, new_picture) in zip(before, after, strict=True):
            if "://" in link + picture or link.startswith("#"):
                assert (new_link, new_picture) == (link, picture)
                continue
            kind = "blob" if link else "raw"
            place = (new_link or new_picture).removeprefix(f"https://github.com/o/r/{kind}/v0.3.0/").partition("#")[0]
            assert (ROOT / place).exists(), (page, link, picture, place)
            led += 1
    assert led > 50
