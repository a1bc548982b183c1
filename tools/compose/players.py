"""Players at tables and a prober, who go on while containers are killed and replaced."""

import itertools
import json
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from demo.crowd import Tally, play_until
from shengji_client import Client

RULESETS: Final = ("shengji", "zhaopengyou", "arms_length", "tractor")
#: Seconds between two probes, and for retries of a failed request.
PROBE_S: Final = 0.05
MENDED_S: Final = 20.0


class Prober(threading.Thread):
    """Sends reads and writes continuously, each over a new connection, and counts failures.

    Attributes:
        requests: number of requests, including retries.
        retried: number of requests that succeeded after a retry.
        lost: requests that no retry fixed, as text.
        slowest_s: the most seconds until a failed request was fixed.
        longest_s: the most seconds until a request was answered or failed.
    """

    def __init__(self, client: Client) -> None:
        super().__init__(daemon=True)
        self._client = client
        self.stop = threading.Event()
        self.requests = self.retried = 0
        self.lost: list[str] = []
        self.slowest_s = self.longest_s = 0.0

    def run(self) -> None:
        for number in itertools.count():
            if self.stop.wait(PROBE_S):
                return
            self._probe("GET", "/v1/me", None)
            self._probe("PATCH", "/v1/me", {"name": f"Prober {number}"})

    def _probe(self, method: str, path: str, body: dict[str, str] | None) -> None:
        began = time.monotonic()
        failed = ""
        while time.monotonic() < began + MENDED_S:
            self.requests += 1
            sent = time.monotonic()
            failure = self._failure(method, path, body)
            self.longest_s = max(self.longest_s, time.monotonic() - sent)
            if failure is None:
                if failed:
                    self.retried += 1
                    self.slowest_s = max(self.slowest_s, time.monotonic() - began)
                return
            failed = failure
            time.sleep(0.2)
        self.lost.append(f"{method} {path}: {failed}")

    def _failure(self, method: str, path: str, body: dict[str, str] | None) -> str | None:
        try:
            self._answer(method, path, body)
        except urllib.error.HTTPError as error:
            return f"{error.code} {error.read(300).decode(errors='replace')}"
        except OSError as error:
            return repr(error)
        return None

    def _answer(self, method: str, path: str, body: dict[str, str] | None) -> bytes:
        headers = {"Authorization": f"Bearer {self._client.token}", "Content-Type": "application/json"}
        data = json.dumps(body).encode() if body else None
        request = urllib.request.Request(self._client.url + path, data, headers, method=method)  # noqa: S310
        with urllib.request.urlopen(request, timeout=8) as answer:  # noqa: S310
            return bytes(answer.read())

    def name_of_player(self) -> str:
        """Return the name that the service knows."""
        return str(json.loads(self._answer("GET", "/v1/me", None))["name"])


@contextmanager
def players(url: str, tally: Tally) -> Iterator[Prober]:
    """Let players play and a prober probe."""
    prober = Prober(Client.register(url, "Prober"))
    end = _End()
    threads = [threading.Thread(target=_play, args=(url, name, end, tally), daemon=True) for name in RULESETS]
    for thread in [prober, *threads]:
        thread.start()
    yield prober
    prober.stop.set()
    end.come()
    for thread in [prober, *threads]:
        thread.join(60)


class _End:
    """A time that is set later; comparable with times."""

    def __init__(self) -> None:
        self._come = threading.Event()

    def come(self) -> None:
        self._come.set()

    def __gt__(self, now: float) -> bool:
        return not self._come.is_set()

    def __lt__(self, now: float) -> bool:
        return self._come.is_set()


def _play(url: str, ruleset: str, end: _End, tally: Tally) -> None:
    while end > time.monotonic():
        try:
            play_until(url, ruleset, end, tally)  # type: ignore[arg-type]
        except Exception as error:  # noqa: BLE001 - reported with the faults at the end
            tally.fault(f"{ruleset}: {error!r}")
