"""Traces from a request to its job, and no trace code if tracing is off."""

import json
import subprocess
import sys
from collections.abc import Iterable, Iterator, MutableMapping
from contextlib import contextmanager
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread
from typing import Any
from wsgiref.types import StartResponse, WSGIEnvironment

import pytest

from harness.make_run import running
from harness.waiting import wait_until
from service.common.logs import _traced
from service.common.settings import Settings, SettingsError
from service.common.traces import TracedRequests, Traces, traces_of
from service.jobs.queues import Queues
from service.store.connections.clients import listening_client
from service.tables import Tables
from tests.workers.conftest import House
from workers.jobs import Worker

PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


def test_a_request_and_the_job_that_it_enqueues_are_one_trace(house: House) -> None:
    export = pytest.importorskip("opentelemetry.sdk.trace.export")
    memory = pytest.importorskip("opentelemetry.sdk.trace.export.in_memory_span_exporter")
    spans = memory.InMemorySpanExporter()
    traces = Traces(export.SimpleSpanProcessor(spans), "shengji-test")
    queues = Queues(house.redis, lambda: house.now, traces)
    house.tables = Tables(house.store, now=lambda: house.now, enqueue=queues.enqueue)

    logged: list[MutableMapping[str, Any]] = []

    def app(_: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        logged.append(_traced(None, "info", {}))
        house.table("tb_traced")
        start_response("201 Created", [])
        return []

    request = TracedRequests(app, traces, lambda _: "/v1/tables")
    environ: WSGIEnvironment = {"REQUEST_METHOD": "POST", "HTTP_TRACEPARENT": PARENT}
    assert request(environ, lambda *_: lambda _: None) == []
    assert traces.carried() is None
    assert [*logged, _traced(None, "info", {})] == [{"trace_id": PARENT.split("-")[1]}, {}]
    worker = Worker(listening_client(house.url), house.tables, Event(), queues, traces=traces)
    worker.work(burst=True, max_jobs=1, logging_level="ERROR")
    request_span, done = spans.get_finished_spans()
    assert (request_span.name, request_span.kind.name) == ("POST /v1/tables", "SERVER")
    assert request_span.attributes["http.response.status_code"] == 201
    assert (done.name, done.kind.name) == ("workers.jobs.advance ai", "CONSUMER")
    assert f"{request_span.context.trace_id:032x}" == PARENT.split("-")[1]
    assert f"{request_span.parent.span_id:016x}" == PARENT.split("-")[2]
    assert done.context.trace_id == request_span.context.trace_id
    assert done.parent.span_id == request_span.context.span_id


@contextmanager
def collector() -> Iterator[tuple[str, list[bytes]]]:
    """A collector: its URL for `TRACES_URL`, and the received requests (OTLP, as protobuf)."""
    received: list[bytes] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            received.append(self.rfile.read(int(self.headers["Content-Length"])))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Do not log."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/v1/traces", received
        server.shutdown()


def test_the_running_service_sends_its_traces(tmp_path: Path) -> None:
    otlp = pytest.importorskip("opentelemetry.proto.collector.trace.v1.trace_service_pb2")

    def spans() -> dict[str, tuple[str, bytes, bytes]]:
        """Return name of a span -> process, trace and parent; one of several with the same name."""
        return {
            span.name: (resource.resource.attributes[-1].value.string_value, span.trace_id, span.parent_span_id)
            for body in list(received)
            for resource in otlp.ExportTraceServiceRequest.FromString(body).resource_spans
            for scope in resource.scope_spans
            for span in scope.spans
        }

    with (
        collector() as (url, received),
        running(tmp_path, TRACES_URL=url, OTEL_BSP_SCHEDULE_DELAY="100") as service,
    ):
        headers = {"Content-Type": "application/json", "traceparent": PARENT}

        def send(method: str, path: str, body: object = None) -> dict[str, str]:
            connection = HTTPConnection("127.0.0.1", service.port, timeout=20)
            connection.request(method, path, json.dumps(body), headers)
            answer = connection.getresponse()
            assert answer.status < 400, answer.read()
            content: dict[str, str] = json.load(answer)
            return content

        headers["Authorization"] = f"Bearer {send('POST', '/v1/players', {'name': 'Lin', 'kind': 'human'})['token']}"
        spec = {"ruleset": "shengji", "players": 4, "options": {"deal_pace": "instant"}, "ai_pace_ms": 0}
        table = f"/v1/tables/{send('POST', '/v1/tables', spec)['id']}"
        for seat in range(4):
            send("PUT", f"{table}/seats/{seat}/ai", {"level": "easy"})
        wanted = {"POST /v1/players", "PUT /v1/tables/<table>/seats/<int:seat>/ai", "workers.jobs.advance ai"}
        wait_until(lambda: wanted <= spans().keys(), lambda: wanted - spans().keys())
        assert spans()["POST /v1/players"][1].hex() == PARENT.split("-")[1]
        assert "shengji" in spans()["workers.jobs.advance ai"][0]
        secret = headers["Authorization"].removeprefix("Bearer ").encode()
        assert not any(secret in body for body in received)


def test_without_traces_the_library_is_not_imported() -> None:
    # The client library of Redis imports parts of it if it is installed.
    code = (
        "import sys, service.app, workers.__main__; print([name for name in sys.modules if 'opentelemetry.ex' in name])"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
    assert traces_of(Settings(), "shengji-test") is None


def test_traces_without_the_library_are_refused_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "opentelemetry.exporter.otlp.proto.http", None)
    with pytest.raises(SettingsError, match="OpenTelemetry is not installed: run"):
        traces_of(Settings(traces_url="http://127.0.0.1:4318/v1/traces"), "shengji-test")
