"""Test of the production setup: `make compose` (needs Docker with Compose, and takes a while).

Starts docker-compose.yml as a separate project, plays at tables through the gateway, and meanwhile kills every
container, scales, and upgrades. Then it checks that every table went on without a gap, and that retries within twenty
seconds fixed all failed requests. Images are built unless they exist (`TAG=…`).
"""

import argparse
import itertools
import json
import os
import resource
import secrets
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from demo.crowd import Tally, play_until
from harness.processes import ENVIRONMENT
from shengji_client import Client
from tests.house.commands import COMMANDS, Inside

ROOT = Path(__file__).parents[2]
PROJECT = "shengji-check"
SERVICES = ("gateway", "api", "streams", "worker", "searcher", "clock", "messenger", "redis")
RULESETS = ("shengji", "zhaopengyou", "arms_length", "tractor")
#: Seconds: for becoming healthy again, between two probes, and for retries of a failed request.
HEALTHY_S = 120.0
PROBE_S = 0.05
MENDED_S = 20.0


class Prober(threading.Thread):
    """Sends reads and writes continuously, each over a new connection, and counts failures.

    Attributes:
        requests: number of requests, including retries.
        retried: number of requests that succeeded after a retry.
        lost: requests that no retry fixed, as text.
    """

    def __init__(self, client: Client) -> None:
        super().__init__(daemon=True)
        self._client = client
        self.stop = threading.Event()
        self.requests = self.retried = 0
        self.lost: list[str] = []
        self.slowest_s = 0.0

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
            failure = self._failure(method, path, body)
            if failure is None:
                if failed:
                    self.retried += 1
                    self.slowest_s = max(self.slowest_s, time.monotonic() - began)
                return
            failed = failure
            time.sleep(0.2)
        self.lost.append(f"{method} {path}: {failed}")

    def _failure(self, method: str, path: str, body: dict[str, str] | None) -> str | None:
        headers = {"Authorization": f"Bearer {self._client.token}", "Content-Type": "application/json"}
        data = json.dumps(body).encode() if body else None
        request = urllib.request.Request(self._client.url + path, data, headers, method=method)  # noqa: S310
        try:
            with urllib.request.urlopen(request, timeout=8) as answer:  # noqa: S310
                answer.read()
        except urllib.error.HTTPError as error:
            return f"{error.code} {error.read(300).decode(errors='replace')}"
        except OSError as error:
            return repr(error)
        return None


class Compose:
    """Commands of the project."""

    def __init__(self, environment: dict[str, str]) -> None:
        self._environment = {**os.environ, **environment}

    def __call__(self, *arguments: str) -> str:
        return self._run("docker", "compose", "-p", PROJECT, *arguments)

    def upgrade(self, tag: str) -> None:
        """Replace the images of the service by those of another tag."""
        self._environment["TAG"] = tag
        self._run(str(ROOT / "deploy" / "upgrade"), "-p", PROJECT)

    def containers(self, service: str) -> list[str]:
        return self("ps", "--quiet", service).split()

    def docker(self, *arguments: str) -> str:
        return self._run("docker", *arguments)

    def kill(self, container: str) -> None:
        """Kill all processes in a container; the restart policy restarts it, unlike after `docker kill`."""
        subprocess.run(["docker", "exec", container, "sh", "-c", "kill -9 -1"], env=self._environment, check=False)

    def wait_until_healthy(self) -> float:
        """Wait until all containers are healthy; return the seconds that it took."""
        began = time.monotonic()
        while time.monotonic() < began + HEALTHY_S:
            states = [json.loads(line) for line in self("ps", "--all", "--format", "json").splitlines()]
            sick = [f"{state['Name']}: {state['Status']}" for state in states if state["Health"] != "healthy"]
            if not sick:
                return time.monotonic() - began
            time.sleep(0.5)
        raise SystemExit(f"not healthy after {HEALTHY_S:g} s: {sick}")

    def _run(self, *command: str) -> str:
        done = subprocess.run(command, cwd=ROOT, env=self._environment, capture_output=True, text=True, check=False)
        if done.returncode:
            raise SystemExit(f"{' '.join(command)}: {done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout


def free_port() -> str:
    with socket.create_server(("0.0.0.0", 0)) as server:  # noqa: S104 - where Docker publishes it
        return str(server.getsockname()[1])


def most_files() -> str:
    """Return the limit of open files of a container, or the machine's limit if that is lower."""
    return os.environ.get("NOFILE") or str(min(65_536, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))


def say(text: str) -> None:
    print(f"{time.strftime('%H:%M:%S')} {text}", flush=True)


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


def check_hardening(compose: Compose) -> None:
    """Nothing runs as root, writes to its image or may gain privileges; everything has limits and rotates its log."""
    for container in compose("ps", "--quiet").split():
        [seen] = json.loads(compose.docker("inspect", container))
        host, name = seen["HostConfig"], seen["Name"]
        assert seen["Config"]["User"] not in ("", "0", "root"), name
        assert host["ReadonlyRootfs"], name
        assert host["CapDrop"] == ["ALL"], name
        assert "no-new-privileges:true" in host["SecurityOpt"], name
        assert host["Memory"] > 0, name
        assert host["NanoCpus"] > 0, name
        assert host["PidsLimit"] > 0, name
        assert host["LogConfig"]["Config"]["max-size"], name


def check_redis_is_closed(compose: Compose) -> None:
    """Redis does not answer without the password, and with it allows only what the service needs."""
    code = (
        "import os, redis; url = os.environ['REDIS_URL']\n"
        "def tried(url, *command):\n"
        "    try: return redis.Redis.from_url(url).execute_command(*command)\n"
        "    except redis.RedisError as error: return type(error).__name__\n"
        "print(tried('redis://redis:6379', 'PING'), tried(url, 'PING'), tried(url, 'FLUSHALL'),"
        " tried(url, 'CONFIG', 'GET', '*'), tried(url, 'SET', 'other', 1), tried(url, 'KEYS', '*'))"
    )
    said = compose("exec", "-T", "api", "python", "-c", code).split()
    assert said == ["AuthenticationError", "True", *["NoPermissionError"] * 4], said


def check_documented_commands(compose: Compose) -> None:
    """Commands of the operators' pages that run inside a container do."""
    for command, how in COMMANDS.items():
        if isinstance(how, Inside):
            compose("exec", "-T", *command.removeprefix("docker compose exec ").split())


def check_worker_health_is_its_own(compose: Compose) -> None:
    """A worker that is stopped becomes unhealthy, and the other one stays healthy."""
    stopped, other = compose.containers("worker")
    compose.docker("exec", stopped, "sh", "-c", "kill -STOP -1")
    until = time.monotonic() + HEALTHY_S
    while health(compose, stopped) == "healthy":
        assert time.monotonic() < until, "a stopped worker is still healthy"
        time.sleep(1)
    assert health(compose, other) == "healthy"
    compose.docker("exec", stopped, "sh", "-c", "kill -CONT -1")


def health(compose: Compose, container: str) -> str:
    return compose.docker("inspect", "--format", "{{.State.Health.Status}}", container).strip()


def main() -> int:
    parser = argparse.ArgumentParser(prog="make compose", description=__doc__)
    parser.add_argument("--port", default=free_port(), help="of the gateway")
    parser.add_argument("--keep", action="store_true", help="leave the containers running")
    given = parser.parse_args()
    # The limits are not meant for this much probing and playing.
    no_limits = {name: "0" for name in ENVIRONMENT if name.startswith("LIMIT_") or name == "HOST_TABLES"}
    own = {"PORT": given.port, "REDIS_PASSWORD": secrets.token_hex(16), "NOFILE": most_files()}
    compose = Compose(no_limits | own)
    url, tally = f"http://127.0.0.1:{given.port}", Tally()
    try:
        compose("up", "--detach", "--wait")
        say("up and healthy")
        check_hardening(compose)
        check_redis_is_closed(compose)
        check_documented_commands(compose)
        say("hardened; Redis obeys its user alone, and that one in little")
        with players(url, tally) as prober:
            time.sleep(5)
            for service in SERVICES:
                for container in compose.containers(service)[:1]:
                    compose.kill(container)
                    time.sleep(2)
                    took = 2 + compose.wait_until_healthy()
                    say(f"killed {service}: healthy again after {took:.0f} s; {tally.line()}")
            check_worker_health_is_its_own(compose)
            compose.wait_until_healthy()
            say("a stopped worker is unhealthy, the other one is not")
            for replicas in (1, 2):
                names = ("api", "streams", "worker", "searcher", "clock", "messenger")
                scaled = [f"--scale={name}={replicas}" for name in names]
                compose("up", "--detach", "--wait", "--no-recreate", *scaled)
                say(f"scaled to {replicas} each; {tally.line()}")
            before = (prober.requests, prober.retried)
            for name in ("shengji-service", "shengji-redis"):
                compose.docker("tag", f"{name}:{os.environ.get('TAG', 'latest')}", f"{name}:check")
            compose.upgrade("check")
            sent, retried = prober.requests - before[0], prober.retried - before[1]
            say(f"upgraded: {sent} requests meanwhile, {retried} of them mended by a retry; {tally.line()}")
            time.sleep(5)
        say(f"{prober.requests} requests, {prober.retried} mended by a retry within {prober.slowest_s:.1f} s")
        wrong = [*tally.faults, *prober.lost]
        if not tally.counts["rounds"]:
            wrong.append("no round was played to its end")
        print("\n".join(wrong[:50]) or "nothing failed that a retry does not mend")
        return bool(wrong)
    finally:
        if not given.keep:
            compose("down", "--volumes", "--timeout", "5")


if __name__ == "__main__":
    sys.exit(main())
