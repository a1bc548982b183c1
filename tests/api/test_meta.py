"""Health, metrics, and the HTML pages."""

import re
from datetime import UTC, datetime, timedelta
from urllib.parse import urljoin

import pytest

from service.common.settings import VERSION, Budget
from service.game.state.levels import AI_LEVELS
from service.game.state.settings import PUBLIC_SETTINGS
from service.jobs.queues import QUEUES
from service.jobs.worker_status import OVERDUE_MS, Heartbeat, JobMetrics
from service.texts import LANGUAGES
from tests.api.contract import assert_problem


def test_the_service_says_what_it_is(anybody, world):
    about = anybody.get("/v1").json
    assert about["version"] == VERSION
    assert "shengji" in about["rulesets"]
    assert about["limits"]["max_body_bytes"] == world.settings.max_body_bytes


def test_liveness_depends_on_nothing_and_readiness_on_all_checks(world, anybody):
    assert anybody.get("/readyz").json["checks"] == {"store": True}

    def away():
        raise ConnectionError

    world.checks |= {"workers": lambda: False, "clock": away}
    problem = assert_problem(anybody.get("/readyz"), "unavailable")
    assert problem["params"]["checks"] == {"store": True, "workers": False, "clock": False}
    assert anybody.get("/healthz").json == {"status": "ok"}
    assert anybody.get("/livez").json == {"status": "ok"}


def test_an_orchestrator_may_ask_whether_a_process_takes_requests(world, anybody):
    world.start(operator_token="0123456789abcdef", host="10.0.0.9")
    asks = {"path": "/readyz?for=traffic", "environ_base": ELSEWHERE}
    world.checks |= {"workers": lambda: False}
    answer = world.anybody.get(**asks)
    assert (answer.status_code, answer.data) == (204, b"")
    world.checks["store"] = lambda: False
    assert [*assert_problem(world.anybody.get(**asks), "unavailable")["params"]] == ["retry_after_s"]
    assert_problem(world.anybody.get("/readyz?for=love", environ_base=ELSEWHERE), "invalid-request")


def test_readiness_reports_workers_and_clocks(world, anybody):
    world.table(ready=True, clock={"declare_ms": 1_000})
    Heartbeat(world.redis, "worker", lambda: world.now).beat()
    assert anybody.get("/readyz").json["processes"] == {"worker": 1, "searcher": 0, "clock": 0, "messenger": 0}
    assert anybody.get("/readyz").json["waiting"] == dict.fromkeys(QUEUES, 0)
    world.now += 1_000 + 1_500
    assert anybody.get("/readyz").json["overdue"] == 0
    world.now += OVERDUE_MS + 1
    assert anybody.get("/readyz").json["overdue"] == 1
    world.checks["store"] = lambda: False
    problem = assert_problem(anybody.get("/readyz"), "unavailable")
    assert problem["params"]["overdue"] == 1


def test_metrics_report_jobs_and_whether_redis_is_up(world, anybody):
    metrics = JobMetrics(world.redis)
    for late in (0.02, 0.3, 0.3, 700):
        metrics.count("people", late, 0.001)
    metrics.flush()
    metrics.flush()
    text = anybody.get("/metrics").get_data(as_text=True)
    assert "redis_up 1.0" in text
    assert 'job_queue_depth{queue="ai"} 0.0' in text
    assert 'processes{role="clock"} 0.0' in text
    assert "tables_overdue 0.0" in text
    for bound, count in (("0.01", 0), ("0.025", 1), ("0.25", 1), ("0.5", 3), ("10.0", 3), ("+Inf", 4)):
        assert f'job_lateness_seconds_bucket{{le="{bound}",queue="people"}} {count}.0' in text
    assert 'job_lateness_seconds_count{queue="people"} 4.0' in text
    assert 'job_seconds_bucket{le="0.005",queue="people"} 4.0' in text

    def away():
        raise ConnectionError

    world.read_worker_status = away
    world.start()
    text = world.anybody.get("/metrics").get_data(as_text=True)
    assert "redis_up 0.0" in text
    assert "job_queue_depth" not in text
    assert "http_requests_total" in text


ELSEWHERE = {"REMOTE_ADDR": "10.0.0.9"}


@pytest.mark.parametrize("path", ["/metrics", "/readyz"])
def test_without_an_operator_token_only_the_machine_itself_gets_a_response(world, anybody, path):
    assert anybody.get(path).status_code == 200
    assert anybody.get(path, environ_base={"REMOTE_ADDR": "::ffff:127.0.0.1"}).status_code == 200
    assert_problem(anybody.get(path, environ_base=ELSEWHERE), "operators-only")
    assert_problem(anybody.get(path, environ_base={"REMOTE_ADDR": ""}), "operators-only")
    assert_problem(anybody.get(path, headers={"X-Forwarded-For": "127.0.0.1"}), "operators-only")
    assert anybody.get("/healthz", environ_base=ELSEWHERE).status_code == 200
    world.start(host="10.0.0.9")
    assert world.anybody.get(path, environ_base=ELSEWHERE).status_code == 200


@pytest.mark.parametrize("path", ["/metrics", "/readyz"])
def test_operators_have_a_token_of_their_own(world, lin, path):
    world.start(operator_token=(token := "0123456789abcdef"))
    operator = world.anybody.with_token(token)
    assert operator.get(path, environ_base=ELSEWHERE).status_code == 200
    assert_problem(operator.get("/v1/me"), "unauthorized")
    for other in (world.anybody, world.anybody.with_token(lin.token), world.anybody.with_token(token + "x")):
        assert_problem(other.get(path), "operators-only")


def test_guesses_of_the_operator_token_are_limited(world):
    world.start(operator_token="0123456789abcdef", limit_failed=Budget(3, 60))
    tried = [world.anybody.with_token(str(guess)).get("/metrics").status_code for guess in range(5)]
    assert tried == [403, 403, 403, 429, 429]


def test_metrics_count_requests_by_route(world, anybody):
    table = world.table(ready=False)
    for page in ("/docs/rulesets/shengji", "/docs/rulesets/nonsense", "/app/nonsense.js", "/nowhere"):
        anybody.get(page)
    text = anybody.get("/metrics").get_data(as_text=True)
    assert 'http_requests_total{method="POST",route="/v1/tables",status="201"} 1.0' in text
    for status in (200, 404):
        assert f'http_requests_total{{method="GET",route="/docs/rulesets/<ruleset>",status="{status}"}} 1.0' in text
    assert text.count('status="404"} 1.0') == 3
    assert "nonsense" not in text
    durations = [line for line in text.splitlines() if "http_request_duration_seconds" in line]
    assert any(line.startswith("http_request_duration_seconds_bucket{") for line in durations)
    assert table.id not in text
    assert table.host.player["id"] not in text


@pytest.mark.parametrize("path", ["/", "/docs", "/docs/problems", "/docs/rulesets/shengji"])
def test_pages_load_nothing_from_other_hosts(anybody, path):
    answer = anybody.get(path)
    assert answer.mimetype == "text/html"
    text = answer.get_data(as_text=True)
    for link in re.findall(r'(?:src|href)="([^"]+)"', text):
        assert "//" not in link, link
        assert anybody.get(urljoin(path, link)).status_code == 200, link
    assert re.match("default-src '(self|none)';", answer.headers["Content-Security-Policy"])


def test_the_client_runs_no_inline_scripts_and_nothing_from_elsewhere(anybody):
    answer = anybody.get("/")
    policy = dict(rule.split(" ", 1) for rule in answer.headers["Content-Security-Policy"].split("; "))
    assert policy["script-src"] == policy["style-src"] == policy["img-src"] == "'self'"
    assert policy["default-src"] == "'none'"
    # Nor does it send anything elsewhere, whatever its address names.
    assert policy["connect-src"] == "'self'"
    text = answer.get_data(as_text=True)
    assert re.search(r"<style|\bon\w+=|\bstyle=|<script(?![^>]*\bsrc=)", text) is None
    for name in ("app/main.js", "style/table.css", "vendor/preact-htm.js", "service-worker.js", "manifest.webmanifest"):
        assert anybody.get(f"/{name}").headers["Cache-Control"] == "no-cache", name


def test_the_docs_page_finds_its_scripts_on_this_host(anybody):
    for name in ("docs.js", "swagger-ui/swagger-ui-bundle.js", "swagger-ui/swagger-ui.css", "pages.css", "icon.svg"):
        answer = anybody.get(f"/assets/{name}")
        assert answer.status_code == 200
        assert "sourceMappingURL" not in answer.get_data(as_text=True)[-500:]
    assert "/openapi.yaml" in anybody.get("/assets/docs.js").get_data(as_text=True)


def test_the_type_of_a_problem_links_to_the_page_of_problems(anybody):
    kind = anybody.get("/nope").json["type"]
    page, _, place = kind.partition("#")
    assert f'id="{place}"' in anybody.get(page).get_data(as_text=True)


def test_the_openapi_document_is_served_as_committed(anybody, pytestconfig):
    answer = anybody.get("/openapi.yaml")
    assert answer.mimetype == "application/yaml"
    assert answer.get_data() == (pytestconfig.rootpath / "openapi.yaml").read_bytes()


def test_files_outside_of_the_assets_are_not_served(anybody):
    for name in ("../../app.py", "..%2f..%2fapp.py", "%2e%2e/pages/docs.html", "/etc/passwd", "nothing.js"):
        for folder in ("assets", "app", "vendor"):
            assert_problem(anybody.get(f"/{folder}/{name}"), "not-found")


def test_unknown_methods_share_one_series(world, anybody):
    def series():
        return {
            line.rpartition(" ")[0] for line in anybody.get("/metrics").text.splitlines() if "http_requests" in line
        }

    made_up = world.app.test_client()
    made_up.open("/v1", method="MADEUP0")
    anybody.get("/metrics")
    before = series()
    for number in range(1, 4):
        made_up.open("/v1", method=f"MADEUP{number}")
    assert series() == before


def test_the_levels_of_ai_players_are_listed_with_texts_in_every_language(anybody):
    levels = anybody.get("/v1").json["ai_levels"]
    assert [level["id"] for level in levels] == list(AI_LEVELS)
    for level in levels:
        for text in (level["title"], level["meaning"]):
            assert set(text) == set(LANGUAGES)
            assert all(text.values())


def test_the_settings_of_tables_are_listed_with_a_sentence_in_every_language(anybody):
    settings = anybody.get("/v1").json["table_settings"]
    assert {setting["name"] for setting in settings} == {*PUBLIC_SETTINGS, "deal"}
    for setting in settings:
        assert set(setting["meaning"]) == set(LANGUAGES)
        assert all(setting["meaning"].values())


def test_an_unknown_ai_level_is_refused_with_the_known_ones(world):
    table = world.table(seated=False)
    problem = assert_problem(table.host.put(f"{table.path}/seats/1/ai", {"level": "godlike"}), "invalid-request")
    assert problem["errors"][0]["pointer"] == "/level"
    assert all(level in problem["errors"][0]["detail"] for level in AI_LEVELS)


def test_security_txt_names_the_contact_of_the_operator(world, anybody):
    assert_problem(anybody.get("/.well-known/security.txt"), "not-found")
    world.start(security_contact="mailto:security@example.org")
    answer = world.anybody.get("/.well-known/security.txt")
    assert answer.content_type == "text/plain; charset=utf-8"
    contact, expires, languages = answer.get_data(as_text=True).splitlines()
    assert contact == "Contact: mailto:security@example.org"
    left = datetime.fromisoformat(expires.removeprefix("Expires: ")) - datetime.now(UTC)
    assert timedelta(days=178) < left <= timedelta(days=180)
    assert languages == "Preferred-Languages: en, zh-Hans"
