"""A network on loopback that can be cut, one direction of one edge at a time: `Network`.

Each server is reached through a proxy, and each party has a loopback address of its own as the source of its
connections, so that the proxy knows both ends. Whoever has no such address belongs to the `CLIENTS`. What is stopped is
held back and delivered afterwards, late, as TCP does: a connection that is made meanwhile hangs.

All proxies are in one process, which this module is when it is run (`python -m harness.network`).
"""

import asyncio
import contextlib
import json
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final, Self

CLIENTS: Final = "clients"
_CHUNK: Final = 1 << 16

Edge = tuple[str, str]


class Network:
    """Proxies, and which edges are cut. All addresses of 127.0.0.0/8 have to be local, as on Linux."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None
        self._names: dict[str, str] = {}

    def __enter__(self) -> Self:
        self._process = subprocess.Popen(
            [sys.executable, "-m", __name__],
            cwd=Path(__file__).parents[1],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        return self

    def __exit__(self, *_: object) -> None:
        process = self._process
        if process is not None:
            assert process.stdin is not None
            with contextlib.suppress(OSError):
                process.stdin.close()
            process.wait()
            assert process.stdout is not None
            process.stdout.close()
            self._process = None

    def address(self, name: str) -> str:
        """Return the address from which a party has to connect."""
        if name not in self._names:
            number = len(self._names) + 1
            self._names[name] = f"127.77.{number // 250}.{1 + number % 250}"
            self._tell("name", self._names[name], name)
        return self._names[name]

    @property
    def parties(self) -> set[str]:
        """All parties, the clients included."""
        return {*self._names, CLIENTS}

    def route(self, name: str, port: int) -> int:
        """Return a port at which others reach a port of a party."""
        return int(self._tell("route", name, port))

    def cut(self, edges: Iterable[Edge]) -> None:
        """Stop everything that goes from the first to the second party of each edge."""
        self._tell("cut", *edges)

    def heal(self) -> None:
        """Deliver what was held back, and everything from now on."""
        self._tell("heal")

    @contextlib.contextmanager
    def without(self, edges: Iterable[Edge]) -> Iterator[None]:
        self.cut(edges)
        try:
            yield
        finally:
            self.heal()

    def between(self, name: str, others: Iterable[str], *, hears: bool = False, speaks: bool = False) -> list[Edge]:
        """Return the edges to cut so that a party and these others do not hear each other, or only one way."""
        others = [other for other in others if other != name]
        there = [] if speaks else [(name, other) for other in others]
        return there + ([] if hears else [(other, name) for other in others])

    def _tell(self, *command: Any) -> Any:
        process = self._process
        assert process is not None
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps(command) + "\n")
        process.stdin.flush()
        return json.loads(process.stdout.readline())


class _Proxies:
    """The process of the proxies."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}
        self._open: dict[Edge, asyncio.Event] = defaultdict(_opened)
        self._servers: list[asyncio.Server] = []
        self._tasks: set[asyncio.Task[None]] = set()

    async def obey(self) -> None:
        """Carry out the commands of the input until it ends."""
        loop, commands = asyncio.get_running_loop(), asyncio.StreamReader()
        await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(commands), sys.stdin)
        while line := await commands.readline():
            name, *arguments = json.loads(line)
            answer = await getattr(self, f"_{name}")(*arguments)
            sys.stdout.write(json.dumps(answer) + "\n")
            sys.stdout.flush()

    async def _name(self, address: str, name: str) -> None:
        self._names[address] = name

    async def _route(self, name: str, port: int) -> int:
        async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            source = self._names.get(writer.get_extra_info("peername")[0], CLIENTS)
            try:
                # Nobody gets a connection if one of the directions is cut.
                await self._open[source, name].wait()
                await self._open[name, source].wait()
                onward, back = await asyncio.open_connection("127.0.0.1", port)
            except OSError:
                writer.close()
                return
            for pump in (self._pump(reader, back, (source, name)), self._pump(onward, writer, (name, source))):
                task = asyncio.create_task(pump)
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)

        server = await asyncio.start_server(accept, "127.0.0.1", 0)
        self._servers.append(server)
        return int(server.sockets[0].getsockname()[1])

    async def _cut(self, *edges: list[str]) -> None:
        for source, target in edges:
            self._open[source, target].clear()

    async def _heal(self) -> None:
        for edge in self._open.values():
            edge.set()

    async def _pump(self, source: asyncio.StreamReader, target: asyncio.StreamWriter, edge: Edge) -> None:
        with contextlib.suppress(OSError):
            data = b"-"
            while data:
                data = await source.read(_CHUNK)
                # That somebody hung up is not heard either.
                await self._open[edge].wait()
                if data:
                    target.write(data)
                    await target.drain()
        target.close()


def _opened() -> asyncio.Event:
    event = asyncio.Event()
    event.set()
    return event


if __name__ == "__main__":
    asyncio.run(_Proxies().obey())
