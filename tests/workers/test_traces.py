"""Traces: one from a request to the job that it brings about, and nothing of it where none are wanted."""

import subprocess
import sys
from collections.abc import Iterable
from threading import Event
from wsgiref.types import StartResponse, WSGIEnvironment

import pytest

from service.queues import Queues
from service.settings import Settings, SettingsError
from service.store.clients import listening_client
from service.tables import Tables
from service.traces import TracedRequests, Traces, traces_of
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

    def app(_: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        house.table("tb_traced")
        start_response("201 Created", [])
        return []

    request = TracedRequests(app, traces, lambda _: "/v1/tables")
    environ: WSGIEnvironment = {"REQUEST_METHOD": "POST", "HTTP_TRACEPARENT": PARENT}
    assert request(environ, lambda *_: lambda _: None) == []
    assert traces.carried() is None
    worker = Worker(listening_client(house.url), house.tables, Event(), queues, traces=traces)
    worker.work(burst=True, max_jobs=1, logging_level="ERROR")
    asked, done = spans.get_finished_spans()
    assert (asked.name, asked.kind.name) == ("POST /v1/tables", "SERVER")
    assert asked.attributes["http.response.status_code"] == 201
    assert (done.name, done.kind.name) == ("workers.jobs.advance ai", "CONSUMER")
    assert f"{asked.context.trace_id:032x}" == PARENT.split("-")[1]
    assert f"{asked.parent.span_id:016x}" == PARENT.split("-")[2]
    assert done.context.trace_id == asked.context.trace_id
    assert done.parent.span_id == asked.context.span_id


def test_without_traces_nothing_of_them_is_imported() -> None:
    # The client library of Redis imports parts of it by itself, where it is installed.
    code = (
        "import sys, service.app, workers.__main__; print([name for name in sys.modules if 'opentelemetry.ex' in name])"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
    assert traces_of(Settings(), "shengji-test") is None


def test_traces_without_the_library_are_refused_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "opentelemetry.exporter.otlp.proto.http.trace_exporter", None)
    with pytest.raises(SettingsError, match="OpenTelemetry is not installed: pip install"):
        traces_of(Settings(traces_url="http://127.0.0.1:4318/v1/traces"), "shengji-test")
