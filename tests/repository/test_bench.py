"""`python -m bench`: results are written to a file, and two checkouts are compared figure by figure."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from harness.make_run import ROOT

BENCHMARK = '''"""Speed of nothing."""
import sys
from bench import report
report.table(("µs", "CPU", "asking + Redis"), [("append", "{each:,}", "10 + {each}"), ("{name}", "1", "")])
report.aim("rounds a second", {each} * 2, at_least=5)
print(sys.argv[1:])
'''


def checkout(folder: Path, each: int, name: str) -> Path:
    """A checkout with a benchmark that prints known figures."""
    bench = folder / name / "bench"
    bench.mkdir(parents=True)
    for file in ("__main__.py", "against.py", "report.py"):
        shutil.copy(ROOT / "bench" / file, bench)
    (bench / "bench_nothing.py").write_text(BENCHMARK.format(each=each, name=name))
    return bench.parent


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "bench", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.fixture
def here(tmp_path: Path) -> Path:
    return checkout(tmp_path, 1500, "here")


def test_two_checkouts_are_compared_by_their_common_figures(here: Path, tmp_path: Path) -> None:
    checkout(tmp_path, 1000, "before")
    done = run(here, "nothing", "--against", "../before", "--pairs", "2")
    lines = [[cell.strip() for cell in line.strip("|").split("|")] for line in done.stdout.splitlines() if line]
    assert lines[2:] == [
        ["µs, append, CPU", "1,000", "1,500", "1.500"],
        ["µs, append, asking + Redis", "1,010", "1,510", "1.495"],
        ["rounds a second", "2,000", "3,000", "1.500"],
    ]
    assert not (here / "bench" / "results.md").exists()


def test_results_stay_until_the_benchmark_runs_again(here: Path) -> None:
    assert run(here, "nothing", "--", "--rounds", "3").returncode == 0
    written = (here / "bench" / "results.md").read_text()
    assert "## nothing: Speed of nothing" in written
    assert "['--rounds', '3']" in written
    shutil.copy(here / "bench" / "bench_nothing.py", here / "bench" / "bench_other.py")
    assert run(here, "other").returncode == 0
    assert written.partition("## ")[2] in (here / "bench" / "results.md").read_text()


def test_what_needs_images_runs_only_if_it_is_named(here: Path) -> None:
    shutil.copy(here / "bench" / "bench_nothing.py", here / "bench" / "bench_images.py")
    for names, expected in (((), ["nothing"]), (("images",), ["images", "nothing"])):
        assert run(here, *names).returncode == 0
        written = (here / "bench" / "results.md").read_text()
        assert [line.split(":")[0] for line in written.splitlines() if line.startswith("## ")] == [
            f"## {name}" for name in expected
        ]


def test_a_missing_benchmark_or_checkout_is_named(here: Path) -> None:
    assert "no benchmark nobody" in run(here, "nobody").stderr
    assert "../nowhere is no checkout" in run(here, "--against", "../nowhere").stderr


def test_every_benchmark_and_program_of_the_laboratory_can_be_imported() -> None:
    """`sampled` is skipped: it is an application, and opens connections on import."""
    names = sorted({path.stem for path in (ROOT / "bench").glob("*.py")} - {"__main__", "sampled"})
    names = [f"bench.{name}" for name in names] + [
        f"laboratory.{path.stem}" for path in (ROOT / "laboratory").glob("*.py")
    ]
    code = "import importlib, sys\nfor name in sys.argv[1:]: importlib.import_module(name)"
    done = subprocess.run([sys.executable, "-c", code, *names], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
