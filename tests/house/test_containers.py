"""The image and docker-compose.yml, checked without Docker: files and commands that they name exist and run."""

import os
import re
import shlex
import subprocess
import sys
from dataclasses import fields
from functools import cache
from typing import Any

import pytest
import yaml

from service.settings import Settings
from tests.house.conftest import ROOT

OURS = ("api", "streams", "worker", "searcher", "clock")


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
    assert set(compose()["services"]) == {"redis", "gateway", *OURS}


@pytest.mark.parametrize("name", ["gateway", "redis", "worker", "searcher", "clock"])
def test_every_container_has_a_health_check(name: str) -> None:
    assert compose()["services"][name]["healthcheck"]["test"]


def test_api_and_streams_have_the_health_check_of_the_image() -> None:
    assert "/healthz" in last("HEALTHCHECK")


def test_containers_wait_for_the_health_of_what_they_need() -> None:
    services = compose()["services"]
    for name in OURS:
        assert services[name]["depends_on"] == {"redis": {"condition": "service_healthy"}}
    assert services["gateway"]["depends_on"] == {name: {"condition": "service_healthy"} for name in ("api", "streams")}


def test_redis_persists_every_write_and_evicts_nothing() -> None:
    command = compose()["services"]["redis"]["command"]
    for wanted in ("--appendonly yes", "--appendfsync everysec", "--maxmemory-policy noeviction"):
        assert wanted in command
    assert compose()["services"]["redis"]["volumes"] == ["tables:/data"]
    assert "tables" in compose()["volumes"]


def test_only_the_gateway_can_be_reached_from_outside() -> None:
    assert [name for name, service in compose()["services"].items() if "ports" in service] == ["gateway"]


def test_containers_are_given_settings_that_exist() -> None:
    known = {known.name.upper() for known in fields(Settings)}
    for name in OURS:
        assert set(compose()["services"][name]["environment"]) <= known


@pytest.mark.parametrize("name", ["worker", "searcher", "clock"])
def test_workers_run_with_the_command_that_compose_gives(name: str, empty_redis: str) -> None:
    """The command lives, and the health check tells it from one that does not."""
    service = compose()["services"][name]
    environment = {**os.environ, "REDIS_URL": empty_redis}
    check = [sys.executable, *service["healthcheck"]["test"][2:]]
    assert service["healthcheck"]["test"][1] == service["command"][0] == "python"
    assert subprocess.run(check, cwd=ROOT, env=environment, check=False).returncode == 1
    process = subprocess.Popen([sys.executable, *service["command"][1:]], cwd=ROOT, env=environment)
    try:
        for _ in range(100):
            assert process.poll() is None
            if subprocess.run(check, cwd=ROOT, env=environment, check=False).returncode == 0:
                break
        else:
            pytest.fail("the health check does not see a living process")
    finally:
        process.terminate()
    assert process.wait(30) == 0


def test_the_image_starts_the_api_with_its_settings_file(empty_redis: str) -> None:
    command = yaml.safe_load(last("CMD"))
    assert command[0] == "python"
    environment = {**os.environ, "REDIS_URL": empty_redis}
    subprocess.run(
        [sys.executable, *command[1:-1], "--check-config", command[-1]], cwd=ROOT, env=environment, check=True
    )


def test_the_image_copies_files_that_exist_and_are_not_ignored() -> None:
    kept = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    copied = {shlex.split(text)[0] for name, text in instructions() if name == "COPY" and "--from" not in text}
    assert copied == kept
    assert all((ROOT / name).exists() for name in copied)


def test_the_image_runs_unprivileged_and_on_a_supported_python() -> None:
    users = [text for name, text in instructions() if name == "USER"]
    assert users
    assert not {"root", "0"} & set(users)
    assert re.fullmatch(r"python:3\.1[1-9]-slim", last("FROM"))


def test_files_that_the_application_reads_are_in_the_image() -> None:
    """Whatever lies beside the code comes along with it; of the rest of the repository only openapi.yaml is read."""
    outside = re.compile(r'parents?(?:\[\d\]|(?:\.parent)+) / "([^"]+)"')
    for path in (file for top in ("service", "workers") for file in (ROOT / top).rglob("*.py")):
        for name in outside.findall(path.read_text()):
            depth = len(path.relative_to(ROOT).parts)
            if not any((parent / name).exists() for parent in list(path.parents)[: depth - 1]):
                assert (ROOT / name).exists(), f"{path} reads {name}"
                assert name in (ROOT / ".dockerignore").read_text(), f"{path} reads {name}"


def test_the_gateway_sends_streams_where_they_are_held() -> None:
    content = compose()["configs"]["gateway"]["content"].replace("$$", "$")
    locations = dict(re.findall(r"location (?:~ )?(\S+) \{\s+proxy_pass \$(\w+);", content))
    (pattern,) = (place for place, upstream in locations.items() if upstream == "streams")
    assert re.match(pattern, "/v1/tables/tb_7h2kx5q2m4na/events")
    assert not re.match(pattern, "/v1/tables/tb_7h2kx5q2m4na/play")
    assert locations["/"] == "api"


def test_dollars_in_the_gateway_configuration_are_escaped_for_compose() -> None:
    text = (ROOT / "docker-compose.yml").read_text()
    variables = re.findall(r"(?<!\$)\$(?!\$)\{?(\w*)", text)
    known = {"PORT", "LOG_LEVEL", "API_WORKERS", "CORS_ORIGINS", "TRUSTED_PROXIES", "REDIS_MAXMEMORY"}
    assert set(variables) <= known
