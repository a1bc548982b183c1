"""The image and docker-compose.yml, checked without Docker: their files exist and their commands run."""

import json
import os
import re
import shlex
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from redis import Redis
from redis.exceptions import AuthenticationError, NoPermissionError

from harness.document import document
from harness.make_run import ROOT
from harness.waiting import wait_until
from service.api.http.problems import STATUS
from service.common.settings import Settings
from service.processes.redis_programs import programs

OURS = ("api", "streams", "worker", "searcher", "clock", "messenger")
GATEWAY = (ROOT / "deploy" / "gateway.conf").read_text()


@cache
def compose() -> dict[str, Any]:
    return yaml.safe_load((ROOT / "docker-compose.yml").read_text())


def instructions() -> list[tuple[str, str]]:
    text = (ROOT / "Dockerfile").read_text().replace("\\\n", " ")
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return [(line.split(None, 1)[0], " ".join(line.split(None, 1)[1].split())) for line in lines]


def last(instruction: str) -> str:
    return [text for name, text in instructions() if name == instruction][-1]


def test_the_production_shape_is_redis_api_streams_workers_and_clock_behind_a_gateway() -> None:
    assert set(compose()["services"]) == {"redis", "gateway", "backup", *OURS}


@pytest.mark.parametrize("name", ["gateway", "worker", "searcher", "clock", "messenger", "backup"])
def test_every_container_has_a_health_check(name: str) -> None:
    assert compose()["services"][name]["healthcheck"]["test"]


def test_api_streams_and_redis_have_the_health_checks_of_their_images() -> None:
    of_redis, of_service = (text for name, text in instructions() if name == "HEALTHCHECK")
    assert "/usr/local/lib/redis/healthy" in of_redis
    assert "/healthz" in of_service


def test_gateways_listen_on_both_families_of_addresses() -> None:
    for path in ("deploy/gateway.conf", "deploy/kubernetes/base/gateway.conf", "deploy/proxies/nginx.conf"):
        listens = re.findall(r"^\s+listen (\[::\]:)?(\d+)", (ROOT / path).read_text(), re.MULTILINE)
        of_6, of_4 = ({port for v6, port in listens if bool(v6) is wanted} for wanted in (True, False))
        assert of_6 == of_4 != set()


ASKED = {"0.0.0.0": "127.0.0.1", "::": "[::1]", "127.0.0.1": "127.0.0.1", "::1": "[::1]"}  # noqa: S104


@pytest.mark.parametrize(("host", "wanted"), ASKED.items())
def test_the_health_check_of_the_image_asks_the_address_listened_on(host: str, wanted: str) -> None:
    [check] = [text for name, text in instructions() if name == "HEALTHCHECK" and "healthz" in text]
    command = json.loads(check[check.index("[") :])
    program = "import urllib.request; urllib.request.urlopen = lambda url, timeout: print(url);"
    run = [sys.executable, *command[1:-1], program + command[-1]]
    process = subprocess.run(run, env={"HOST": host}, capture_output=True, text=True, check=True).stdout
    assert process == f"http://{wanted}:8000/healthz\n"


def test_the_gateway_is_healthy_by_itself() -> None:
    """Its health check asks no other process, since the gateway works even without any API process."""
    [location] = re.findall(r"location = /gateway \{(.*?)\}", GATEWAY, re.DOTALL)
    assert compose()["services"]["gateway"]["healthcheck"]["test"][-1].endswith(":8000/gateway")
    assert "proxy_pass" not in location


@pytest.mark.parametrize("name", ["gateway", "redis", "backup", *OURS])
def test_every_container_is_hardened_and_limited(name: str) -> None:
    service = compose()["services"][name]
    assert service["read_only"]
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert {"cpus", "memory", "pids"} <= set(service["deploy"]["resources"]["limits"])
    assert {"max-size", "max-file"} <= set(service["logging"]["options"])


@pytest.mark.parametrize("name", OURS)
def test_two_of_each_answer_while_one_is_replaced(name: str) -> None:
    assert compose()["services"][name]["deploy"]["replicas"] == 2


def test_containers_wait_for_healthy_dependencies() -> None:
    services = compose()["services"]
    for name in OURS:
        assert services[name]["depends_on"] == {"redis": {"condition": "service_healthy"}}
    assert services["gateway"]["depends_on"] == {name: {"condition": "service_healthy"} for name in ("api", "streams")}


def test_redis_persists_every_write_and_evicts_nothing() -> None:
    command = (ROOT / "deploy" / "redis" / "start").read_text()
    for wanted in (
        "appendonly yes",
        "appendfsync ${REDIS_APPENDFSYNC:-everysec}",
        "maxmemory-policy noeviction",
        "stream-node-max-bytes 1024",
    ):
        assert wanted in command
    assert compose()["services"]["redis"]["volumes"] == ["tables:/data"]
    assert "tables" in compose()["volumes"]


def test_backups_are_made_every_day_into_a_volume_of_their_own() -> None:
    service = compose()["services"]["backup"]
    # Its image serves HTTP and asks for that; this container does not.
    assert service["healthcheck"]["test"] == ["CMD", "test", "-w", "/backups"]
    assert service["command"][:5] == ["python", "-m", "service.backup", "keep", "/backups"]
    assert service["volumes"] == ["backups:/backups"]
    assert "backups" in compose()["volumes"]
    assert any("install -d -o shengji -m 700 /backups" in text for name, text in instructions() if name == "RUN")
    assert "--no-deps backup\n" in (ROOT / "deploy" / "upgrade").read_text()


def test_only_the_gateway_can_be_reached_from_outside() -> None:
    assert [name for name, service in compose()["services"].items() if "ports" in service] == ["gateway"]


def test_containers_get_every_setting() -> None:
    """Services may have an environment of their own, which must not lose that of all."""
    names = {known.name.upper() for known in fields(Settings) if known.metadata["compose"] is not None}
    for name in OURS:
        assert set(compose()["services"][name]["environment"]) - {"ALIVE_FILE"} == names


@pytest.mark.parametrize("name", OURS)
def test_settings_of_the_image_are_kept(name: str) -> None:
    """For Docker, a name without a value removes the value of the image."""
    set_by_image = {pair.partition("=")[0] for pair in shlex.split(last("ENV"))}
    environment = compose()["services"][name]["environment"]
    assert "LOG_FORMAT" in set_by_image & set(environment)
    assert [known for known in set_by_image & set(environment) if environment[known] is None] == []


@pytest.mark.parametrize("name", ["worker", "searcher", "clock", "messenger"])
def test_workers_run_with_the_command_of_compose(name: str, empty_redis: str, tmp_path: Path) -> None:
    """The command runs, and the health check is only for this process."""
    service = compose()["services"][name]
    file = tmp_path / "alive"
    kind, check = service["healthcheck"]["test"]
    assert kind == "CMD-SHELL"
    assert service["environment"]["ALIVE_FILE"] in check
    check = check.replace(service["environment"]["ALIVE_FILE"], str(file)).replace("$$", "$")

    def healthy() -> bool:
        return subprocess.run(["sh", "-c", check], stderr=subprocess.DEVNULL, check=False).returncode == 0

    assert service["command"][0] == "python"
    command = [sys.executable, *service["command"][1:]]
    # Another one of its kind is alive, and has its own file.
    other = tmp_path / "other"
    environment = {**os.environ, "REDIS_URL": empty_redis, "QUEUE_REDIS_URL": ""}
    with (
        _living(command, {**environment, "ALIVE_FILE": str(other)}),
        _living(command, {**environment, "ALIVE_FILE": str(file)}),
    ):
        wait_until(lambda: healthy() and other.exists())
        assert healthy()
        assert other.exists(), "one that has not started yet does not end in order"
    long_ago = time.time() - 60
    os.utime(file, (long_ago, long_ago))
    assert not healthy(), "the last heartbeat is a minute old"


@contextmanager
def _living(command: list[str], environment: dict[str, str]) -> Iterator[None]:
    process = subprocess.Popen(command, cwd=ROOT, env=environment)
    try:
        yield
        assert process.poll() is None
    finally:
        process.terminate()
        assert process.wait(30) == 0


def refused_by_redis(tmp_path: Path, **environment: str) -> str:
    """Return the message of the `redis` container when it refuses to start; the server is a stub that succeeds."""
    (tmp_path / "valkey-server").write_text("#!/bin/sh\ncat\n")
    (tmp_path / "valkey-server").chmod(0o755)
    path = {"PATH": f"{tmp_path}:{os.environ['PATH']}", "DATA_DIR": str(tmp_path)}
    path["AOF_HOLES"] = str(ROOT / "service" / "processes" / "aof_holes.py")
    path["ADMIN_FILE"] = str(tmp_path / "redis-admin")
    start = [ROOT / "deploy" / "redis" / "start"]
    done = subprocess.run(start, env=path | environment, capture_output=True, text=True, check=False)
    assert (done.returncode == 1) == bool(done.stderr)
    return done.stderr or f"runs with: {done.stdout}"


def test_redis_does_not_start_with_a_log_that_lacks_its_manifest(tmp_path: Path) -> None:
    log = tmp_path / "appendonlydir"
    log.mkdir()
    (log / "appendonly.aof.1.incr.aof").write_bytes(b"*1\r\n$4\r\nPING\r\n")
    assert "but no manifest" in refused_by_redis(tmp_path, REDIS_PASSWORD="secret")
    (log / "appendonly.aof.manifest").write_text("file appendonly.aof.1.incr.aof seq 1 type i\n")
    assert "runs with" in refused_by_redis(tmp_path, REDIS_PASSWORD="secret")


@pytest.mark.parametrize("password", [None, "", "two words", 'quo"te', "new\nline"])
def test_redis_does_not_start_without_a_password(tmp_path: Path, password: str | None) -> None:
    environment = {} if password is None else {"REDIS_PASSWORD": password}
    assert "REDIS_PASSWORD must be set" in refused_by_redis(tmp_path, **environment)


@pytest.mark.parametrize(
    ("base", "starts"), [("REDIS0012", False), ("REDIS0010", True), ("REDIS0011", True), ("VALKEY080", True)]
)
def test_redis_does_not_start_over_data_of_another_dialect(tmp_path: Path, base: str, starts: bool) -> None:
    (tmp_path / "appendonlydir").mkdir()
    (tmp_path / "appendonlydir" / "appendonly.aof.3.base.rdb").write_bytes(base.encode() + b"\xfa\x09\x00")
    (tmp_path / "appendonlydir" / "appendonly.aof.manifest").write_text("file appendonly.aof.3.base.rdb seq 3 type b\n")
    message = refused_by_redis(tmp_path, REDIS_PASSWORD="secret")
    assert ("move the data with a backup" in message) != starts
    assert message.startswith("runs with: ") == starts


def test_the_redis_of_compose_allows_only_the_commands_of_the_service(tmp_path: Path) -> None:
    config = refused_by_redis(tmp_path, REDIS_PASSWORD="secret").removeprefix("runs with: ")
    socket = tmp_path / "redis.sock"
    config = config.replace("port 6379\n", f"port 0\nunixsocket {socket}\n").replace("bind * -::*\n", "")
    server = subprocess.Popen([programs()[0].path, "-"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
    assert server.stdin is not None
    server.stdin.write(config.encode())
    server.stdin.close()
    try:
        wait_until(socket.exists)
        with Redis(unix_socket_path=str(socket)) as stranger, pytest.raises(AuthenticationError):
            stranger.ping()
        with Redis(unix_socket_path=str(socket), username="shengji", password="secret") as user:
            user.hset("sj:{b00}:tb_1:head", "v", 1)
            user.publish("sj:news", "pl_1")
            for command in (["FLUSHALL"], ["CONFIG", "GET", "*"], ["SET", "other", "1"], ["KEYS", "*"], ["SHUTDOWN"]):
                with pytest.raises(NoPermissionError):
                    user.execute_command(*command)
        environment = {
            **os.environ,
            "REDIS_URL": f"unix://shengji:secret@{socket}",
            "QUEUE_REDIS_URL": "",
            "ALIVE_FILE": str(tmp_path / "alive"),
        }
        with _living([sys.executable, "-m", "workers", "all"], environment):
            wait_until((tmp_path / "alive").exists)
            assert (tmp_path / "alive").exists()
    finally:
        server.terminate()
        server.wait()


def test_the_image_starts_the_api_with_its_settings_file(empty_redis: str) -> None:
    command = yaml.safe_load(last("CMD"))
    assert command[0] == "python"
    environment = {**os.environ, "REDIS_URL": empty_redis}
    subprocess.run(
        [sys.executable, *command[1:-1], "--check-config", command[-1]], cwd=ROOT, env=environment, check=True
    )


def test_the_images_copy_files_that_exist_and_are_not_ignored() -> None:
    patterns = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    copied = {
        shlex.split(text)[0].partition("/")[0]
        for name, text in instructions()
        if name == "COPY" and "--from" not in text
    }
    assert copied == patterns
    assert all((ROOT / name).exists() for name in copied)


def test_the_image_runs_unprivileged_and_on_the_newest_python_that_is_tested() -> None:
    users = [text for name, text in instructions() if name == "USER"]
    assert users
    assert not {"root", "0"} & set(users)
    bases = {text.partition(" AS ")[0] for name, text in instructions() if name == "FROM"}
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "ci.yml").read_text())
    assert bases == {f"python:{workflow['jobs']['test']['strategy']['matrix']['python'][-1]}-slim"}


def test_files_that_the_application_reads_are_in_the_image() -> None:
    """Files next to the code are copied with it; from the rest of the repository only openapi.yaml is read."""
    outside = re.compile(r'parents?(?:\[\d\]|(?:\.parent)+) / "([^"]+)"')
    for path in (file for top in ("service", "workers") for file in (ROOT / top).rglob("*.py")):
        for name in outside.findall(path.read_text()):
            depth = len(path.relative_to(ROOT).parts)
            if not any((parent / name).exists() for parent in list(path.parents)[: depth - 1]):
                assert (ROOT / name).exists(), f"{path} reads {name}"
                assert name in (ROOT / ".dockerignore").read_text(), f"{path} reads {name}"


def test_the_gateway_routes_streams_to_the_stream_containers() -> None:
    locations = dict(re.findall(r"location (?:~ )?(\S+) \{\s+proxy_pass \$(\w+);", GATEWAY))
    (pattern,) = (place for place, upstream in locations.items() if upstream == "streams")
    streamed = [path for path, item in document()["paths"].items() if "'text/event-stream': {" in str(item.get("get"))]
    assert streamed
    assert [path for path in streamed if not re.match(pattern, path)] == []
    assert not re.match(pattern, "/v1/tables/tb_7h2kx5q2m4na/play")
    assert locations["/"] == "api"


def test_the_gateway_carries_ten_thousand_streams_and_waits_ten_seconds_for_a_request() -> None:
    [connections] = re.findall(r"worker_connections (\d+);", GATEWAY)
    assert int(connections) > 2 * 10_000, "a stream takes two"
    for name in ("client_header_timeout", "client_body_timeout"):
        assert re.findall(rf"{name} (\S+);", GATEWAY) == ["10s"]
    # The API has a deadline of 10 s for the body, so it must receive the body unbuffered.
    assert "proxy_request_buffering off;" in GATEWAY


def test_the_gateway_does_not_pass_on_operator_endpoints() -> None:
    [pattern] = re.findall(r"location ~ (\S*metrics\S*) \{", GATEWAY)
    assert re.match(pattern, "/metrics")
    assert re.match(pattern, "/readyz")


@pytest.mark.parametrize("name", ["unavailable", "not-found"])
def test_problems_of_the_gateway_are_like_those_of_the_api(name: str) -> None:
    [body] = [body for body in re.findall(r"return \d+ '(\{.*\})';", GATEWAY) if f'"{name}"' in body]
    problem = json.loads(body)
    assert set(problem) == {
        *("type", "title", "status", "detail", "instance", "code", "params", "errors", "request_id"),
    }
    assert problem["type"] == f"/docs/problems#{name}"
    assert problem["status"] == STATUS[name]


def test_variables_of_compose_are_settings_or_explained() -> None:
    text = (ROOT / "docker-compose.yml").read_text()
    variables = set(re.findall(r"(?<!\$)\$\{?([A-Z_]+)", text))
    ours = {
        "REDIS_PASSWORD",
        "REDIS_MAXMEMORY",
        "REDIS_MEMORY_LIMIT",
        "REDIS_APPENDFSYNC",
        "NGINX_IMAGE",
        "TAG",
        "NOFILE",
    }
    assert variables <= {known.name.upper() for known in fields(Settings)} | ours
    documented = (ROOT / "docs" / "operations.md").read_text()
    for name in ours:
        assert f"`{name}`" in documented, f"docs/operations.md does not tell of {name}"
