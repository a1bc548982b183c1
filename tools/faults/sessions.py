"""A player who keeps sending requests while processes are killed."""

import time
from typing import Any

import requests

from harness.processes import RunningService


class Session:
    """A player who sends each request until it is answered."""

    def __init__(self, service: RunningService, name: str) -> None:
        self._url, self._session = f"http://127.0.0.1:{service.port}/v1", requests.Session()
        account = self.send("POST", "/players", {"name": name, "kind": "bot"}).json()
        self.player: str = account["player"]["id"]
        self._session.headers["Authorization"] = f"Bearer {account['token']}"

    def moves_to(self, service: RunningService) -> None:
        """Use another service, which has the same data."""
        self._url = f"http://127.0.0.1:{service.port}/v1"

    def send(self, method: str, path: str, body: Any = None) -> requests.Response:
        while True:
            try:
                answer = self._session.request(method, self._url + path, json=body, timeout=30)
            except requests.RequestException:
                answer = None
            if answer is not None and answer.status_code not in (500, 503):
                return answer
            time.sleep(0.1)

    def json(self, method: str, path: str, body: Any = None) -> Any:
        answer = self.send(method, path, body)
        assert answer.status_code < 300, (method, path, answer.text)
        return answer.json()
