"""A service as containers run it, on loopback, and the Prometheus that watches it."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Collection, Mapping
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

import requests
import yaml
from redis import Redis

from harness.processes import ENVIRONMENT, ServiceProcess
from harness.stepping import SteppedClock
from harness.waiting import wait_until
from service.common.settings import Settings
from service.jobs.worker_status import note_backup
from service.processes.embedded_redis import EmbeddedRedis
from service.run import children, listen

SHIPPED: Final = Path(__file__).parents[2] / "deploy" / "prometheus"
PATIENCE_S: Final = 240.0
DISK: Final = "32m"
ROLES: Final = ("worker", "searcher", "clock", "messenger")
KINDS: Final = ("api", "streams", *ROLES)
OPERATOR: Final = "an-operator-of-outages-with-a-long-token"


class Seen(NamedTuple):
    """What one moment of an outage shows.

    Attributes:
        readyz: status and what is missing, or "no answer".
        metrics: what is out of the ordinary in them.
        alerts: name -> `pending` or `firing`.
        summaries: of those that fire.
    """

    readyz: str
    metrics: str
    alerts: Mapping[str, str]
    summaries: tuple[str, ...]


class Watched:
    """A service and the Prometheus that watches it.

    Args:
        folder: for all data and the log.
        naming: alerts that must be silent before it is watched. On a busy machine others may be pending.
        apis: number of API processes.
    """

    def __init__(self, folder: Path, naming: Collection[str], *, apis: int = 1) -> None:
        self.folder, self.stack, self._naming = folder, ExitStack(), set(naming)
        self.has_small_disk = False
        self.stepped = SteppedClock(folder / "step")
        self.redis = EmbeddedRedis(folder / "redis", environment=self.stepped.environment)
        self._log = (folder / "log").open("ab")
        self.ports: dict[str, int] = {}
        self.processes: dict[str, ServiceProcess] = {}
        expected = ",".join(f"{kind}={apis if kind == 'api' else 1}" for kind in KINDS)
        self._environment = {**ENVIRONMENT, "EXPECTED": expected, "OPERATOR_TOKEN": OPERATOR}
        self._apis = ["api", *(f"api {number}" for number in range(2, apis + 1))]

    def __enter__(self) -> Self:
        self.stack.callback(self._log.close)
        self._mount()
        self.stack.callback(self.redis.stop)
        self.redis.start()
        settings = Settings(redis_url=self.redis.url, job_workers=1)
        for name in (*self._apis, "streams"):
            listening = self.stack.enter_context(listen("127.0.0.1", 0))
            self.ports[name] = int(listening.getsockname()[1])
            child = children(settings, listening.fileno())[0]
            only = {"ONLY_STREAMS": str(int(name == "streams"))}
            self._start(name, child.command, {**child.environment, **only}, child.inherited)
            # Behind a closed socket a request would wait for a process that is gone.
            listening.close()
        for role in ROLES:
            self._start(role, [sys.executable, "-m", "workers", role], child.environment)
        self.targets(*self.ports)
        wait_until(lambda: self.get(self.ports["api"], "/readyz")[0] == 200, PATIENCE_S)
        with Redis.from_url(self.redis.url) as client:
            note_backup(client, int(1000 * time.time()))
        self._seat_ai_players()
        self._start_prometheus()
        wait_until(self._is_watched, PATIENCE_S)
        return self

    def __exit__(self, *error: object) -> None:
        # Gunicorn's own processes outlive it for a while, and longest while their Redis hangs.
        self.kill(*(name for name in self.processes if self.lives(name)), stay=True)
        self.stack.close()

    def _mount(self) -> None:
        self.redis.folder.mkdir(mode=0o700)
        if os.geteuid() == 0 and sys.platform.startswith("linux"):
            mount = ["mount", "-t", "tmpfs", "-o", f"size={DISK},mode=700", "tmpfs", str(self.redis.folder)]
            self.has_small_disk = not subprocess.run(mount, check=False, capture_output=True).returncode
        if self.has_small_disk:
            self.stack.callback(subprocess.run, ["umount", "--lazy", str(self.redis.folder)], check=True)

    def _start(
        self, name: str, command: Any, environment: Mapping[str, str], inherited: tuple[int, ...] = ()
    ) -> ServiceProcess:
        process = ServiceProcess(name, command, {**environment, **self._environment}, inherited, self._log)
        process.start()
        self.processes[name] = process
        return process

    def kill(self, *names: str, stay: bool = False) -> None:
        """Kill processes; those that Prometheus asks are targets no longer, unless they `stay`."""
        for name in names:
            own = self.processes[name].children()
            self.processes[name].kill()
            for pid in own:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
        if not stay:
            self.targets(*(name for name in self.ports if name not in names))

    def targets(self, *names: str) -> None:
        """Let Prometheus know of these, as DNS does."""
        groups = [{"targets": [f"127.0.0.1:{self.ports[n]}"], "labels": {"kind": n.split()[0]}} for n in names]
        part = self.folder / "targets.new"
        part.write_text(json.dumps(groups))
        part.replace(self.folder / "targets.json")

    def _seat_ai_players(self) -> None:
        account = self._post("/v1/players", {"name": "Lin", "kind": "bot"})
        spec = {"ruleset": "shengji", "players": 4, "options": {"deal_pace": "instant"}, "ai_pace_ms": 1_500}
        path = f"/v1/tables/{self._post('/v1/tables', spec, account['token'])['id']}"
        for seat in range(4):
            self._post(f"{path}/seats/{seat}/ai", {"level": "easy"}, account["token"], method="PUT")

    def _post(self, path: str, body: Mapping[str, Any], token: str = "", method: str = "POST") -> Any:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        url = f"http://127.0.0.1:{self.ports['api']}{path}"
        answer = requests.request(method, url, json=body, headers=headers, timeout=60)
        answer.raise_for_status()
        return answer.json()

    def get(self, port: int, path: str) -> tuple[int, str]:
        """Return status and body; 0 if nobody answers."""
        headers = {"Authorization": f"Bearer {OPERATOR}"}
        try:
            answer = requests.get(f"http://127.0.0.1:{port}{path}", headers=headers, timeout=30)
        except requests.RequestException:
            return 0, ""
        return answer.status_code, answer.text

    def _start_prometheus(self) -> None:
        shutil.copy(SHIPPED / "alerts.yml", self.folder)
        (self.folder / "operator_token").write_text(OPERATOR)
        config = yaml.safe_load((SHIPPED / "prometheus.yml").read_text())
        own = next(job for job in config["scrape_configs"] if job["job_name"] == "shengji")
        del own["dns_sd_configs"], own["relabel_configs"]
        own["file_sd_configs"] = [{"files": ["targets.json"], "refresh_interval": "5s"}]
        # There are no exporters here, and nothing in front of the API.
        config["scrape_configs"] = [own]
        (self.folder / "prometheus.yml").write_text(yaml.safe_dump(config))
        with listen("127.0.0.1", 0) as free:
            self._prometheus = int(free.getsockname()[1])
        command = ["prometheus", "--config.file=prometheus.yml", "--storage.tsdb.path=series"]
        command += [f"--web.listen-address=127.0.0.1:{self._prometheus}", "--log.level=warn"]
        popen = subprocess.Popen(command, cwd=self.folder, stdout=self._log, stderr=self._log)
        self.stack.callback(popen.wait)
        self.stack.callback(popen.kill)

    def _is_watched(self) -> bool:
        """Return whether Prometheus has heard of all, and misses nothing."""
        path = "/api/v1/query?query=count(count+by+(kind,role)(processes)>0)+and+on()+sum(up)"
        counted = f"=={len(self.ports)}"
        status, body = self.get(self._prometheus, path + counted)
        return status == 200 and bool(json.loads(body)["data"]["result"]) and not self._naming & self.alerts()[0].keys()

    def alerts(self) -> tuple[dict[str, str], tuple[str, ...]]:
        """Return the state of each alert, and the summaries of those that fire."""
        status, body = self.get(self._prometheus, "/api/v1/alerts")
        active = json.loads(body)["data"]["alerts"] if status == 200 else []
        states = {each["labels"]["alertname"]: each["state"] for each in active}
        fire = [each for each in active if each["state"] == "firing"]
        return states, tuple(f"{each['annotations']['summary']}" for each in fire)

    def look(self) -> Seen:
        """Read everything that an operator reads."""
        alerts, summaries = self.alerts()
        alive = [self.ports[name] for name in self.ports if self.lives(name)]
        status, body = self.get(alive[0], "/readyz") if alive else (0, "")
        _, page = self.get(alive[0], "/metrics") if alive else (0, "")
        return Seen(_summary(status, body), _unusual(page), alerts, summaries)

    def lives(self, name: str) -> bool:
        """Return whether a process runs."""
        popen = self.processes[name].popen
        return popen is not None and popen.poll() is None


def _summary(status: int, body: str) -> str:
    if not status:
        return "no answer"
    answer = json.loads(body) if body else {}
    answer = answer.get("params", answer)
    missing = [name for name, is_well in answer.get("checks", {}).items() if is_well is False]
    redis = [state for state in answer.get("redis", {}).values() if state != "ok"]
    return " ".join([str(status), *missing, *redis])


def _unusual(page: str) -> str:
    """Return the metrics that are not as in a healthy service."""
    if not page:
        return "none"
    lines = [
        f"{name}{{{labels}}} {float(value):g}" if labels else f"{name} {float(value):g}"
        for name, labels, value in re.findall(r"^(\w+)(?:\{(.*)\})? (\S+)$", page, re.MULTILINE)
        if (name == "processes" and float(value) == 0)
        or (name == "redis_state" and float(value) == 1 and 'state="ok"' not in labels)
        or (name == "redis_up" and float(value) == 0)
        or (name == "tables_overdue" and float(value) > 0)
    ]
    if not re.search(r"^processes\{", page, re.MULTILINE):
        lines.append("no `processes`")
    return ", ".join(lines) or "as before"
