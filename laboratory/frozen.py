"""AI players of earlier versions, for comparison: read from the git history instead of copies."""

import importlib
import io
import re
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from workers.ai import Advice, Player

ROOT = Path(__file__).parent.parent
#: Module of the service imported by earlier players -> its current place.
MOVED = {
    "service.errors": "service.common.errors",
    "inferences import told\n": "inferences import inferred as told\n",
}


def players_of(revision: str) -> Mapping[str, Player]:
    """Return the levels of a revision, by name.

    Its `workers/ai` is imported under another name, with the current rules.

    Raises:
        ValueError: there is no such revision, or it does not work with the current rules.
    """
    short = re.sub(r"\W", "_", revision)
    name = f"frozen_{short}"
    if name not in sys.modules:
        # Relative to the top of the repository, since a compiled copy is in a folder ignored by git.
        git = ["git", "rev-parse", "--show-toplevel"]
        top = subprocess.run(git, cwd=ROOT, capture_output=True, text=True, check=False).stdout.strip()
        command = ["git", "archive", revision, "workers/ai"]
        done = subprocess.run(command, cwd=top or ROOT, capture_output=True, check=False)
        if done.returncode:
            raise ValueError(f"no revision {revision} with AI players: {done.stderr.decode().strip()}")
        folder = Path(tempfile.mkdtemp(prefix="frozen-ai-"))
        with tarfile.open(fileobj=io.BytesIO(done.stdout)) as archive:
            archive.extractall(folder, filter="data")
        (folder / "workers" / "ai").rename(folder / name)
        for file in (folder / name).rglob("*.py"):
            text = file.read_text(encoding="utf-8").replace("workers.ai", name)
            for old, new in MOVED.items():
                text = text.replace(old, new)
            file.write_text(text, encoding="utf-8")
        sys.path.insert(0, str(folder))
    try:
        module: Any = importlib.import_module(name)
    except ImportError as error:
        raise ValueError(f"the players of {revision} do not run on today's rules: {error}") from error
    return {
        level: {kind: _advising(decide) for kind, decide in player.items()} for level, player in module.LEVELS.items()
    }


def _advising(decide: Callable[..., Any]) -> Callable[..., Advice]:
    """Return the advising function of a player; the earliest ones returned only the command."""

    def advise(view: Any, random: Any) -> Advice:
        advice = decide(view, random)
        return Advice(advice) if isinstance(advice, dict) else Advice(advice.command)

    return advise
