"""The images: how large they are, and how long their containers take to start.

    python -m bench.bench_images [--tag check] [--starts 5]

Needs Docker on Linux, images that are built already (`docker build --target service -t shengji-service:check .`, and
the same for `redis`), and their base (`docker pull`). Sizes are uncompressed. A container of `redis` is ready when its
port answers PING; one of `service` runs `api` with that Redis, and is ready when `/readyz?for=traffic` answers. The
baseline is a container of the same image that runs nothing but `true`.
"""

import argparse
import re
import secrets
import statistics
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from http.client import HTTPConnection, HTTPException
from typing import Final

import redis

from bench import report
from harness.make_run import ROOT
from harness.waiting import wait_until

IMAGES: Final = ("service", "redis")
PASSWORD: Final = secrets.token_hex(16)
#: For one answer of a process that starts (s).
PATIENCE_S: Final = 2


def docker(*arguments: str) -> str:
    """Return what a command of Docker prints.

    Raises:
        SystemExit: it failed; with what it said.
    """
    done = subprocess.run(["docker", *arguments], capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"docker {arguments[0]}: {done.stderr.strip()}")
    return done.stdout.strip()


def megabytes(image: str) -> float:
    """Return the size of an image."""
    return int(docker("image", "inspect", "--format", "{{.Size}}", image)) / 1e6


def base() -> str:
    """Return the image on which `Dockerfile` builds all others."""
    [name] = set(re.findall(r"^FROM (\S+)", (ROOT / "Dockerfile").read_text(), re.MULTILINE))
    return str(name)


@contextmanager
def container(image: str, environment: dict[str, str]) -> Iterator[str]:
    """Run a hardened container of an image; yield its address."""
    name = f"shengji-bench-{secrets.token_hex(4)}"
    settings = [part for pair in environment.items() for part in ("--env", "=".join(pair))]
    hardening = ["--read-only", "--tmpfs=/tmp:mode=1777", "--cap-drop=ALL", "--init"]
    docker("run", "--detach", "--rm", f"--name={name}", *hardening, *settings, image)
    try:
        yield docker("inspect", "--format", "{{.NetworkSettings.IPAddress}}", name)
    finally:
        docker("rm", "--force", "--volumes", name)


def answers_ping(host: str) -> bool:
    """Return whether Redis answers at an address."""
    try:
        with redis.Redis(host, username="shengji", password=PASSWORD, socket_timeout=PATIENCE_S) as client:
            return bool(client.ping())
    except redis.RedisError:
        return False


def takes_traffic(host: str) -> bool:
    """Return whether the API at an address takes requests."""
    connection = HTTPConnection(host, 8000, timeout=PATIENCE_S)
    try:
        connection.request("GET", "/readyz?for=traffic")
        return connection.getresponse().status == 204
    except (OSError, HTTPException):
        return False
    finally:
        connection.close()


def start(
    image: str, environment: dict[str, str], is_ready: Callable[[str], bool], stack: ExitStack
) -> tuple[str, float]:
    """Start a container that runs until the stack is closed; return its address and the seconds until it is ready."""
    began = time.monotonic()
    host = stack.enter_context(container(image, environment))
    wait_until(lambda: is_ready(host), f"{image} is ready", seconds=120)
    return host, time.monotonic() - began


def nothing(image: str) -> float:
    """Return the seconds of a container that runs `true`."""
    began = time.monotonic()
    docker("run", "--rm", "--entrypoint=true", image)
    return time.monotonic() - began


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tag", default="check", help="of the images")
    parser.add_argument("--starts", type=int, default=5)
    options = parser.parse_args()
    images = {name: f"shengji-{name}:{options.tag}" for name in IMAGES}
    seconds: dict[str, list[float]] = {name: [] for name in IMAGES}
    for _ in range(options.starts):
        with ExitStack() as stack:
            environment = {"REDIS_PASSWORD": PASSWORD}
            host, took = start(images["redis"], environment, answers_ping, stack)
            seconds["redis"].append(took)
            environment["REDIS_URL"] = f"redis://shengji:{PASSWORD}@{host}:6379/0"
            _, took = start(images["service"], environment, takes_traffic, stack)
            seconds["service"].append(took)
    rows, below = [], megabytes(base())
    for name, image in images.items():
        ready = statistics.median(seconds[name])
        baseline = statistics.median(nothing(image) for _ in range(options.starts))
        size = megabytes(image)
        rows.append([name, f"{size:.0f}", f"{size - below:.0f}", f"{ready:.1f}", f"{baseline:.1f}"])
    print(f"Medians of {options.starts} starts. The base that was used here has {below:.0f} MB.")
    report.table(("image", "MB", "MB above its base", "s until ready", "s to run `true`"), rows)


if __name__ == "__main__":
    main()
