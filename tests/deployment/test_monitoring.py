"""Files for operators in `deploy/`: Prometheus and Grafana can load them, and their metrics exist."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from harness.make_run import ROOT

PROMETHEUS = ROOT / "deploy" / "prometheus"
DASHBOARD: dict[str, Any] = json.loads((ROOT / "deploy" / "grafana" / "shengji.json").read_text())
EXPRESSIONS = [target["expr"] for panel in DASHBOARD["panels"] for target in panel["targets"]]
RULES = [rule for group in yaml.safe_load((PROMETHEUS / "alerts.yml").read_text())["groups"] for rule in group["rules"]]
#: Metrics of Prometheus itself and of the exporters in `prometheus.yml`.
OF_OTHERS = re.compile(r"up|probe_success|redis_memory_\w+|node_filesystem_\w+")


KEYWORDS = ("by", "le", "and", "or", "unless", "on")


def promtool(*arguments: str | Path) -> None:
    """Run promtool (Debian: in the package prometheus); skip the test if it is not installed."""
    program = os.environ.get("PROMTOOL") or shutil.which("promtool")
    if program is None:
        assert not os.environ.get("CI"), "needs promtool (Debian: in the package prometheus)"
        pytest.skip("needs promtool")
    done = subprocess.run([program, *arguments], cwd=PROMETHEUS, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def metrics_in(expression: str) -> set[str]:
    """Names in an expression that are neither functions nor labels nor keywords."""
    bare = re.sub(r"\{[^}]*\}|\[[^]]*\]|\"[^\"]*\"|\b(?:by|without|on) \([^)]*\)", "", expression)
    return {name for name in re.findall(r"[a-z_]{2,}(?![a-z_]*\s*\()", bare) if name not in KEYWORDS}


def ours() -> set[str]:
    source = (ROOT / "service" / "api" / "metrics.py").read_text()
    names = set()
    kinds = r"(Counter|Gauge|Histogram|GaugeMetricFamily|HistogramMetricFamily|_gauge)\(\s*\"(\w+)\""
    for kind, name in re.findall(kinds, source):
        names |= {f"{name}_total"} if kind == "Counter" else {name}
        names |= {f"{name}_bucket"} if kind.startswith("Histogram") else set()
    return names


@pytest.mark.parametrize("expression", [*EXPRESSIONS, *(rule["expr"] for rule in RULES)])
def test_every_expression_asks_for_metrics_that_exist(expression: str) -> None:
    metrics = metrics_in(expression)
    assert metrics
    assert {name for name in metrics if not OF_OTHERS.fullmatch(name)} <= ours()


def test_every_alert_has_a_severity_and_a_description() -> None:
    for rule in RULES:
        assert rule["labels"]["severity"] in ("page", "ticket")
        assert rule["annotations"]["summary"].endswith(".")


def test_the_runbook_has_instructions_for_every_alert() -> None:
    sections = re.findall(r"^## (\w+)$", (ROOT / "docs" / "runbook.md").read_text(), re.MULTILINE)
    assert sections == [rule["alert"] for rule in RULES]


def test_prometheus_loads_its_configuration_and_its_alerts(tmp_path: Path) -> None:
    shutil.copytree(PROMETHEUS, tmp_path, dirs_exist_ok=True)
    (tmp_path / "operator_token").write_text("a-token-of-the-operator")
    promtool("check", "config", tmp_path / "prometheus.yml")


def test_alerts_fire_when_they_should_and_not_otherwise() -> None:
    promtool("test", "rules", "alerts.test.yml")


def test_prometheus_accepts_the_queries_of_the_dashboard(tmp_path: Path) -> None:
    rules = [
        {"record": f"panel:{number}", "expr": expression.replace("$__rate_interval", "5m")}
        for number, expression in enumerate(EXPRESSIONS)
    ]
    file = tmp_path / "rules.yml"
    file.write_text(json.dumps({"groups": [{"name": "dashboard", "rules": rules}]}))
    promtool("check", "rules", file)


def test_the_dashboard_has_a_title_a_unit_and_a_source_for_every_panel() -> None:
    ids = [panel["id"] for panel in DASHBOARD["panels"]]
    assert len(ids) == len(set(ids))
    for panel in DASHBOARD["panels"]:
        assert panel["title"]
        assert panel["fieldConfig"]["defaults"]["unit"]
        assert panel["datasource"]["uid"] == "${source}"
    assert [variable["name"] for variable in DASHBOARD["templating"]["list"]] == ["source"]


def test_the_systemd_unit_runs_the_supervisor_which_stops_the_others() -> None:
    unit = (ROOT / "deploy" / "shengji.service").read_text()
    assert "ExecStart=/opt/shengji/.venv/bin/python -m service.run\n" in unit
    assert "KillMode=mixed\n" in unit
    assert "UMask=0077\n" in unit
    # The supervisor says when it is ready and that it lives: tests/deployment/test_run.py.
    assert "Type=notify\nWatchdogSec=60\n" in unit
    if (program := shutil.which("systemd-analyze")) is None:
        pytest.skip("needs systemd-analyze")
    units = sorted((ROOT / "deploy").glob("shengji*.*"))
    assert [unit.name for unit in units] == ["shengji-backup.service", "shengji-backup.timer", "shengji.service"]
    done = subprocess.run([program, "verify", *units], capture_output=True, text=True, check=False)
    complaints = [line for line in done.stderr.splitlines() if "shengji" in line and "not executable" not in line]
    assert complaints == []
