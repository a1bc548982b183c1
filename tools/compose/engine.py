"""Commands of Docker for a Compose project of its own."""

import json
import os
import subprocess
import time
from pathlib import Path
from typing import Any, Final

from harness.waiting import wait_until

ROOT: Final = Path(__file__).parents[2]
PROJECT: Final = "shengji-check"
#: Seconds for becoming healthy again.
HEALTHY_S: Final = 300.0


class Compose:
    """Commands of the project.

    Attributes:
        environment: what all commands get; it names the project, so commands of the docs run as they are written.
    """

    def __init__(self, environment: dict[str, str]) -> None:
        self.environment = {**os.environ, **environment, "COMPOSE_PROJECT_NAME": PROJECT}

    def __call__(self, *arguments: str) -> str:
        return self.docker("compose", *arguments)

    def docker(self, *arguments: str) -> str:
        return self.run("docker", *arguments)

    def run(self, *command: str) -> str:
        """Run a command in the repository, and return what it prints; end the program if it fails."""
        done = self._done(command)
        if done.returncode:
            raise SystemExit(f"{' '.join(command)}: {done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout

    def fails(self, *command: str) -> str:
        """Run a command; return the last line of what it said if it failed, and otherwise nothing."""
        done = self._done(command)
        return (done.stderr.strip().splitlines() or [f"status {done.returncode}"])[-1] if done.returncode else ""

    def tried(self, *command: str) -> str:
        """Run a command that may fail, and return what it prints."""
        return self._done(command).stdout

    def _done(self, command: tuple[str, ...]) -> subprocess.CompletedProcess[str]:
        return subprocess.run(command, cwd=ROOT, env=self.environment, capture_output=True, text=True, check=False)

    def containers(self, service: str) -> list[str]:
        return self("ps", "--quiet", service).split()

    def inspect(self, container: str) -> dict[str, Any]:
        """Return what `docker inspect` says about a container."""
        [inspected] = json.loads(self.docker("inspect", container))
        return dict(inspected)

    def health(self, container: str) -> str:
        return str(self.inspect(container)["State"]["Health"]["Status"])

    def kill(self, container: str) -> None:
        """Kill all processes in a container; the restart policy restarts it, unlike after `docker kill`."""
        self.tried("docker", "exec", container, "sh", "-c", "kill -9 -1")

    def wait_until_healthy(self) -> float:
        """Wait until all containers are healthy; return the seconds that it took."""
        began = time.monotonic()

        def sick() -> list[str]:
            states = [json.loads(line) for line in self("ps", "--all", "--format", "json").splitlines()]
            return [f"{state['Name']}: {state['Status']}" for state in states if state["Health"] != "healthy"]

        wait_until(lambda: not sick(), lambda: f"all healthy; not {sick()}", seconds=HEALTHY_S)
        return time.monotonic() - began

    def empty(self) -> None:
        """Give Redis an empty volume; the processes wait for it."""
        self("rm", "--stop", "--force", "redis")
        self.docker("volume", "rm", f"{PROJECT}_tables")
        self("up", "--detach", "--wait", "--no-recreate", "redis")
        self.wait_until_healthy()
