"""Recorded games, for tests of bots and apps with asyncio."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

from shengji_client import testing
from shengji_client.asyncio.client import Client
from shengji_client.asyncio.table import Table
from shengji_client.protocol import Send


class RecordedGame(testing.RecordedGame):
    """A recorded game as in `shengji_client.testing`, for clients of asyncio."""

    def asyncio_client(self) -> Client:
        """Return a client of the recorded player, without delays."""
        return _Client(self)

    def asyncio_table(self) -> Table:
        """Return the table for a client."""
        return Table(self.asyncio_client(), self.view["id"])


class _Client(Client):
    def __init__(self, game: RecordedGame) -> None:
        super().__init__("http://recorded", "sjt_recorded")
        self._game = game

    @asynccontextmanager
    async def _open(self, request: Send) -> AsyncIterator[Any]:
        with self._game.answer(request) as response:
            yield _Response(response)

    async def sleep(self, seconds: float) -> None:
        self._game.slept.append(seconds)
        await asyncio.sleep(0)


class _Response:
    def __init__(self, response: Any) -> None:
        self.status = response.status
        self.headers: Mapping[str, str] = {}
        self.content = self
        self._response = response

    async def read(self) -> bytes:
        text: bytes = self._response.read()
        return text

    async def iter_any(self) -> AsyncIterator[bytes]:
        # What comes next happens when the test says so, which may be in the loop of this task.
        while data := await asyncio.to_thread(self._response.readline):
            yield data
