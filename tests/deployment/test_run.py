"""`make run` starts everything, keeps it running and stops it; killed processes do not prevent a new start."""

import os
import shlex
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
import requests

from harness.make_run import Service, free_port, need
from harness.waiting import wait_until
from service import run
from service.common.settings import Settings
from service.processes.embedded_redis import EmbeddedRedis, EmbeddedRedisError
from service.store.connections.clients import command_client

needs_proc = pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="looks for processes in /proc")


def register(service: Service) -> str:
    answer = requests.post(f"{service.url}/v1/players", json={"name": "Lin", "kind": "human"}, timeout=20)
    return str(answer.json()["token"])


def name_of(service: Service, token: str) -> str:
    """Return the name of the player; while Redis restarts, the API answers 503."""
    answers: list[requests.Response] = []

    def has_answered() -> bool:
        answers.append(requests.get(f"{service.url}/v1/me", headers={"Authorization": f"Bearer {token}"}, timeout=20))
        return answers[-1].status_code != 503

    wait_until(has_answered)
    assert answers[-1].ok, answers[-1].text
    return str(answers[-1].json()["name"])


@needs_proc
def test_it_greets_stops_everything_when_asked_and_starts_again_with_its_data(
    start: Callable[..., Service],
) -> None:
    need("curl")
    service = start()
    service.wait_until_ready()
    first_call = next(line.strip() for line in service.output().splitlines() if line.strip().startswith("curl"))
    subprocess.run([*shlex.split(first_call), "--fail", "-o", "/dev/null"], check=True)
    token = register(service)
    assert service.stop() == 0
    assert service.output().endswith("[run] stopped\n")
    assert service.processes() == {}
    # After everything was killed, it starts again on the same port.
    again = start(service.port)
    again.wait_until_ready()
    assert name_of(again, token) == "Lin"
    for process in [again.process.pid, *again.processes()]:
        with suppress(ProcessLookupError):  # it stops when the supervisor does
            os.kill(process, signal.SIGKILL)
    again.wait_for_end()
    third = start(service.port)
    third.wait_until_ready()
    assert name_of(third, token) == "Lin"


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="children learn of their parent's death on Linux only")
def test_after_a_kill_of_the_supervisor_its_children_stop_and_it_starts_again(
    start: Callable[..., Service],
) -> None:
    service = start()
    service.wait_until_ready()
    token = register(service)
    left = set(service.processes()) - {service.process.pid}
    service.process.kill()
    service.wait_for_end()
    again = start(service.port)
    again.wait_until_ready()
    assert name_of(again, token) == "Lin"
    redis = {process for process, command in again.processes().items() if "-server" in command}
    # Only Redis lives on, and is taken over.
    wait_until(lambda: left & set(again.processes()) == redis)


@needs_proc
def test_a_killed_process_is_restarted_without_any_refused_request(start: Callable[..., Service]) -> None:
    service = start()
    service.wait_until_ready()
    token = register(service)
    for name, command in (
        ("api", "service.wsgi:app"),
        ("worker", "workers worker"),
        ("clock", "workers clock"),
        ("Redis", "-server"),
    ):
        before = service.output().count("restarting it")
        victims = {process for process, line in service.processes().items() if command in line}
        assert victims, name
        for process in victims:
            with suppress(ProcessLookupError):  # gunicorn's worker stops when gunicorn does
                os.kill(process, signal.SIGKILL)
        service.wait_for(lambda before=before: service.output().count("restarting it") > before, f"a new {name}")
        assert name_of(service, token) == "Lin"
    assert service.stop() == 0


def test_systemd_is_told_when_it_is_ready_that_it_lives_and_when_it_stops(
    start: Callable[..., Service], tmp_path: Path
) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(tmp_path / "notify"))
        manager.settimeout(120)
        service = start(NOTIFY_SOCKET=str(tmp_path / "notify"))
        messages = [manager.recv(100)]
        while b"READY=1" not in messages:
            messages.append(manager.recv(100))
        assert requests.get(f"{service.url}/v1", timeout=20).ok
        # Its children say nothing: gunicorn would by itself.
        assert set(messages) == {b"WATCHDOG=1", b"READY=1"}
        assert manager.recv(100) == b"WATCHDOG=1"
        service.process.send_signal(signal.SIGTERM)
        while (last := manager.recv(100)) == b"WATCHDOG=1":
            pass
        assert last == b"STOPPING=1"


def test_a_port_in_use_is_reported_with_a_suggestion(start: Callable[..., Service]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        service = start(port)
        assert service.wait_for_end() == 1
    assert f"Port {port} on 127.0.0.1 is in use" in service.output()
    assert "set another port: PORT=" in service.output()
    assert "Traceback" not in service.output()


def test_a_second_run_on_the_same_data_is_refused_in_a_sentence(service: Service) -> None:
    for port in (free_port(), service.port):
        second = Service(service.folder, port)
        assert second.wait_for_end() == 1
        data = service.folder / "var"
        assert f"at {service.url}/, process {service.pid}, DATA_DIR={data}. Use that one" in second.output()
        assert "Traceback" not in second.output()
    assert requests.get(f"{service.url}/healthz", timeout=20).ok


@pytest.mark.parametrize(
    ("setting", "sentence"),
    [
        ({"PORT": "eighty"}, "PORT='eighty'"),
        ({"HOST": "203.0.113.1"}, "Cannot listen on 203.0.113.1"),
        ({"DATA_DIR": "/dev/null/var"}, "DATA_DIR=/dev/null/var cannot be written (Not a directory)"),
    ],
)
def test_an_invalid_setting_is_reported_in_a_sentence(
    start: Callable[..., Service], setting: dict[str, str], sentence: str
) -> None:
    service = start(**setting)
    assert service.wait_for_end() == 1
    assert sentence in service.output()
    assert "Traceback" not in service.output()


@pytest.mark.parametrize(("asked", "status", "told"), [("--help", 0, "Ctrl-C"), ("--port=9000", 2, "--port=9000")])
def test_arguments_start_nothing(asked: str, status: int, told: str) -> None:
    command = [sys.executable, "-m", "service", "run", asked]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == status
    assert told in done.stdout + done.stderr


def test_a_given_redis_is_used_and_none_is_started(start: Callable[..., Service], empty_redis: str) -> None:
    service = start(REDIS_URL=empty_redis)
    service.wait_until_ready()
    register(service)
    assert not (service.folder / "var" / "redis").exists()
    assert "the tables stay in your Redis" in service.output()


def test_a_child_that_repeatedly_fails_at_its_start_ends_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "_FIRST_DELAY_S", 0.0)
    child = run.Child("worker", [sys.executable, "-c", "raise SystemExit(3)"], {})

    def watch_for_ever() -> None:
        while True:
            child.watch()
            time.sleep(0.01)

    with pytest.raises(run.CannotRunError, match="worker failed 5 times"):
        watch_for_ever()


@pytest.mark.parametrize(
    ("code", "startup_s"),
    [
        ("import os; os.kill(os.getpid(), 9)", 60.0),
        ("", 60.0),
        ("raise SystemExit(3)", 0.0),
    ],
    ids=["killed at once", "told to stop at once", "fails now and then"],
)
def test_a_killed_child_is_always_restarted(monkeypatch: pytest.MonkeyPatch, code: str, startup_s: float) -> None:
    monkeypatch.setattr(run, "_FIRST_DELAY_S", 0.0)
    monkeypatch.setattr(run, "_STARTUP_S", startup_s)
    child = run.Child("worker", [sys.executable, "-c", code], {})
    pids = set()

    def restarts() -> int:
        child.watch()
        if child.process is not None:
            pids.add(child.process.pid)
        return len(pids)

    wait_until(lambda: restarts() > 2 * run._MOST_FAILURES)


def test_restarting_redis_is_retried_until_it_succeeds(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(run, "_FIRST_DELAY_S", 0.0)
    supervisor = run.Supervisor(Settings(data_dir=tmp_path))
    redis = supervisor.redis
    assert redis is not None
    redis.folder.mkdir()
    tries = iter([EmbeddedRedisError("No space left on device")] * 7 + [None])

    def start(serves: str) -> None:
        assert serves
        if error := next(tries):
            raise error

    monkeypatch.setattr(redis, "start", start)
    for _ in range(8):
        supervisor._watch()
        supervisor._redis_restart_at = 0.0
    assert next(tries, "none left") == "none left"
    assert capsys.readouterr().err.count("No space left on device") == 7


@pytest.mark.parametrize(
    ("host", "view"),
    [("127.0.0.1", "127.0.0.1"), ("0.0.0.0", "127.0.0.1"), ("::", "[::1]"), ("example.org", "example.org")],  # noqa: S104
)
def test_the_shown_address_can_be_opened_on_this_machine(host: str, view: str) -> None:
    assert run.address(run.Settings(host=host, port=8000)) == f"http://{view}:8000"


def test_the_number_of_workers_is_that_of_the_settings() -> None:
    named = [[child.name for child in run.children(Settings(job_workers=number), 5)] for number in (1, 3)]
    assert named == [
        ["api", "worker", "searcher", "clock"],
        ["api", "worker 1", "worker 2", "worker 3", "searcher", "clock"],
    ]


@pytest.mark.parametrize("when", ["everysec", "always"])
def test_the_started_redis_syncs_as_configured(when: str, tmp_path: Path) -> None:
    settings = Settings.from_env({"REDIS_APPENDFSYNC": when})
    with EmbeddedRedis(tmp_path, run.redis_settings(settings)) as server, command_client(server.url) as client:
        assert client.config_get("appendfsync") == {"appendfsync": when}


@needs_proc
def test_a_child_ends_if_its_parent_died_before_the_signal_was_requested() -> None:
    code = (
        "import os; from service.run import _stop_with_parent\n"
        "ends, stop = os.pipe(), _stop_with_parent()\n"
        "if os.fork() == 0:\n"
        "    dying = os.getpid()\n"
        "    if os.fork() == 0:\n"
        "        while os.getppid() == dying: pass\n"
        "        stop()\n"
        "        os.write(1, b'an orphan lives on')\n"
        "    os._exit(0)\n"
        "os.wait(); os.close(ends[1]); os.read(ends[0], 1)\n"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=60, check=True).stdout == b""


@pytest.mark.skipif(not socket.has_dualstack_ipv6(), reason="needs IPv6")
@pytest.mark.parametrize("reached", ["127.0.0.1", "::1"])
def test_all_addresses_are_those_of_both_families(reached: str) -> None:
    with run.listen("::", 0) as listening, socket.create_connection((reached, listening.getsockname()[1])):
        pass
