"""Whether riddles have one answer (`laboratory.riddles`)."""

import re
import subprocess
import sys

from harness.make_run import ROOT


def test_the_program_says_how_many_have_the_same_answer():
    command = [sys.executable, "-m", "laboratory.riddles", "--count", "1", "--ruleset", "sishifen"]
    printed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    same = re.search(r"^sishifen: (\d) of 1 riddles have the same answer under another seed$", printed, re.MULTILINE)
    assert same, printed
    assert printed.count(", then ") == 1 - int(same[1]), "each that differs has a line"
