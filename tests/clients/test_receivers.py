"""The receivers of notices in `docs/`, unchanged, notified by the messenger of the running service."""

import json
import os
import re
import shutil
import socket
import subprocess
import sys
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest
import requests
from standardwebhooks import Webhook

from harness.make_run import free_port
from harness.waiting import wait_until
from tests.clients.test_documented import IN_PYTHON, IN_TYPESCRIPT, TSCONFIG
from tools.clients.toolchain import ROOT

OPERATIONS = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
[RELAY] = re.findall(r"^```python\n(.*?)^```", OPERATIONS, re.MULTILINE | re.DOTALL)
SECRET = "whsec_" + "c2VjcmV0" * 4
#: A turn that nobody takes is not over before the test has looked at its notice.
PATIENT = {"declare_ms": 60_000}


@contextmanager
def started(*command, **environment):
    """Run a program; yield its output."""
    program = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env={**os.environ, **environment}
    )
    try:
        yield program.stdout
    finally:
        program.kill()
        program.wait()


def is_listening(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


@pytest.fixture
def typescript_receiver(tools, typescript_types, tmp_path):
    """The compiled module, in a folder with the packages that it imports."""
    shutil.copy(typescript_types / "api.ts", tmp_path)
    (tmp_path / "package.json").write_text('{"type": "module"}')
    (tmp_path / "receiver.ts").write_text(IN_TYPESCRIPT, encoding="utf-8")
    config = json.loads(TSCONFIG.read_text())
    config["compilerOptions"]["lib"].append("dom.iterable")
    # The types of the package refer to those of Node.
    config["compilerOptions"]["skipLibCheck"] = True
    (tmp_path / "tsconfig.json").write_text(json.dumps(config))
    (tmp_path / "node_modules").symlink_to(tools.folder / "node_modules")
    assert tools.tsc("-p", tmp_path) == ""
    return tmp_path / "built" / "receiver.js"


class Lin:
    """A bot that calls the API."""

    def __init__(self, service):
        self.url, self.headers = service.url, {}
        account = self.call("POST", "/v1/players", {"name": "Lin", "kind": "bot"})
        self.headers["Authorization"] = f"Bearer {account['token']}"

    def call(self, method, path, body=None):
        answer = requests.request(method, self.url + path, json=body, headers=self.headers, timeout=20)
        assert answer.ok, answer.text
        return answer.json()

    def plays(self):
        """Begin a game with AI players; return the table, which soon asks the bot for a decision."""
        table = self.call("POST", "/v1/tables", {"ruleset": "shengji", "players": 4, "clock": PATIENT})["id"]
        self.call("POST", f"/v1/tables/{table}/seats", {"seat": 0})
        for seat in (1, 2, 3):
            self.call("PUT", f"/v1/tables/{table}/seats/{seat}/ai", {})
        self.call("PUT", f"/v1/tables/{table}/seats/me/ready", {})
        return table


def is_told(service, command):
    """Check that a receiver verifies its webhook, gets a turn once, and refuses a changed body."""
    lin, port = Lin(service), free_port()
    url = f"http://127.0.0.1:{port}/"
    webhook = lin.call("POST", "/v1/me/webhooks", {"url": url, "name": "Receiver", "events": ["turn"]})
    path = f"/v1/me/webhooks/{webhook['id']}"
    with started(*command(port, webhook["secret"])) as lines:
        wait_until(lambda: is_listening(port))
        lin.call("POST", f"{path}/verify")
        wait_until(lambda: lin.call("GET", path)["state"] == "active")
        table = lin.plays()
        kind, _, data = lines.readline().partition(" ")
        content = json.loads(data)
        assert (kind, content["table"], content["seat"]) == ("turn", table, 0)
        # The signature is accepted; with another byte in the body, it is refused.
        body = b'{"type": "turn", "data": {}}'
        for sent, status in ((body, 200), (body.replace(b"turn", b"torn"), 401)):
            answer = requests.post(url, data=sent, headers=_signed(webhook["secret"], body), timeout=10)
            assert answer.status_code == status

        def delivered():
            items = lin.call("GET", f"{path}/deliveries")["items"]
            return [each for each in items if each["type"] == "turn" and each["outcome"] == "delivered"]

        [delivery] = wait_until(delivered)
        assert (delivery["attempts"], delivery["status"]) == (1, 200)


def _signed(secret, body):
    now = datetime.now(UTC)
    signature = Webhook(secret).sign("msg_1", now, body.decode())
    return {"webhook-id": "msg_1", "webhook-timestamp": str(int(now.timestamp())), "webhook-signature": signature}


def test_the_receiver_in_python_is_notified(service, tmp_path):
    file = tmp_path / "receiver.py"
    file.write_text(IN_PYTHON, encoding="utf-8")
    is_told(service, lambda port, secret: [sys.executable, file, str(port), secret])


def test_the_receiver_in_typescript_is_notified(service, tools, typescript_receiver):
    serve = Path(__file__).parent / "programs" / "receive.mjs"
    is_told(service, lambda port, secret: [tools.node, serve, typescript_receiver, str(port), secret])


@pytest.mark.parametrize(("program", "lines"), [(IN_PYTHON, 22), (IN_TYPESCRIPT, 22), (RELAY, 40)])
def test_a_receiver_is_short(program, lines):
    assert len([line for line in program.splitlines() if line.strip()]) <= lines


def test_the_relay_passes_on_signed_notices_only(tmp_path):
    file, port = tmp_path / "relay.py", free_port()
    file.write_text(RELAY, encoding="utf-8")
    notice = {
        "type": "turn",
        "device_token": "0a1b",
        "title": "It is your turn",
        "body": "Sheng Ji: the table waits for you.",
        "title_loc_key": "notice.turn.title",
        "body_loc_key": "notice.turn.body",
        "loc_args": ["Sheng Ji"],
        "table": "tb_1",
        "collapse_id": "tb-1-turn",
    }
    with started(sys.executable, str(file), str(port), PUSH_RELAY_SECRET=SECRET) as lines:
        wait_until(lambda: is_listening(port))
        for platform in ("apns", "fcm"):
            body = json.dumps({**notice, "platform": platform}).encode()
            answer = requests.post(f"http://127.0.0.1:{port}/", data=body, headers=_signed(SECRET, body), timeout=10)
            assert answer.status_code == 204
            assert "tb_1" in lines.readline()
        refused = requests.post(f"http://127.0.0.1:{port}/", data=body, headers=_signed(SECRET, b"{}"), timeout=10)
        assert refused.status_code == 401


def test_a_push_service_decrypts_notices_and_an_expired_subscription_is_removed(service, tools):
    lin, port = Lin(service), free_port()
    server = tools.folder / "node_modules" / "web-push-testing" / "src" / "bin" / "server.js"
    with started(tools.node, server, str(port)):
        wait_until(lambda: is_listening(port))

        def ask(path, **form):
            answer = requests.post(f"http://127.0.0.1:{port}{path}", data=form, timeout=10)
            assert answer.ok, answer.text
            return answer.json()

        wanted = {"userVisibleOnly": "true", "applicationServerKey": lin.call("GET", "/v1/push-key")["key"]}
        outcome = ask("/subscribe", **wanted)["data"]
        body = {"carrier": "webpush", "endpoint": outcome["endpoint"], **outcome["keys"]}
        lin.call("PUT", "/v1/me/push-subscriptions/browser-1", body)
        lin.call("PATCH", "/v1/me/notices", {"after_ms": 0})
        table = lin.plays()
        messages = wait_until(lambda: ask("/get-notifications", clientHash=outcome["clientHash"])["data"]["messages"])
        content = json.loads(messages[0])
        assert (content["title"], content["data"]["table"]) == ("It is your turn", table)
        requests.post(f"http://127.0.0.1:{port}/expire-subscription/{outcome['clientHash']}", timeout=10)
        lin.plays()
        wait_until(lambda: lin.call("GET", "/v1/me/push-subscriptions")["items"] == [])
