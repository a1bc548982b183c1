"""Reports of errors: they say where the error was, and contain no data of players."""

import logging
import subprocess
import sys

import pytest
import structlog

from service.common import logs, reports
from service.common.settings import VERSION, Settings, SettingsError

DSN = "https://key@sentry.test/1"
SETTINGS = Settings(sentry_dsn=DSN)


@pytest.fixture
def envelopes(monkeypatch):
    """What is sent to Sentry, as bytes; restores logging for other tests."""
    sentry = pytest.importorskip("sentry_sdk")
    sent = []

    class Kept(sentry.transport.Transport):
        def capture_envelope(self, envelope):
            sent.append(envelope.serialize())

    start = reports.start
    monkeypatch.setattr(reports, "start", lambda settings: start(settings, Kept(options={})))
    root = logging.getLogger()
    before, level = list(root.handlers), root.level
    logs.configure(SETTINGS)
    yield sent
    structlog.reset_defaults()
    root.handlers[:], root.level = before, level
    # By itself, Sentry would patch Flask, Redis and processes for all tests that follow.
    sentry.init(default_integrations=False, auto_enabling_integrations=False)


def test_a_report_names_the_error_and_contains_no_data(world, envelopes, monkeypatch):
    table = world.table(ready=False)

    def fail(*args, **options):
        hand, token, name = ["AS", "KH", "BJ"], table.host.token, "Guest Secret"
        raise RuntimeError(f"cannot play {hand} of {name} with {token}")

    monkeypatch.setattr(world.tables, "act", fail)
    body = {"decision_id": "dc_1", "cards": ["AS", "KH"]}
    answer = table.host.post(f"{table.path}/play", body, headers={"Idempotency-Key": "secret-key-of-mine-1234"})
    assert answer.status_code == 500
    [sent] = envelopes
    for content in (b"RuntimeError", b"test_reports", b"fail", answer.json["request_id"].encode(), VERSION.encode()):
        assert content in sent
    held = (table.host.token, "AS", "KH", "BJ", "Guest Secret", "cannot play", "dc_1", "secret-key-of-mine", "Bearer")
    for secret in (*held, table.id, table.host.player["id"], table.host.player["name"]):
        assert secret.encode() not in sent, secret


def test_lost_connections_and_warnings_are_not_reported(envelopes):
    log = structlog.get_logger("of-this-test")
    log.error("store unavailable", exc_info=ConnectionError("lost"))
    log.warning("no error", exc_info=ValueError("no bug"))
    assert envelopes == []
    log.error("a bug", exc_info=ValueError("a bug"))
    logging.getLogger("of-a-library").error("another one", exc_info=ValueError("a bug"))
    assert len(envelopes) == 2


@pytest.mark.parametrize(
    ("setting", "value", "package", "message"),
    [
        (
            "SENTRY_DSN",
            DSN,
            "sentry_sdk",
            "SENTRY_DSN is set, but Sentry is not installed: run `scripts/setup image`, or unset it",
        ),
        (
            "TRACES_URL",
            "http://127.0.0.1:1/v1/traces",
            "opentelemetry.sdk",
            "TRACES_URL is set, but OpenTelemetry is not installed: run `scripts/setup image`, or unset it",
        ),
    ],
)
@pytest.mark.parametrize(
    "command", [["workers", "clock"], ["gunicorn", "--config", "python:service.gunicorn_conf", "service.wsgi:app"]]
)
def test_a_process_without_the_package_ends_with_one_sentence(command, setting, value, package, message):
    # As if the package were not installed.
    program = (
        f"import runpy, sys; sys.modules[{package!r}] = None; sys.argv = {command};"
        f"runpy.run_module({command[0]!r}, run_name='__main__')"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={"PATH": "/usr/bin:/bin", "REDIS_URL": "redis://127.0.0.1:1", setting: value, "PORT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr.strip().endswith(message)
    assert done.stderr.count("\n") == 1


def test_without_the_setting_the_package_is_not_loaded():
    program = (
        "import sys; from service.common import logs, reports; from service.common.settings import Settings;"
        "logs.configure(Settings()); reports.report(ValueError(), ''); assert 'sentry_sdk' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


@pytest.mark.parametrize("dsn", ["sentry", "https://sentry.test/1", "https://key@sentry.test/", "ftp://key@a/1"])
def test_an_invalid_dsn_is_refused(dsn):
    with pytest.raises(SettingsError, match="SENTRY_DSN"):
        Settings.from_env({"SENTRY_DSN": dsn})
