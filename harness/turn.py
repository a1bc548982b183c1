"""A TURN server on this machine: coturn of Debian, with the secret that it shares with the service."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from harness.make_run import free_port, need
from harness.waiting import wait_until

#: Name of the program.
PROGRAM: Final = "turnserver"
SECRET: Final = "a-secret-of-the-tests"  # noqa: S105


class TurnServer:
    """A running server: its settings for the service, and what it has written."""

    def __init__(self, port: int, log: Path) -> None:
        self._log: Final = log
        self.settings: Final = {"TURN_URLS": f"turn:127.0.0.1:{port}?transport=udp", "TURN_SECRET": SECRET}

    def output(self) -> str:
        return self._log.read_text(errors="replace") if self._log.exists() else ""


@contextmanager
def turn_server(folder: Path) -> Iterator[TurnServer]:
    """Run a TURN server; without the program, skip the test, or fail in CI."""
    need(PROGRAM)
    port, log = free_port(), folder / "turn.log"
    options = (
        *("--use-auth-secret", f"--static-auth-secret={SECRET}", "--realm=tests"),
        *("--listening-ip=127.0.0.1", "--relay-ip=127.0.0.1", f"--listening-port={port}"),
        # Both browsers are on this machine, which a server for others refuses to relay to.
        *("--allow-loopback-peers", "--no-tls", "--no-dtls", "--no-cli", "--verbose"),
        *("--log-file=stdout", "--simple-log", f"--pidfile={folder / 'turn.pid'}", f"--userdb={folder / 'turn.db'}"),
    )
    with log.open("w") as output:
        process = subprocess.Popen([PROGRAM, "-n", *options], cwd=folder, stdout=output, stderr=output)
    server = TurnServer(port, log)
    try:
        wait_until(lambda: "IPv4. UDP listener opened" in server.output(), lambda: f"a TURN server\n{server.output()}")
        yield server
    finally:
        process.terminate()
        process.wait(30)
