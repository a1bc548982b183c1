"""The wheel: one command runs the service where there is no clone."""

import os
import subprocess
import sys
import zipfile
from configparser import ConfigParser
from urllib.request import urlopen

import pytest

from harness.make_run import ROOT, Service
from service.common.settings import VERSION
from tests.support.wheels import built, installed

GUIDES = "docs/guides"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    return built(tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def shengji(wheel, tmp_path_factory):
    """The program of an environment with the wheel and what it requires."""
    folder = tmp_path_factory.mktemp("environment")
    python, packages = installed(wheel, folder)
    [required] = (ROOT / ".venv").glob("lib/python*/site-packages")
    (packages / "required.pth").write_text(f"{required}\n")
    [entries] = packages.glob("*.dist-info/entry_points.txt")
    scripts = ConfigParser()
    scripts.read(entries)
    module, _, function = scripts["console_scripts"]["shengji"].partition(":")
    program = folder / "bin" / "shengji"
    program.write_text(f"#!{python}\nimport sys\nfrom {module} import {function}\nsys.exit({function}())\n")
    program.chmod(0o755)
    return program


def test_a_wheel_has_every_file_of_the_service(wheel):
    names = set(zipfile.ZipFile(wheel).namelist())
    tracked = subprocess.run(
        ["git", "ls-files", "service", "workers"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    # Declarations for the compiler are of no use without it.
    assert [name for name in tracked.stdout.split() if name not in names and not name.endswith(".pxd")] == []
    assert f"shengji_service-{VERSION}.dist-info/entry_points.txt" in names


def test_a_round_is_played_in_an_empty_folder_by_one_command(shengji, tmp_path):
    clean = {name: "" for name in os.environ if name.startswith("PYTHON")}
    service = Service(tmp_path, command=[shengji, "run"], **clean)
    try:
        service.wait_until_ready()
        assert str(ROOT) not in service.output().replace(str(ROOT / ".venv"), "")
        demo = [sys.executable, "-m", "demo", "--url", service.url, "--pace", "0"]
        played = subprocess.run(demo, cwd=ROOT, capture_output=True, text=True, check=True)
        assert "next round:" in played.stdout, played.stdout
        for path in ("", "openapi.yaml", "docs/problems", f"{GUIDES}/contract.md"):
            with urlopen(f"{service.url}/{path}") as answer:  # noqa: S310 - our own address
                assert answer.status == 200
    finally:
        assert service.stop() == 0


def test_a_command_that_is_unknown_is_refused_with_those_that_there_are(shengji):
    answer = subprocess.run([shengji, "rnu"], capture_output=True, text=True, check=False)
    assert (answer.returncode, answer.stdout) == (2, "")
    assert answer.stderr.startswith("There is no command 'rnu'.\n\nshengji")
    assert "  doctor     examine" in answer.stderr
    assert subprocess.run([shengji, "version"], capture_output=True, text=True, check=True).stdout == f"{VERSION}\n"
