"""Runs the commands of the operators' pages in and beside the containers, and writes a list with their results."""

import os
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from tools.compose.commands import COMMANDS, Beside, Here, Inside, NotHere, Starts, documented
from tools.compose.engine import ROOT, Compose

REPORT: Final = """# Commands of the operators' pages

Written by `make compose ARGS="--report bench/commands.md"`: every command of the pages for operators, what was run in
its place if it names a file, a host or a long time, and how that ended. *in* is a container of docker-compose.yml.

| page | command | run | as | result |
|---|---|---|---|---|
"""
#: Where a container may write.
MEMORY: Final = "/tmp"  # noqa: S108
#: Printed by these are secrets.
SECRET: Final = "openssl"


@dataclass
class Documented:
    """Runs commands, and keeps how each ended.

    Attributes:
        results: `run`, `as` and `result` of each command so far; see `REPORT`.
        failed: those that failed, with what they said.
    """

    compose: Compose
    results: dict[str, tuple[str, str, str]] = field(default_factory=dict)
    failed: list[str] = field(default_factory=list)

    def run(self, command: str) -> None:
        """Run a command of the pages as `COMMANDS` says."""
        how = COMMANDS[command]
        if isinstance(how, Inside):
            service, inside = how.of(command)
            words = ("docker", "compose", "exec", "-T", "-e", f"FOLDER={MEMORY}", service, "sh", "-c", inside)
            self._shell(command, f"in {service}", "" if inside in command else inside, *words)
        elif isinstance(how, Beside):
            self._shell(command, "beside", how.command, "sh", "-c", how.command or command)
        elif isinstance(how, Here) and (not how.needs or shutil.which(how.needs)):
            self._shell(command, "in the repository", how.command, "sh", "-c", how.command or command)
        elif isinstance(how, Starts):
            self._starts(command, how.service)

    def run_all(self, but: tuple[str, ...]) -> None:
        """Run all commands that can be run, but for some that need circumstances of their own."""
        for command in COMMANDS:
            if command not in but:
                self.run(command)

    def _shell(self, command: str, where: str, instead: str, *words: str) -> None:
        path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
        environment = self.compose.environment | {"PATH": path}
        done = subprocess.run(words, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
        output = (done.stdout.strip() or done.stderr.strip()).replace("\x1b[2K", "")
        if done.returncode or "Traceback" in done.stderr:
            self.failed.append(f"{command}: {done.returncode}\n{done.stdout}{done.stderr}")
        last = "" if SECRET in command or not output else output.splitlines()[-1].strip()[:70]
        self.results[command] = (where, instead, f"{done.returncode}{': ' if last else ''}{last}")

    def _starts(self, command: str, service: str) -> None:
        states = []
        for container in self.compose.containers(service):
            runs = self.compose.inspect(container)["Config"]["Cmd"]
            if runs != shlex.split(command):
                self.failed.append(f"{command}: containers of {service} run {runs}")
            states.append(self.compose.health(container))
        if set(states) != {"healthy"}:
            self.failed.append(f"{command}: {service} is {states}")
        self.results[command] = (
            f"in {service}",
            "",
            f"runs in {len(states)} containers: {', '.join(sorted(set(states)))}",
        )

    def report(self) -> str:
        """Return the list of all commands."""
        lines = []
        for page, command in dict.fromkeys(documented(ROOT)):
            how = COMMANDS[command]
            run, instead, result = self.results.get(command, ("no", "", "not run"))
            if isinstance(how, NotHere):
                result = how.reason
            elif isinstance(how, Here) and result == "not run":
                result = f"needs {how.needs}"
            cells = (page, _code(command), run, _code(instead), _plain(result))
            lines.append("| " + " | ".join(cells) + " |")
        return REPORT + "\n".join(lines) + "\n"


def _code(command: str) -> str:
    return f"`{command.replace(chr(92) + '|', '|').replace('|', chr(92) + '|')}`" if command else ""


def _plain(output: str) -> str:
    return output.replace("|", "/").replace("<", "&lt;").replace("`", "'")
