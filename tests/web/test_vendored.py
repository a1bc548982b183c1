"""Vendored files are unchanged, licensed and listed; the client stays light."""

import hashlib
import json

import brotli

from harness.client import CLIENT, weight
from tools.clients.toolchain import ROOT

VENDOR = CLIENT / "vendor"
LOCK = json.loads((ROOT / "tests" / "web" / "vendored.json").read_text())


def test_vendored_files_are_unchanged_and_licensed() -> None:
    readme = (VENDOR / "README.md").read_text()
    for name, known in LOCK.items():
        assert hashlib.sha256((VENDOR / name).read_bytes()).hexdigest() == known["sha256"], name
        assert f"`{name}`" in readme
        assert f"`{known['package']}` {known['version']}" in readme
        for licence in known["licences"]:
            assert (VENDOR / licence).exists()
            assert licence in readme
    ours = {"README.md", *(path.name for path in VENDOR.glob("*.d.ts"))}
    listed = {*LOCK, *(licence for known in LOCK.values() for licence in known["licences"])}
    assert {path.name for path in VENDOR.iterdir()} == ours | listed


def test_python_for_browsers_is_unchanged_and_licensed() -> None:
    folder = ROOT / "service" / "web" / "python"
    known = json.loads((ROOT / "tests" / "web" / "vendored_python.json").read_text())
    for name, digest in known["files"].items():
        assert hashlib.sha256(brotli.decompress((folder / f"{name}.br").read_bytes())).hexdigest() == digest, name
    readme = (folder / "README.md").read_text()
    assert f"`{known['package']}` {known['version']} (Python {known['python']})" in readme
    assert all(licence in readme and (folder / licence).exists() for licence in known["licences"])
    ours = {"README.md", "python_stdlib.zip.br", *known["licences"]}
    assert {path.name for path in folder.iterdir()} == ours | {f"{name}.br" for name in known["files"]}


def test_the_whole_client_weighs_less_than_540_kb_compressed() -> None:
    assert weight() < 540_000
