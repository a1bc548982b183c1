"""The list of documented commands that `make compose` writes."""

from tools.compose.__main__ import BACK, RESTORES, SAVE, START
from tools.compose.commands import COMMANDS, documented
from tools.compose.documented import Documented
from tools.compose.engine import ROOT, Compose


def test_the_report_lists_every_command_with_its_result_or_the_reason() -> None:
    commands = Documented(Compose({}))
    commands.results["docker compose ps"] = ("beside", "", "0: a | b")
    report = commands.report()
    assert {START, BACK, SAVE, *RESTORES} < set(COMMANDS)
    assert len(RESTORES) == 2
    assert report.count("\n| ") == len(set(documented(ROOT))) + 1
    assert "| runbook | `docker compose ps` | beside |  | 0: a / b |" in report
    assert "| operations | `git pull` | no |  | changes the repository |" in report
