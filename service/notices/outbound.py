"""Requests to third-party servers: limited in time and size, to checked addresses, without redirects."""

import http.client
import io
import socket
import ssl
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Final, NamedTuple, TypeVar
from urllib.parse import urlsplit

from service.common.settings import Settings
from service.notices.addresses import Resolve, are_public, is_public_name, resolve

#: Timeouts in seconds: for connecting, and in total.
CONNECT_S: Final = 2.0
TOTAL_S: Final = 10.0
#: Most bytes read: of the head of a response, of the body of a response to a notice, and of a fetched body.
_MOST_HEAD: Final = 16_384
MOST_BODY: Final = 1_024
MOST_FETCHED: Final = 65_536
#: Allowed ports.
PORTS: Final = (443, 8443)
#: Most addresses of a name that are tried.
_MOST_ADDRESSES: Final = 2
#: Longest respected `Retry-After` (s).
_MOST_RETRY_S: Final = 3_600
#: How often a request looks whether it was ended (s).
_LOOK_S: Final = 0.25

_T = TypeVar("_T")


class Answer(NamedTuple):
    """The outcome of a request.

    Attributes:
        status: HTTP status; None: no response.
        ms: duration.
        error: kind of error; None if there was a response.
        retry_after_s: delay requested by the server.
        body: beginning of the body, if requested.
    """

    status: int | None
    ms: int
    error: str | None = None
    retry_after_s: int | None = None
    body: bytes = b""

    @property
    def is_ok(self) -> bool:
        """Whether the server has accepted the request."""
        return self.status is not None and 200 <= self.status < 300


class Patience:
    """The time of a request, which another thread may end.

    Attributes:
        address: the address of the server, once known.
    """

    def __init__(self, total_s: float = TOTAL_S) -> None:
        self._total_s: Final = total_s
        self._began: float | None = None
        self._is_cut = False
        self.address: str | None = None

    def begin(self) -> None:
        """Start the time."""
        self._began = time.monotonic()

    def lasts(self, now: float) -> float:
        """Return the seconds since the beginning (by `time.monotonic`); 0 if it has not begun."""
        return 0.0 if self._began is None else now - self._began

    def left(self) -> float:
        """Return the seconds left.

        Raises:
            TimeoutError: there are none.
        """
        left = 0.0 if self._is_cut else self._total_s - self.lasts(time.monotonic())
        if left <= 0:
            raise TimeoutError
        return left

    def cut(self) -> None:
        """End the time."""
        self._is_cut = True

    def wait_for(self, connection: socket.socket, what: Callable[[], _T]) -> _T:
        """Return the result of an operation on a connection that may be repeated, looking now and then at the time.

        Raises:
            TimeoutError: the time is over.
        """
        while True:
            connection.settimeout(min(_LOOK_S, self.left()))
            with suppress(TimeoutError):
                return what()


class Outbound:
    """See the module.

    Args:
        resolve: resolves names.
        is_private: whether servers may be in the local network, over http and on any port; for tests.
        proxy: host and port of an HTTP proxy, which then resolves names and has to refuse private addresses.
        own_host: name of the service itself, which is refused; "": unknown.
    """

    def __init__(
        self,
        *,
        resolve: Resolve = resolve,
        is_private: bool = False,
        proxy: tuple[str, int] | None = None,
        own_host: str = "",
        total_s: float = TOTAL_S,
    ) -> None:
        self._resolve: Final = resolve
        self._is_private: Final = is_private
        self._proxy: Final = proxy
        self._own_host: Final = own_host
        self._context: ssl.SSLContext | None = None
        self._lock: Final = threading.Lock()
        self._total_s: Final = total_s

    def post(
        self,
        url: str,
        headers: Mapping[str, str],
        body: bytes,
        *,
        read: bool = False,
        trusted: bool = False,
        patience: Patience | None = None,
    ) -> Answer:
        """Send a POST request; raises nothing.

        Args:
            url, headers, body: the request.
            read: whether to return the beginning of the response body.
            trusted: whether the operator has configured the server: it may be anywhere, and the proxy is not used.
            patience: its time, if another thread may end it.
        """
        patience = patience or Patience(self._total_s)
        return self._send(url, headers, body, patience, read=MOST_BODY if read else 0, trusted=trusted)

    def fetch(self, url: str, headers: Mapping[str, str], body: bytes | None = None) -> Answer:
        """Send a POST request, or without a body a GET request, to a server configured by the operator.

        Returns up to `MOST_FETCHED` bytes of the body; raises nothing.
        """
        return self._send(url, headers, body, Patience(self._total_s), read=MOST_FETCHED, trusted=True)

    def _send(
        self,
        url: str,
        headers: Mapping[str, str],
        body: bytes | None,
        patience: Patience,
        *,
        read: int,
        trusted: bool,
    ) -> Answer:
        patience.begin()
        status, error, retry_after, text = None, None, None, b""
        try:
            response = self._exchange(url, headers, body, patience, read=read, trusted=trusted)
            status, text = response.status, response.read(read) if read else b""
            retry_after = _seconds(response.getheader("Retry-After"))
        except _Refused as refused:
            error = str(refused)
        except TimeoutError:
            error = "timeout"
        except ssl.SSLError:
            error = "tls"
        except socket.gaierror:
            error = "name"
        except (OSError, http.client.HTTPException, UnicodeError, ValueError) as failure:
            error = "connection" if isinstance(failure, OSError) else "answer"
        return Answer(status, round(1000 * patience.lasts(time.monotonic())), error, retry_after, text)

    def refusal(self, url: str) -> str | None:
        """Return why a URL is not allowed, without resolving its name; None if it is allowed."""
        return refusal_of(url, self._own_host, is_private=self._is_private)

    def refusal_of_new(self, url: str, own_host: str) -> str | None:
        """Return why a URL is not allowed, also resolving its name; `own_host`: another name of the service."""
        if (reason := self.refusal(url)) is not None or self._is_private:
            return reason
        host = urlsplit(url).hostname or ""
        if host == own_host.partition(":")[0].lower():
            return "webhook_own_host"
        if self._proxy is not None:
            return None
        try:
            addresses = self._resolve(host, PORTS[0])
        except (OSError, UnicodeError):
            return "webhook_unknown_host"
        return None if are_public(addresses) else "webhook_own_network"

    def _exchange(
        self,
        url: str,
        headers: Mapping[str, str],
        body: bytes | None,
        patience: Patience,
        *,
        read: int,
        trusted: bool,
    ) -> http.client.HTTPResponse:
        if not trusted and (reason := self.refusal(url)) is not None:
            raise _Refused(reason)
        parts = urlsplit(url)
        host, is_tls = parts.hostname or "", parts.scheme == "https"
        port = parts.port or (443 if is_tls else 80)
        with (
            self._connected(host, port, patience, trusted=trusted) as plain,
            self._secured(plain, host, patience) if is_tls else plain as connection,
        ):
            target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
            named = host if parts.port is None else f"{host}:{parts.port}"
            lines = [f"{'GET' if body is None else 'POST'} {target} HTTP/1.1", f"Host: {named}"]
            lines += [f"{name}: {value}" for name, value in headers.items()]
            lines += [] if body is None else [f"Content-Length: {len(body)}"]
            head = "\r\n".join([*lines, "Connection: close", "", ""])
            connection.settimeout(patience.left())
            connection.sendall(head.encode("ascii") + (body or b""))
            return _answer(connection, patience, read)

    def _secured(self, plain: socket.socket, host: str, patience: Patience) -> ssl.SSLSocket:
        connection = self._tls().wrap_socket(plain, server_hostname=host, do_handshake_on_connect=False)
        try:
            patience.wait_for(connection, connection.do_handshake)
        except BaseException:
            connection.close()
            raise
        return connection

    def _tls(self) -> ssl.SSLContext:
        """Return the TLS context, created only where needed, since it loads all certificates of the system."""
        with self._lock:
            if self._context is None:
                self._context = ssl.create_default_context()
            return self._context

    def _connected(self, host: str, port: int, patience: Patience, *, trusted: bool) -> socket.socket:
        """Return a connection to a checked address."""
        if self._proxy is not None and not trusted:
            connection = socket.create_connection(self._proxy, timeout=min(CONNECT_S, patience.left()))
            connection.sendall(f"CONNECT {host}:{port} HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n".encode("ascii"))
            if _answer(connection, patience, 0).status != 200:
                connection.close()
                raise _Refused("proxy")
            return connection
        addresses, is_free = self._resolve(host, port), self._is_private or trusted
        if not is_free and not are_public(addresses):
            raise _Refused("webhook_own_network")
        if not is_free and self._own_host and set(addresses) & set(self._resolve(self._own_host, port)):
            raise _Refused("webhook_own_host")
        failure: OSError | None = None
        connect_until = time.monotonic() + CONNECT_S
        for address in addresses[:_MOST_ADDRESSES]:
            patience.address = address
            patience.left()
            try:
                # Connect to the address, so that the name is not resolved again.
                return socket.create_connection((address, port), timeout=max(0.1, connect_until - time.monotonic()))
            except OSError as error:
                failure = error
        raise failure or TimeoutError


class _Refused(Exception):
    """A server that is not allowed; the message is the kind of error."""


def refusal_of(url: str, own_host: str, *, is_private: bool = False) -> str | None:
    """Return why a URL is not allowed (a key of the texts of faults), without resolving its name, or None."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return "webhook_url"
    is_clean = url.isascii() and not any(character <= " " or character in "\\\x7f" for character in url)
    faults = {
        "webhook_url": not is_clean or not host or bool(parts.fragment),
        "webhook_scheme": parts.scheme not in (("https", "http") if is_private else ("https",)),
        "webhook_credentials": "@" in parts.netloc,
        "webhook_port": not is_private and port is not None and port not in PORTS,
        "webhook_host": not is_private and not is_public_name(host),
        "webhook_own_host": not is_private and host == own_host.lower() != "",
    }
    return next((reason for reason, is_so in faults.items() if is_so), None)


class _Read:
    """Received bytes with the interface of a socket for `http.client`."""

    def __init__(self, data: bytes) -> None:
        self._data: Final = data

    def makefile(self, _mode: str) -> io.BytesIO:
        """Return the bytes as a file."""
        return io.BytesIO(self._data)


def _answer(connection: socket.socket, patience: Patience, body: int) -> http.client.HTTPResponse:
    """Read the head of a response and the beginning of its body."""
    data = b""
    while True:
        end = data.find(b"\r\n\r\n")
        if end >= 0 and (not body or len(data) >= end + 4 + body or _is_whole(data, end)):
            break
        if end < 0 and len(data) > _MOST_HEAD:
            raise http.client.HTTPException("too long a head")
        part = patience.wait_for(connection, lambda: connection.recv(4_096))
        if not part:
            break
        data += part
    response = http.client.HTTPResponse(_Read(data))  # type: ignore[arg-type]
    response.begin()
    return response


def _is_whole(data: bytes, end: int) -> bool:
    """Return whether the announced body has been received."""
    head, got = data[:end].lower(), len(data) - end - 4
    for line in head.split(b"\r\n"):
        name, _, value = line.partition(b":")
        if name == b"content-length":
            return value.strip().isdigit() and got >= int(value)
        if name == b"transfer-encoding":
            return data.endswith(b"0\r\n\r\n")
    return False


def _seconds(header: str | None) -> int | None:
    return min(int(header), _MOST_RETRY_S) if header is not None and header.strip().isdigit() else None


def outbound_of(settings: Settings) -> Outbound:
    """Return the sender of requests to third-party servers."""
    proxy = urlsplit(settings.notify_proxy)
    return Outbound(
        is_private=bool(settings.notify_private),
        proxy=(proxy.hostname, proxy.port or 3128) if proxy.hostname else None,
        own_host=urlsplit(settings.public_url).hostname or "",
    )
