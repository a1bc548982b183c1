"""The wheel: one command runs the service where there is no clone."""

import os
import shlex
import subprocess
import sys
import zipfile
from configparser import ConfigParser
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.request import urlopen

import pytest

from harness.make_run import ROOT, Service
from service.common.settings import VERSION
from tests.support.wheels import built, installed
from tools.proxies import machine
from workers.ai import compiled

GUIDES = "docs/guides"
ANYBODY = "12345"
AS_ANYBODY = (
    *("setpriv", "--reuid", ANYBODY, "--regid", ANYBODY, "--clear-groups"),
    *("--no-new-privs", "--bounding-set", "-all"),
)
#: Makes every mount read-only but those that belong to the kernel, such as /dev/shm.
ALL_READ_ONLY = """awk '$2 !~ "^/(dev|proc|sys)(/|$)" { print $2 }' /proc/self/mounts |
while read -r place; do mount -o remount,bind,ro "$place"; done"""


[REQUIRED] = (ROOT / ".venv").glob("lib/python*/site-packages")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    return built(tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def shengji(wheel, tmp_path_factory):
    """The program of an environment with the wheel and what it requires."""
    return program(wheel, tmp_path_factory.mktemp("environment"), REQUIRED)


def program(wheel, folder, required):
    """Make an environment in an empty folder, with the wheel and the packages of another folder; return its program."""
    python, packages = installed(wheel, folder)
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
    assert [name for name in tracked.stdout.split() if name not in names] == []
    assert f"shengji_service-{VERSION}.dist-info/entry_points.txt" in names


def test_a_wheel_for_one_python_and_platform_has_the_compiled_ai_players(tmp_path):
    if not compiled.results():
        pytest.skip("not compiled: make compiled")
    wheel = built(tmp_path / "wheel", "--compiled", "manylinux_2_28_x86_64")
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    assert wheel.name == f"shengji_service-{VERSION}-{python}-none-manylinux_2_28_x86_64.whl"
    interpreter, packages = installed(wheel, tmp_path / "environment")
    (packages / "required.pth").write_text(f"{REQUIRED}\n")
    program = "from workers import ai; from workers.ai.simulation import playout; print(ai.COMPILED, playout.__file__)"
    for how, file in (("1", "machine_code"), ("0", "playout.py")):
        environment = {"PATH": os.environ["PATH"], "COMPILED": how}
        asked = subprocess.run(
            [interpreter, "-c", program], cwd=tmp_path, env=environment, capture_output=True, text=True, check=True
        )
        active, where = asked.stdout.split()
        assert active == str(how == "1")
        assert Path(where).is_relative_to(packages)
        assert file in where


def test_only_the_service_can_be_built_with_compiled_ai_players(tmp_path):
    command = [sys.executable, "scripts/wheel.py", tmp_path, "clients/python", "--compiled"]
    refused = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert refused.returncode == 2
    assert "Only the service has something to compile" in refused.stderr


def test_a_round_is_played_in_an_empty_folder_by_one_command(shengji, tmp_path):
    clean = {name: "" for name in os.environ if name.startswith("PYTHON")}
    service = Service(tmp_path, command=[shengji, "run"], **clean)
    try:
        service.wait_until_ready()
        assert str(ROOT) not in service.output().replace(str(ROOT / ".venv"), "")
        a_round_is_played(service)
        for path in ("", "openapi.yaml", "docs/problems", f"{GUIDES}/contract.md"):
            with urlopen(f"{service.url}/{path}") as answer:  # noqa: S310 - our own address
                assert answer.status == 200
    finally:
        assert service.stop() == 0


def a_round_is_played(service):
    demo = [sys.executable, "-m", "demo", "--url", service.url, "--pace", "0"]
    played = subprocess.run(demo, cwd=ROOT, capture_output=True, text=True, check=True)
    assert "next round:" in played.stdout, played.stdout


@pytest.mark.nightly
def test_any_user_runs_it_where_nothing_but_the_data_folder_can_be_written(wheel):
    """On read-only disks, /tmp among them; only the memory at /dev/shm can be written, as in every container."""
    if reason := machine.why_not():
        pytest.skip(reason)
    interpreter = Path(sys.executable).resolve()
    if subprocess.run(machine.on_its_own([*AS_ANYBODY, interpreter, "-c", ""]), check=False).returncode:
        pytest.skip(f"only this user may run {interpreter}")
    # The folders of pytest are closed to others.
    with TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        for part in ("environment", "required", "var"):
            (folder / part).mkdir()
        shengji = program(wheel, folder / "environment", folder / "required")
        prepare = (
            "set -e",
            f"mount --bind {REQUIRED} {folder}/required",
            f"mount -t tmpfs -o uid={ANYBODY},mode=700,size=1g tmpfs {folder}/var",
            ALL_READ_ONLY,
            f"mount -o remount,rw {folder}/var",
            f"for file in {folder}/other /tmp/other; do if touch $file 2>&-; then exit 1; fi; done",
            "cd /",
            shlex.join(["exec", *AS_ANYBODY, str(shengji), "run"]),
        )
        service = Service(folder, command=machine.on_its_own(["sh", "-c", "\n".join(prepare)], network=False))
        try:
            service.wait_until_ready()
            assert {Path(f"/proc/{number}").stat().st_uid for number in service.processes()} == {int(ANYBODY)}
            a_round_is_played(service)
        finally:
            assert service.stop() == 0


def test_a_command_that_is_unknown_is_refused_with_those_that_there_are(shengji):
    answer = subprocess.run([shengji, "rnu"], capture_output=True, text=True, check=False)
    assert (answer.returncode, answer.stdout) == (2, "")
    assert answer.stderr.startswith("There is no command 'rnu'.\n\nshengji")
    assert "  doctor     examine" in answer.stderr
    assert subprocess.run([shengji, "version"], capture_output=True, text=True, check=True).stdout == f"{VERSION}\n"
