"""Test of the production setup: `make compose` (needs Docker with Compose, and takes a while).

Starts docker-compose.yml as a separate project, plays at tables through the gateway, and meanwhile kills every
container, scales, upgrades, and goes back. Then it checks that every table went on without a gap, that retries within
twenty seconds fixed all failed requests, and that the upgrade needed none. On the way it runs the commands of the
operators' pages. Images are built, unless `TAG=…` names some.
"""

import argparse
import os
import resource
import secrets
import socket
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

from demo.crowd import Tally
from harness.processes import ENVIRONMENT
from tools.compose.checks import (
    OURS,
    check_any_user,
    check_gateway,
    check_hardening,
    check_redis_is_closed,
    check_worker_health_is_its_own,
)
from tools.compose.commands import COMMANDS
from tools.compose.documented import Documented
from tools.compose.engine import ROOT, Compose
from tools.compose.players import Prober, players

SERVICES: Final = ("gateway", *OURS, "redis")
#: Documented commands at times of their own: at the start, after an upgrade, and with an empty Redis.
START: Final = "docker compose up --build --wait"
BACK: Final = "deploy/upgrade --anyway"
[SAVE] = [command for command in COMMANDS if command.startswith("ssh") and "save -" in command]
RESTORES: Final = tuple(command for command in COMMANDS if "service.backup restore" in command)


def free_port() -> str:
    with socket.create_server(("0.0.0.0", 0)) as server:  # noqa: S104 - where Docker publishes it
        return str(server.getsockname()[1])


def most_files() -> str:
    """Return the limit of open files of a container, or the machine's limit if that is lower."""
    return os.environ.get("NOFILE") or str(min(65_536, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))


def say(text: str) -> None:
    print(f"{time.strftime('%H:%M:%S')} {text}", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(prog="make compose", description=__doc__)
    parser.add_argument("--port", default=free_port(), help="of the gateway")
    parser.add_argument("--keep", action="store_true", help="leave the containers running")
    parser.add_argument(
        "--report", type=Path, help="write the list of documented commands with their results to a file"
    )
    options = parser.parse_args()
    # The limits are not meant for this much probing and playing.
    no_limits = {name: "0" for name in ENVIRONMENT if name.startswith("LIMIT_") or name == "HOST_TABLES"}
    url, tag = f"http://127.0.0.1:{options.port}", os.environ.get("TAG", "check")
    own = {"PORT": options.port, "NOFILE": most_files(), "TAG": tag, "URL": url}
    own |= {"REDIS_PASSWORD": secrets.token_hex(16), "OPERATOR_TOKEN": secrets.token_hex(16)}
    tally = Tally()
    with tempfile.TemporaryDirectory() as folder:
        compose = Compose(no_limits | own | {"FOLDER": folder})
        commands = Documented(compose)
        try:
            if tag == os.environ.get("TAG"):
                compose("up", "--detach", "--wait")
            else:
                compose("build", "--quiet")
                # Ends with status 0 once all are healthy; --wait implies --detach.
                commands.run(START)
            wrong = [*commands.failed, *_try_all(compose, commands, url, tally)]
        finally:
            if not options.keep and (left := compose.fails("docker", "compose", "down", "--volumes", "--timeout", "5")):
                # An older engine may keep the network of containers that were killed, until it restarts.
                say(f"not all was removed: {left}")
    if options.report:
        options.report.write_text(commands.report())
    wrong += tally.faults
    if not tally.counts["rounds"]:
        wrong.append("no round was played to its end")
    print("\n".join(wrong[:50]) or "nothing failed that a retry does not mend")
    return bool(wrong)


def _try_all(compose: Compose, commands: Documented, url: str, tally: Tally) -> list[str]:
    """Try everything with running containers; return what is wrong."""
    say("up and healthy")
    check_hardening(compose)
    check_redis_is_closed(compose)
    check_gateway(compose)
    say("hardened; Redis obeys its user alone, and that one in little")
    check_any_user(compose)
    say("every image runs as any user")
    with players(url, tally) as prober:
        commands.run_all(but=(START, BACK, SAVE, *RESTORES))
        say(f"documented commands: {len(commands.results)} run, {len(commands.failed)} failed")
        for service in SERVICES:
            for container in compose.containers(service)[:1]:
                compose.kill(container)
                time.sleep(2)
                took = 2 + compose.wait_until_healthy()
                say(f"killed {service}: healthy again after {took:.0f} s; {tally.line()}")
        check_worker_health_is_its_own(compose)
        compose.wait_until_healthy()
        say("a stopped worker is unhealthy, the other one is not")
        for replicas in (1, 2):
            scaled = [f"--scale={name}={replicas}" for name in OURS]
            compose("up", "--detach", "--wait", "--no-recreate", *scaled)
            say(f"scaled to {replicas} each; {tally.line()}")
        wrong = _upgraded_and_back(compose, commands, prober, tally)
    say(f"{prober.requests} requests, {prober.retried} mended by a retry within {prober.slowest_s:.1f} s")
    name = prober.name_of_player()
    commands.run(SAVE)
    for command in RESTORES:
        compose.empty()
        commands.run(command)
        if prober.name_of_player() != name:
            wrong.append(f"after {command}: the prober is not called {name}")
    say("emptied and restored from a backup, twice")
    return [*wrong, *prober.lost, *commands.failed]


def _upgraded_and_back(compose: Compose, commands: Documented, prober: Prober, tally: Tally) -> list[str]:
    """Replace all containers but Redis and the gateway by those of another tag, and back; return what is wrong."""
    first, wrong = compose.environment["TAG"], []
    for name in ("shengji-service", "shengji-redis"):
        compose.docker("tag", f"{name}:{first}", f"{name}:{first}-next")
    for what, tag in (("upgraded", f"{first}-next"), ("went back", first)):
        compose.environment["TAG"] = tag
        sent, retried = prober.requests, prober.retried
        prober.longest_s = 0.0
        if tag == first:
            commands.run(BACK)
        else:
            compose.run(str(ROOT / "deploy" / "upgrade"))
        sent, retried = prober.requests - sent, prober.retried - retried
        say(
            f"{what}: {sent} requests meanwhile, {retried} failed, the longest took {prober.longest_s:.1f} s; "
            f"{tally.line()}"
        )
        if retried:
            wrong.append(f"{what}: {retried} of {sent} requests failed")
        time.sleep(5)
    return wrong


if __name__ == "__main__":
    sys.exit(main())
