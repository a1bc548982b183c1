"""The report of a soak says how to repeat it, what came of it, and everything wrong."""

import json

from tools.faults.report import Report, recoveries

FIGURES = {"sent again": 3, "put off (503)": 0, "windows moved": 1, "timeouts": 2, "games": 1, "resets": 1}


def test_everything_wrong_is_kept(tmp_path):
    wrong = [f"fault {number}" for number in range(120)]
    Report(wrong, FIGURES, {"seed": 777}, {"kill_api": 2}).write(tmp_path)
    assert (tmp_path / "wrong.txt").read_text().splitlines() == wrong
    assert json.loads((tmp_path / "report.json").read_text())["wrong"] == wrong
    text = (tmp_path / "report.md").read_text()
    assert "seed 777" in text
    assert "120 things are wrong" in text
    assert "| kill_api | 2 |" in text


def test_recoveries_that_were_not_seen_are_reported_too():
    missing = recoveries({"kill_api": 2, "cut_master": 1}, FIGURES | {"takeovers": 1}, {"a replica took over": 1})
    assert missing["a killed process was replaced, and no table stood still"] == 2
    assert missing["a request that was put off (503) was taken later"] == 0
    assert missing["a replica took over"] == missing["a stream or a client began anew after a takeover"] == 1
    assert "a stream or a client began anew after a takeover" not in recoveries({}, FIGURES, {})
