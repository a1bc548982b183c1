"""The configurations of `deploy/proxies`: the service behind nginx, Caddy and HAProxy, which operators start from."""

import re
import subprocess

import pytest

from harness.make_run import ROOT, need
from tools.proxies import machine
from tools.proxies.__main__ import command
from tools.proxies.programs import FILES, PROXIES


@pytest.mark.nightly
@pytest.mark.parametrize("family", machine.FAMILIES)
@pytest.mark.parametrize("path", [False, True], ids=["root", "path"])
@pytest.mark.parametrize("name", PROXIES)
def test_behind_a_proxy_the_service_is_as_without_one(name: str, path: bool, family: str) -> None:
    need(PROXIES[name].program)
    reason = machine.why_not()
    if reason:
        pytest.skip(reason)
    trial = command(name, family, path=path)
    done = subprocess.run(trial, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert done.stdout.count("all is well") == len(machine.FAMILIES[family].addresses)


def test_operators_get_every_file_that_is_tried() -> None:
    tried = {file for proxy in PROXIES.values() for file in (proxy.root, proxy.path)}
    assert {file.name for file in FILES.iterdir()} == tried
    named = re.findall(r"`deploy/proxies/([^`]+)`", (ROOT / "docs" / "operations.md").read_text())
    assert set(named) == tried


@pytest.mark.parametrize("name", PROXIES)
def test_what_is_replaced_for_a_trial_is_in_the_file(name: str) -> None:
    proxy = PROXIES[name]
    text = "".join((FILES / file).read_text() for file in (proxy.root, proxy.path))
    for given in (*proxy.here, *proxy.collects):
        assert given in text
