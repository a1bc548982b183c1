"""`shengji_client.asyncio`: at a service, at a recorded game, cancelled, through a proxy, without aiohttp."""

import asyncio
import contextlib
import re
import socket
import subprocess
import sys
import threading
from contextlib import aclosing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from scripts.asyncio_table import TABLE, table
from shengji_client import Client as BlockingClient
from shengji_client import Problem, Unreachable, example
from shengji_client import Table as BlockingTable
from shengji_client.asyncio import Client, Table
from shengji_client.asyncio.testing import RecordedGame
from tests.support.loops import run
from tools.clients.toolchain import ROOT

README = (ROOT / "clients" / "python" / "README.md").read_text(encoding="utf-8")
[PROGRAM] = re.findall(r"^```python\n(import asyncio.*?)^```", README, re.MULTILINE | re.DOTALL)
GAME = {"ruleset": "sishifen", "players": 4, "ai_pace_ms": 0, "options": {"deal_pace": "instant"}}


def test_the_table_is_the_blocking_one_with_its_requests_awaited():
    assert table() == TABLE.read_text(encoding="utf-8"), "run `make openapi`"
    names = {name for name in vars(BlockingTable) if not name.startswith("_")}
    assert {name for name in vars(Table) if not name.startswith("_")} == names
    sends = {name for name in names if asyncio.iscoroutinefunction(getattr(Table, name))}
    assert names - sends == {"follow"}


async def play(table, until):
    """Play as the hints say, until a number of answers; return the messages' names."""
    answered, names = 0, []
    async with aclosing(table.follow()) as messages:
        async for message in messages:
            names.append(message.name)
            decision = (await table.view())["decision"]
            if message.name != "end" and decision and 0 in decision["seats"]:
                await table.act(decision["id"], example(decision))
                answered += 1
            if answered == until:
                break
    return answered, names


def test_a_bot_plays_at_a_service(service):
    async def main():
        async with await Client.register(service.url, "Lin") as client:
            opened = await Table.create(client, GAME)
            await opened.sit(0)
            await asyncio.gather(*(opened.seat_ai(seat) for seat in (1, 2, 3)))
            assert (await opened.change({"chat": False}))["view"]["settings"]["chat"] is False
            await opened.ready()
            answered, names = await play(opened, 4)
            assert (answered, names[0]) == (4, "reset")
            with pytest.raises(Problem) as refused:
                await Table(client, "tb_none").view()
            assert refused.value.code == "not-found"
            page = await opened.events(wait=1, limit=3)
            assert [event["seq"] for event in page["events"]] == [1, 2, 3]

    run(main())


def test_a_watch_code_opens_the_table_and_a_join_code_a_seat(service):
    """The blocking client, the one for asyncio, and codes as people type them."""
    host = BlockingClient.register(service.url, "Host")
    view = BlockingTable.create(host, {**GAME, "visibility": "private", "spectators": "delayed"}).view()
    typed = f" {view['watch_code'][:4]}-{view['watch_code'][4:].lower()}"
    watcher = BlockingTable.by_code(BlockingClient.register(service.url, "Wei"), typed)
    assert watcher.view()["id"] == view["id"]
    guest = BlockingTable.by_code(BlockingClient.register(service.url, "Bo"), view["join_code"])
    with pytest.raises(Problem) as refused:
        guest.view()
    assert refused.value.code == "private-table"
    assert guest.sit(join_code=view["join_code"])["view"]["id"] == view["id"]

    async def main():
        async with await Client.register(service.url, "Mei") as client:
            assert (await (await Table.by_code(client, typed)).view())["id"] == view["id"]

    run(main())


def test_a_recorded_game_is_played_to_its_end():
    async def main():
        game = RecordedGame("sishifen")
        opened = game.asyncio_table()
        await opened.ready()
        game.run()
        _, names = await play(opened, 10_000)
        assert (names[0], names[-1]) == ("reset", "end")
        assert game.is_over
        game.refuse("cards-not-held")
        with pytest.raises(Problem, match="Not in your hand"):
            await opened.view()

    run(main())


class Server(threading.Thread):
    """Accepts connections and answers nothing; what has arrived is in `received`."""

    def __init__(self, answer=b""):
        super().__init__(daemon=True)
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        self.answer, self.received, self.closed = answer, [], threading.Event()
        self.start()

    def run(self):
        with contextlib.suppress(OSError):
            while True:
                connection, _ = self.listener.accept()
                with connection:
                    self.received.append(connection.recv(65536))
                    connection.sendall(self.answer)
                    if not self.answer and connection.recv(1) == b"":
                        self.closed.set()


@pytest.mark.parametrize("what", ["request", "stream"])
def test_a_cancelled_task_closes_its_connection_and_sends_nothing_again(what):
    server = Server()

    async def main():
        async with Client(server.url, "sjt_1") as client:
            opened = Table(client, "tb_1")
            task = asyncio.create_task(opened.ready() if what == "request" else play(opened, 1))
            while not server.received:
                await asyncio.sleep(0.01)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            assert await asyncio.to_thread(server.closed.wait, 10)

    run(main())
    assert len(server.received) == 1
    server.listener.close()


def test_a_redirect_is_not_followed():
    server = Server(b"HTTP/1.1 308 Moved\r\nLocation: https://www.cards.example/v1\r\nContent-Length: 0\r\n\r\n")

    async def main():
        async with Client(server.url, "sjt_1") as client:
            with pytest.raises(Problem, match=r"https://www\.cards\.example/v1, which is not followed") as refused:
                await client.request("GET", "/v1")
            assert refused.value.location == "https://www.cards.example/v1"

    run(main())
    server.listener.close()


def test_a_service_that_is_not_there_is_unreachable():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        url = f"http://127.0.0.1:{listener.getsockname()[1]}"

    async def main():
        async with Client(url, patience=0) as client:
            with pytest.raises(Unreachable, match="does not answer"):
                await client.request("GET", "/v1")

    run(main())


class Proxy(BaseHTTPRequestHandler):
    """Answers for each host that a client asks it for."""

    def do_GET(self):
        self.server.asked.append(self.path)
        self.send_response(200)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, *_):
        pass


@pytest.fixture
def proxy(monkeypatch):
    """The addresses asked of the proxy that the environment names."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Proxy) as server:
        server.asked = []
        threading.Thread(target=server.serve_forever, daemon=True).start()
        for name in ("no_proxy", "NO_PROXY"):
            monkeypatch.delenv(name, raising=False)
        monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{server.server_port}")
        yield server.asked
        server.shutdown()


def test_requests_go_through_the_proxy_of_the_environment(proxy):
    async def main():
        async with Client("http://cards.example") as client:
            client._compare_versions = lambda: iter(())
            assert await client.request("GET", "/v1/me/tables", query={"limit": 3}) == {}

    run(main())
    assert proxy == ["http://cards.example/v1/me/tables?limit=3"]


def test_so_do_those_of_the_blocking_client(proxy):
    client = BlockingClient("http://cards.example")
    client._compare_versions = lambda: iter(())
    assert client.request("GET", "/v1/me/tables", query={"limit": 3}) == {}
    assert proxy == ["http://cards.example/v1/me/tables?limit=3"]


def test_without_aiohttp_the_error_says_what_to_install():
    # The interpreter of the environment without the packages that are installed in it.
    command = [sys.executable, "-S", "-c", "import shengji_client.asyncio"]
    process = subprocess.run(command, cwd=TABLE.parents[2], capture_output=True, text=True, check=False)
    assert "pip install 'shengji-client[asyncio]'" in process.stderr


def test_the_program_of_the_readme_plays(service):
    text = PROGRAM.replace("http://127.0.0.1:8000", service.url).replace('"shengji"', '"sishifen"', 1)
    text = text.replace('"players": 4}', '"players": 4, "ai_pace_ms": 0, "options": {"deal_pace": "instant"}}')
    output = subprocess.run(
        [sys.executable, "-c", text], cwd=TABLE.parents[2], capture_output=True, text=True, check=True, timeout=60
    ).stdout
    assert re.search(r"^played \w+", output, re.MULTILINE)
