"""`shengji doctor` finds what is wrong, and says what to do.

Faults of a machine are made on one of its own, in namespaces of Linux, which needs root or sudo.
"""

import os
import re
import shlex
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from redis import Redis

from harness.make_run import ROOT, Service, free_port
from harness.waiting import wait_until
from service import doctor
from service.common.settings import Settings
from service.jobs.worker_status import Heartbeat
from tests.support.old_redis import UNKNOWN, old_redis
from tests.support.sick_redis import FAULTS, on_small_disk
from tools.proxies import machine

COMMAND = (sys.executable, "-m", "service", "doctor")


@pytest.fixture
def settings(empty_redis, tmp_path):
    """Those of a service without a fault, that does not run."""
    client = Redis.from_url(empty_redis)
    before = {name: client.config_get(name)[name] for name in ("maxmemory", "maxmemory-policy", "appendonly")}
    client.config_set("maxmemory", "1gb")
    client.config_set("appendonly", "yes")
    wait_until(lambda: not client.info("persistence")["aof_rewrite_in_progress"])
    yield replace(Settings(), redis_url=empty_redis, data_dir=tmp_path / "var", port=free_port())
    for name, value in before.items():
        client.config_set(name, value)
    wait_until(lambda: not client.info("persistence")["aof_rewrite_in_progress"])
    client.close()


def wrong(settings, url=""):
    """Subject -> what the doctor says of it, for all that is wrong."""
    return {finding.subject: finding.text for finding in doctor.examine(settings, url) if finding.is_wrong}


def said_on(settings, *commands, through=()):
    """What the command says on a machine of its own, after commands of a shell, when another one starts it."""
    if reason := machine.why_not():
        pytest.skip(reason)
    script = "; ".join(["set -e", *commands, "exec " + shlex.join([*through, *COMMAND])])
    own = {"REDIS_URL": settings.redis_url, "DATA_DIR": str(settings.data_dir), "HOST": settings.host}
    environment = {"PATH": os.environ["PATH"], "PORT": str(settings.port)} | own
    return said_by(machine.on_its_own(["sh", "-c", script]), environment)


def said_by(command, environment):
    """Subject -> what the command says of it, for all that is wrong."""
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    faults = dict(re.findall(r"^(\S+) +WRONG +(.+)$", done.stdout, re.MULTILINE))
    assert done.returncode == bool(faults), done
    return faults


def configure(settings, **values):
    with Redis.from_url(settings.redis_url) as client:
        for name, value in values.items():
            client.config_set(name.replace("_", "-"), value)


def test_nothing_is_wrong_with_a_service_that_is_set_up_as_the_docs_say(settings):
    assert wrong(settings) == {}
    assert wrong(replace(settings, redis_url="")) == {}


def test_a_redis_that_evicts(settings):
    configure(settings, maxmemory_policy="allkeys-lru")
    assert wrong(settings) == {
        "redis": "REDIS_URL: Redis deletes data when it is full (maxmemory-policy allkeys-lru): "
        "set `maxmemory-policy noeviction`"
    }


def test_a_redis_that_keeps_nothing(settings):
    configure(settings, appendonly="no")
    assert wrong(settings)["redis"].endswith(
        "set `appendonly yes`, or `ACCEPT_LOSS=1` if losing everything does no harm"
    )
    assert wrong(replace(settings, accept_loss="1")) == {}


@pytest.mark.parametrize("version", UNKNOWN)
def test_an_old_redis(settings, version):
    with old_redis(version) as port:
        said = wrong(replace(settings, redis_url=f"redis://127.0.0.1:{port}"))["redis"]
    assert said.endswith("is older than Redis 6.0: install 6.0 or newer")


def test_a_clock_an_hour_off(settings, tmp_path):
    (tmp_path / "clock").write_text("3600000")
    stepped = {"PYTHONPATH": str(ROOT / "tools" / "faults" / "stepping"), "CLOCK_STEP_FILE": str(tmp_path / "clock")}
    said = said_by(COMMAND, stepped | {"REDIS_URL": settings.redis_url, "PORT": str(settings.port)})
    assert re.search(r"is -3[56]\d\d s from that of this machine: let NTP set the clocks of both", said["redis"])


def test_a_full_redis(settings):
    configure(settings, maxmemory="1")
    assert "refuses writes: raise `maxmemory`" in wrong(settings)["redis"]


SAID = {
    "memory-full": "refuses writes: raise `maxmemory`",
    "disk-full": "cannot write to its disk and refuses writes: make room there",
    "read-only": "is a replica and takes no writes: name the primary",
    "hanging": "no answer from",
    "gone": "no answer from",
}


@pytest.mark.parametrize("state", FAULTS)
def test_a_redis_that_takes_no_writes(settings, tmp_path, monkeypatch, state):
    monkeypatch.setattr(doctor, "_WAIT_S", 0.1)
    with on_small_disk(tmp_path / "disk") as server:
        with Redis.from_url(server.url) as client:
            client.config_set("maxmemory", "1gb")
        settings = replace(settings, redis_url=server.url)
        assert wrong(settings) == {}
        with FAULTS[state](server):
            assert SAID[state] in wrong(settings)["redis"]
        assert wrong(settings) == {}


def test_a_redis_that_does_not_answer(settings, monkeypatch):
    monkeypatch.setattr(doctor, "_WAIT_S", 0.1)
    url = f"redis://127.0.0.1:{free_port()}"
    assert wrong(replace(settings, redis_url=url))["redis"].startswith("REDIS_URL: no answer from 127.0.0.1")


def test_a_folder_that_cannot_be_written(settings, tmp_path):
    (tmp_path / "file").touch()
    said = wrong(replace(settings, redis_url="", data_dir=tmp_path / "file" / "var"))
    assert said["folder"].endswith("Give the folder to this user (chown), or set DATA_DIR to another one.")


@pytest.fixture
def disk(settings, tmp_path):
    """Those settings without a Redis, with the data on a disk that is to be mounted."""
    (tmp_path / "disk").mkdir()
    return replace(settings, redis_url="", data_dir=tmp_path / "disk")


def test_a_folder_on_a_read_only_disk(disk):
    said = said_on(disk, f"mount -t tmpfs -o ro,size=2g tmpfs {disk.data_dir}")
    assert list(said) == ["folder"]
    assert said["folder"].endswith("(Read-only file system). Mount a volume there, or set DATA_DIR to another one.")


def test_a_folder_of_another_user(disk):
    # Root without its right to write everywhere: any other user would need rights to this Python.
    through = ("setpriv", "--bounding-set", "-dac_override")
    said = said_on(disk, f"chmod 755 {disk.data_dir}", f"chown 12345 {disk.data_dir}", through=through)
    assert list(said) == ["folder"]
    assert said["folder"].endswith("Give the folder to this user (chown), or set DATA_DIR to another one.")


def test_a_full_disk(disk):
    fill = f"head -c 4m /dev/zero > {disk.data_dir}/filler 2>&- || true"
    said = said_on(disk, f"mount -t tmpfs -o size=1m tmpfs {disk.data_dir}", fill)
    assert list(said) == ["disk"]
    assert said["disk"].startswith("0.0 GB are free")
    assert said["disk"].endswith("make room for 1 GB, or move DATA_DIR")


def test_a_disk_without_room_for_a_file(disk):
    said = said_on(disk, f"mount -t tmpfs -o nr_inodes=1,size=2g tmpfs {disk.data_dir}")
    assert list(said) == ["folder"]
    assert said["folder"].endswith("(No space left on device). Make room there, or set DATA_DIR to another one.")


def test_a_machine_with_ipv6_alone(disk):
    alone = (*machine.OUTSIDE, *machine.FAMILIES["6"].commands)
    said = said_on(replace(disk, host="0.0.0.0"), *alone)  # noqa: S104
    assert list(said) == ["address"]
    assert said["address"].endswith("this machine has only IPv6: set HOST=::, for both")
    for host in ("::", "127.0.0.1"):
        assert said_on(replace(disk, host=host), *alone) == {}
    both = (*machine.OUTSIDE, *machine.FAMILIES["both"].commands)
    assert said_on(replace(disk, host="0.0.0.0"), *both) == {}  # noqa: S104


def test_a_port_that_another_program_has(settings):
    with ThreadingHTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler) as other:
        said = wrong(replace(settings, port=other.server_port))
    assert said["port"].endswith("is taken by another program: stop that one, or set PORT to another number")


def test_a_token_too_short(tmp_path):
    environment = {"OPERATOR_TOKEN": "short", "PATH": "", "DATA_DIR": str(tmp_path)}
    said = said_by(COMMAND, environment)
    assert list(said) == ["settings"]
    assert said["settings"].startswith("OPERATOR_TOKEN='short': must be empty, or 16 to 200 letters")


# --- a service that is not where it is looked for ---------------------------------------------------------------------


def told(settings, subject):
    """All that the doctor says of a subject, and whether it is wrong."""
    return [(finding.is_wrong, finding.text) for finding in doctor.examine(settings) if finding.subject == subject]


def test_a_service_on_another_port_is_found_by_its_data(start):
    service = start()
    service.wait_until_ready()
    settings = replace(Settings(), data_dir=service.folder / "var", port=free_port())
    (elsewhere, here) = told(settings, "port")
    assert elsewhere[1].startswith(f"nothing answers at http://127.0.0.1:{settings.port}, but the service on ")
    assert elsewhere[1].endswith(f"runs at {service.url}: looking at that one")
    assert here == (False, f"a service answers at {service.url}")
    assert told(settings, "processes") == [(False, "all parts of the service are there")]
    service.stop()
    assert told(settings, "port") == [(False, f"port {settings.port} is free; no service runs here")]


def test_processes_on_this_redis_without_an_api_here_are_named(settings):
    ((is_wrong, text),) = told(settings, "processes")
    assert is_wrong is None
    assert text.endswith("no process uses this Redis: no service runs")
    with Redis.from_url(settings.redis_url) as client:
        beat = Heartbeat(client, "clock", lambda: int(time.time() * 1000))
        beat.beat()
        ((is_wrong, text),) = told(settings, "processes")
        beat.end()
    assert is_wrong is None
    assert f"no API answers at http://127.0.0.1:{settings.port}, but processes use this Redis (clock): " in text
    assert "set PORT and HOST" in text


def test_what_could_not_be_looked_at_is_not_called_right(settings):
    environment = {"REDIS_URL": settings.redis_url, "PORT": str(settings.port)}
    done = subprocess.run(COMMAND, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert done.stdout.endswith("Nothing is wrong in what could be looked at; the rest has a `?`.\n")


# --- a service that runs ----------------------------------------------------------------------------------------------


@pytest.fixture
def running(settings, tmp_path):
    """An API alone, with its Redis."""
    command = [sys.executable, "-m", "service", "api"]
    path = {"REDIS_URL": settings.redis_url, "PYTHONPATH": str(ROOT)}
    service = Service(tmp_path, settings.port, command, **path)
    wait_until(lambda: answers(f"{service.url}/healthz"), service.output, seconds=60)
    yield service
    service.clear_away()


def answers(url):
    try:
        with urlopen(url):  # noqa: S310
            return True
    except OSError:
        return False


@contextmanager
def proxy(url, *, collects):
    """A proxy that passes on requests; those that stream it passes on after their end, if it collects them."""

    class Proxy(BaseHTTPRequestHandler):
        def pass_on(self):
            if collects and "event-stream" in self.headers.get("Accept", ""):
                time.sleep(60)
                return
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            try:
                request = Request(f"{url}{self.path}", body or None, dict(self.headers), method=self.command)  # noqa: S310
                answer = urlopen(request)  # noqa: S310
            except HTTPError as error:
                answer = error
            self.send_response(answer.status)
            self.send_header("Connection", "close")
            self.end_headers()
            while chunk := answer.read1():
                self.wfile.write(chunk)
                self.wfile.flush()

        do_GET = do_POST = do_DELETE = pass_on  # noqa: N815

        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Proxy) as server:
        server.daemon_threads, server.block_on_close = True, False
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_a_missing_worker(settings, running):
    said = wrong(settings)
    assert list(said) == ["processes"]
    assert "worker" in said["processes"]


@pytest.mark.parametrize("collects", [True, False])
def test_a_proxy_that_collects_streams(settings, running, monkeypatch, collects):
    monkeypatch.setattr(doctor, "_STREAM_S", 2.0)
    with proxy(running.url, collects=collects) as url:
        said = wrong(settings, url)
    assert ("proxy" in said) == collects
    if collects:
        assert "turn off buffering of responses" in said["proxy"]
    with Redis.from_url(settings.redis_url) as client:
        # The guest of the doctor has been deleted.
        assert client.keys("sj:*player:*") == []


def test_an_address_that_leads_elsewhere(settings, tmp_path):
    with ThreadingHTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler) as other:
        threading.Thread(target=other.serve_forever, daemon=True).start()
        said = wrong(settings, f"http://127.0.0.1:{other.server_port}")
        other.shutdown()
    assert "does not answer as this service does" in said["proxy"]
