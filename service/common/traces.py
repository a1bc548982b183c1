"""OpenTelemetry traces from a request to its jobs, if `TRACES_URL` is set.

The library is optional (group `traces` of `pyproject.toml`), and imported only if traces are on, so they cost nothing
otherwise. Spans contain no players, tokens or cards: a request's span has the route template, a job's span the job id.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from service.common.settings import Settings, SettingsError

if TYPE_CHECKING:
    from _typeshed import OptExcInfo

#: Header of a request, and key of a job's `meta`, for the parent span (W3C Trace Context).
PARENT: Final = "traceparent"
_PACKAGES: Final = ("opentelemetry.sdk", "opentelemetry.exporter.otlp.proto.http")


class Traces:
    """The tracer of a process.

    Args:
        processor: a `SpanProcessor` of the library, which receives the spans.
        service: name of the process.
    """

    def __init__(self, processor: object, service: str) -> None:
        sdk, resources = import_module("opentelemetry.sdk.trace"), import_module("opentelemetry.sdk.resources")
        provider = sdk.TracerProvider(resource=resources.Resource.create({"service.name": service}))
        provider.add_span_processor(processor)
        self._tracer: Final = provider.get_tracer("shengji")
        self._kinds: Final = import_module("opentelemetry.trace").SpanKind
        context = import_module("opentelemetry.trace.propagation.tracecontext")
        self._propagator: Final = context.TraceContextTextMapPropagator()

    def carried(self) -> str | None:
        """Return the current span as a `traceparent` for another process, or None."""
        carrier: dict[str, str] = {}
        self._propagator.inject(carrier)
        return carrier.get(PARENT)

    @contextmanager
    def span(self, name: str, kind: str, parent: str | None, attributes: Mapping[str, str | int]) -> Iterator[Any]:
        """Run the `with` block in a span; `kind`: `SERVER` or `CONSUMER`; `parent`: result of `carried`."""
        context = self._propagator.extract({PARENT: parent} if parent else {})
        kinds = getattr(self._kinds, kind)
        with self._tracer.start_as_current_span(name, context, kinds, attributes) as span:
            yield span


def check(settings: Settings) -> None:
    """Check that traces can be sent, if the settings want it; the library itself is not imported.

    Raises:
        SettingsError: the library is not installed.
    """
    if settings.traces_url and not all(map(_installed, _PACKAGES)):
        raise SettingsError(
            "TRACES_URL is set, but OpenTelemetry is not installed: run `scripts/setup image`, or unset it"
        )


def _installed(package: str) -> bool:
    try:
        return find_spec(package) is not None
    except (ImportError, ValueError):
        return False


def traces_of(settings: Settings, service: str) -> Traces | None:
    """Return the tracer of the settings; None if traces are off.

    Raises:
        SettingsError: the library is not installed.
    """
    if not settings.traces_url:
        return None
    check(settings)
    exporters = import_module("opentelemetry.exporter.otlp.proto.http.trace_exporter")
    export = import_module("opentelemetry.sdk.trace.export")
    return Traces(export.BatchSpanProcessor(exporters.OTLPSpanExporter(settings.traces_url)), service)


class TracedRequests:
    """WSGI middleware: a span for each request, until its response begins, so that streams end theirs."""

    def __init__(self, app: WSGIApplication, traces: Traces, route_of: Callable[[WSGIEnvironment], str]) -> None:
        self._app: Final = app
        self._traces: Final = traces
        self._route_of: Final = route_of

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer a request (PEP 3333)."""
        method = environ["REQUEST_METHOD"]
        about = {"http.request.method": method}
        with self._traces.span(method, "SERVER", environ.get("HTTP_TRACEPARENT"), about) as span:

            def start(
                status: str, headers: list[tuple[str, str]], exc_info: "OptExcInfo | None" = None, /
            ) -> Callable[[bytes], object]:
                route = self._route_of(environ)
                span.update_name(f"{method} {route}")
                span.set_attributes({"http.route": route, "http.response.status_code": int(status[:3])})
                return start_response(status, headers, exc_info)

            return self._app(environ, start)
