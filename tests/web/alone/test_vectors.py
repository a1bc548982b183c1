"""The rules in the page, run by the Python in the page: right in all vectors, by the tests of the rules themselves."""

import json
import threading
from collections import Counter
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest

from service.api.alone import bundle, pages
from tests.rules.vectors import FOLDER, cases
from tests.web.person import until

pytestmark = pytest.mark.browser

#: The tests that run all vectors, and what they share.
TESTS = ("tests.rules.vectors", "tests.rules.test_vectors_rounds", "tests.rules.test_vectors_tricks")

#: Runs them without pytest: returns kind -> number of vectors, and what failed.
RUN = """
import json, sys, types

class raises:
    def __init__(self, *kinds, **_):
        self.kinds = kinds
    def __enter__(self):
        return self
    def __exit__(self, kind, *_):
        assert kind is not None, f"did not raise {self.kinds}"
        return issubclass(kind, self.kinds)

class Mark:
    def parametrize(self, names, values, **_):
        def mark(test):
            test.kinds = list(values) if names == "kind" else []
            return test
        return mark

pytest = types.ModuleType("pytest")
pytest.raises, pytest.mark = raises, Mark()
sys.modules["pytest"] = pytest
sys.path.insert(0, "/modules")

from tests.rules import test_vectors_rounds, test_vectors_tricks, vectors

ran, failed = [], []
for module in (test_vectors_rounds, test_vectors_tricks):
    for name, test in list(vars(module).items()):
        for kind in getattr(test, "kinds", ()):
            ran.append([name, kind])
            try:
                test(kind)
            except BaseException as error:
                failed.append(f"{name} {kind}: {error!r} {getattr(error, 'exceptions', '')}"[:2000])
json.dumps([sys.implementation.name, len(vectors.cases()), ran, failed])
"""
WORKER = """
import { loadPyodide } from "./pyodide.mjs";
const info = { abi_version: "2026_0", arch: "wasm32", platform: "" };
const lockFileContents = JSON.stringify({ info, packages: {} });
const python = await loadPyodide({ indexURL: new URL(".", location.href).href, lockFileContents });
const files = await (await fetch("vectors.json")).json();
for (const [path, text] of Object.entries(files)) {
  const whole = `/modules/${path}`;
  python.FS.mkdirTree(whole.slice(0, whole.lastIndexOf("/")));
  python.FS.writeFile(whole, text);
}
postMessage(python.runPython(await (await fetch("run.py")).text()));
"""
PAGE = """
const worker = new Worker("worker.js", { type: "module" });
worker.onmessage = ({ data }) => (window.told = JSON.parse(data));
"""


def files_of_the_tests():
    """Path -> content: the modules of the tests with all that they import, and the vectors."""
    sources = {name: text for test in TESTS for name, text in bundle.modules(test).items()}
    packages = {name.rpartition(".")[0] for name in sources}
    paths = {name: name.replace(".", "/") + ("/__init__.py" if name in packages else ".py") for name in sources}
    vectors = {f"tests/vectors/{path.name}": path.read_text("utf-8") for path in FOLDER.glob("*.json")}
    return {paths[name]: text for name, text in sources.items()} | vectors


@pytest.fixture
def host(tmp_path):
    """A host with the Python that the service sends, under the policy of its worker."""
    for name in bundle.NAMES:
        (tmp_path / name).write_bytes(bundle.sent()[name].plain())
    (tmp_path / "vectors.json").write_text(json.dumps(files_of_the_tests()), encoding="utf-8")
    for name, text in {"run.py": RUN, "worker.js": WORKER, "page.js": PAGE}.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "index.html").write_text('<!doctype html><script type="module" src="page.js"></script>', "utf-8")

    class Files(SimpleHTTPRequestHandler):
        extensions_map = {f".{end}": kind for end, kind in pages._TYPES.items()} | {".html": "text/html", ".py": ""}

        def end_headers(self):
            self.send_header("Content-Security-Policy", pages._CONTENT_SECURITY_POLICY + "; worker-src 'self'")
            super().end_headers()

        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Files, directory=tmp_path)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_the_rules_in_the_page_are_right_in_all_vectors(browser, host):
    context = browser.new_context()
    try:
        page = context.new_page()
        page.goto(host)
        until(page, "the vectors", "Boolean(window.told)", 240_000)
        python, count, ran, failed = page.evaluate("told")
    finally:
        context.close()
    assert python == "cpython"
    assert failed == []
    assert count == len(cases())
    # Each kind of vector is run, by at least one test.
    kinds = Counter(case["kind"] for case in cases())
    assert {kind for _, kind in ran} == {*kinds}
    assert sum(kinds.values()) == count > 2_000
