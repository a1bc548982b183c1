"""Log lines: one format for all loggers of a process."""

import json
import subprocess
import sys

import pytest

PROGRAM = """
import logging, sys
import structlog
from service.common import logs
from service.common.settings import Settings
logs.configure(Settings(log_level="info", log_format=sys.argv[1]))
structlog.get_logger("ours").info("advanced", table="tb_1", text="升级")
structlog.get_logger("ours").debug("too quiet")
logging.getLogger("library").warning("lost %s", "a connection")
try:
    raise ValueError("no")
except ValueError:
    logging.getLogger("library").exception("failed")
    structlog.get_logger("ours").exception("failed too")
"""


def lines_of(log_format: str) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, log_format], capture_output=True, encoding="utf-8", check=True
    )
    assert not done.stderr
    return done.stdout.splitlines()


def test_every_line_of_every_logger_is_a_json_object():
    lines = [json.loads(line) for line in lines_of("json")]
    assert [(line["level"], line["event"]) for line in lines] == [
        ("info", "advanced"),
        ("warning", "lost a connection"),
        ("error", "failed"),
        ("error", "failed too"),
    ]
    assert all(line["timestamp"].endswith("Z") for line in lines)
    assert lines[0]["text"] == "升级"
    assert lines[1]["logger"] == "library"
    assert all("ValueError: no" in line["exception"] for line in lines[2:])


AWAY = """
import logging, sys
import structlog
from redis import Redis
from service.common import logs
from service.common.settings import Settings
from service.store.port import StoreUnavailable
logs.configure(Settings(log_level="info", log_format="console"))
try:
    try:
        Redis("127.0.0.1", 1).ping()
    except Exception as error:
        raise StoreUnavailable(error) from error
except StoreUnavailable as error:
    logging.getLogger("library").exception("cannot go on")
    structlog.get_logger("ours").error("cannot go on either", exc_info=error)
"""


def test_an_unreachable_server_is_logged_in_one_line_without_a_traceback():
    done = subprocess.run([sys.executable, "-c", AWAY], capture_output=True, encoding="utf-8", check=True)
    assert not done.stderr
    lines = done.stdout.splitlines()
    assert len(lines) == 2
    assert all("error=ConnectionError: " in line and "127.0.0.1:1" in line for line in lines)


def test_lines_for_people_begin_with_time_level_and_event_and_tracebacks_follow():
    lines = lines_of("console")
    assert lines[0].endswith("Z info    advanced table=tb_1 text=升级")
    assert lines[1].endswith("Z warning lost a connection logger=library")
    assert lines.count("ValueError: no") == 2


@pytest.mark.parametrize("role", ["worker", "clock"])
def test_workers_log_like_the_api(role, empty_redis):
    environment = {"LOG_FORMAT": "json", "REDIS_URL": empty_redis, "ACCEPT_LOSS": "1", "PATH": ""}
    with subprocess.Popen(
        [sys.executable, "-m", "workers", role], env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as process:
        first = json.loads(process.stdout.readline())
        process.kill()
    assert (first["level"], first["event"], first["role"]) == ("info", "started", role)


AGAIN = """
import structlog
from service.common import logs
from service.common.settings import Settings
logger = structlog.get_logger("used")
for log_format in ("console", "json"):
    logs.configure(Settings(log_format=log_format))
    logger.error("here")
"""


def test_the_last_configuration_counts_for_loggers_in_use_too():
    process = subprocess.run([sys.executable, "-c", AGAIN], capture_output=True, encoding="utf-8", check=True).stdout
    for_people, as_json = process.splitlines()
    assert "error   here" in for_people
    assert json.loads(as_json)["event"] == "here"
