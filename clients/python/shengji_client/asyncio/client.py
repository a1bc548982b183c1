"""Requests of a player for asyncio: the protocol of `shengji_client.protocol` over aiohttp."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any, ClassVar, Self, Unpack, cast

from aiohttp import (
    ClientError,
    ClientHandlerType,
    ClientOSError,
    ClientPayloadError,
    ClientRequest,
    ClientResponse,
    ClientSession,
    ClientTimeout,
    ServerDisconnectedError,
)
from yarl import URL

from shengji_client.problems import Problem
from shengji_client.protocol import Answer, Json, Options, Pause, Reply, Send, Session, Steps
from shengji_client.streams import Message, Stream


class Client(Session):
    """Sends the requests of a player. Its arguments are those of `shengji_client.Client`. `close` it at the end.

    Proxies are those of the environment (`HTTPS_PROXY`, `NO_PROXY`). A request that is cancelled may have been carried
    out: the service finishes what it has received.
    """

    failures: ClassVar = (ClientError, OSError, ValueError)

    def __init__(self, url: str, token: str = "", *, language: str = "en", patience: float = 60.0) -> None:
        super().__init__(url, token, language=language, patience=patience)
        self._connections: ClientSession | None = None

    @classmethod
    async def register(
        cls, url: str, name: str, *, kind: str = "bot", code: str | None = None, **settings: Any
    ) -> Self:
        """Register a player, `bot` or `human`, and return its client. Store the `token`, which is shown only now.

        `code` is a registration code, where `GET /v1` has `registration: invited`.
        """
        client = cls(url, **settings)
        body: Json = {"name": name, "kind": kind} | ({"code": code} if code else {})
        try:
            client.token = (await client.request("POST", "/v1/players", body))["token"]
        except BaseException:
            await client.close()
            raise
        return client

    async def rotate_token(self) -> str:
        """Replace the token by a new one, and use that from now on."""
        self.token = str((await self.request("POST", "/v1/me/token"))["token"])
        return self.token

    async def make_token(self, name: str, scopes: list[str] | None = None) -> Json:
        """Create a token for another device or a helper; by default with the scopes of this one."""
        body: Json = {"name": name} if scopes is None else {"name": name, "scopes": scopes}
        token: Json = await self.request("POST", "/v1/me/tokens", body)
        return token

    async def request(self, method: str, path: str, body: Json | None = None, **options: Unpack[Options]) -> Any:
        """Send a request; return the JSON of the response, as `shengji_client.Client.request`."""
        return (await self.send(method, path, body, **options)).body

    async def send(self, method: str, path: str, body: Json | None = None, **options: Unpack[Options]) -> Reply:
        """Send a request as `request`, and return the whole response. With `If-None-Match` its status may be 304."""
        return await self._carry_out(self.exchange(method, path, body, **options))

    async def sleep(self, seconds: float) -> None:
        """Wait before another attempt."""
        await asyncio.sleep(seconds)

    async def close(self) -> None:
        """Close the connections."""
        if self._connections is not None:
            await self._connections.close()
            self._connections = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def _carry_out(self, steps: Steps) -> Reply:
        try:
            step = next(steps)
            while True:
                if isinstance(step, Pause):
                    await self.sleep(step.seconds)
                    step = next(steps)
                    continue
                try:
                    async with self._open(step) as response:
                        answer = Answer(response.status, _by_name(response.headers), await response.read())
                except Problem as problem:
                    step = steps.throw(problem)
                except self.failures as error:
                    step = steps.throw(error)
                else:
                    step = steps.send(answer)
        except StopIteration as done:
            return cast("Reply", done.value)

    @asynccontextmanager
    async def _open(self, request: Send) -> AsyncIterator[ClientResponse]:
        """Send a request, and close its response at the end.

        Raises:
            Problem: the service refuses it.
            ClientError, OSError: the service cannot be reached.
        """
        if self._connections is None:
            self._connections = ClientSession(trust_env=True, middlewares=(_once,))
        timeout = ClientTimeout(total=None, sock_connect=request.timeout, sock_read=request.timeout)
        sending = self._connections.request(
            request.method,
            URL(request.url, encoded=True),
            data=request.body,
            headers=request.headers,
            allow_redirects=False,  # the service has none, and a token must not be sent to another host
            timeout=timeout,
        )
        try:
            response = await sending
        except self.failures as error:
            self.failed(error)
            raise
        async with response:
            if response.status < 300 or response.status == 304:
                self.answered()
                yield response
                return
            try:
                text = await response.read()
            except self.failures:
                text = b""
            raise self.refusal(Answer(response.status, _by_name(response.headers), text))


async def follow(client: Client, path: str, after: str | None = None) -> AsyncIterator[Message]:
    """Yield the messages of a stream, each event once, reconnecting as needed, as `shengji_client.follow`.

    Who leaves the loop early closes the connection with `contextlib.aclosing`.
    """
    stream = Stream(client, path, after)
    while True:
        if left := client.budget():
            await client.sleep(left)
        try:
            async with client._open(stream.connect()) as response:  # noqa: SLF001 (of this module)
                if response.status == 204:
                    return
                async for data in response.content.iter_any():
                    for message in stream.receive(data):
                        yield message
                    if stream.is_over:
                        return
        except Problem as problem:
            stream.refused(problem)
        except client.failures:
            pass  # A lost connection is like the end of one.
        await client.sleep(stream.pause())


async def _once(request: ClientRequest, handler: ClientHandlerType) -> ClientResponse:
    """Send a request once: after these errors, aiohttp would send it again by itself, without a pause."""
    try:
        return await handler(request)
    except (ClientOSError, ServerDisconnectedError) as error:
        raise ClientPayloadError(str(error)) from error


def _by_name(headers: Mapping[str, str]) -> dict[str, str]:
    return {name.lower(): value for name, value in headers.items()}
