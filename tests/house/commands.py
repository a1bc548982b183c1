"""Every command of the operators' pages, and how it is run: in the containers, here, or not, with the reason."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

PAGES: Final = ("operations", "runbook", "kubernetes", "scaling", "releasing")
#: First words that make inline code with an argument a command.
PROGRAMS: Final = {
    *("apt", "basenc", "curl", "docker", "git", "journalctl", "kubectl", "make", "openssl", "pip", "python", "python3"),
    *("redis-admin", "redis-cli", "rq", "sh", "ssh", "systemctl", "ulimit", "uv", "valkey-cli"),
}
FOLDERS: Final = ("deploy/", "scripts/", ".venv/")
#: First words of commands to Redis.
TO_REDIS: Final = {"ACL", "BGREWRITEAOF", "CLIENT", "CLUSTER", "CONFIG", "INFO", "MEMORY", "SLOWLOG"}
#: Lines of code blocks that are not commands: settings, addresses, headers, lines of redis.conf.
_NO_COMMAND: Final = re.compile(r"https?://\S+$|[A-Z_]+=\S*$|[A-Z][\w-]+: |user ")


@dataclass(frozen=True)
class Inside:
    """Runs in a container of compose, whose name comes first; elsewhere with the same environment."""


@dataclass(frozen=True)
class Here:
    """Runs in the repository; `command`: what is run instead, if it names a file or a place."""

    command: str = ""


@dataclass(frozen=True)
class NotHere:
    """Is not run by the test of commands, and why."""

    reason: str


_ENGINE: Final = NotHere("needs Docker's engine; `make compose` runs it")
_TEST: Final = NotHere("a test or a measurement of its own, which CI runs")
_KUBERNETES: Final = NotHere("needs a cluster; the manifests are validated")
_PROCESS: Final = NotHere("does not end; test_containers starts it with this command")
_SOAK: Final = NotHere("takes half an hour; run for each release, and a short one by night")
_BACKUP: Final = NotHere("tests/store runs it against a Redis of its own; an example with other names")

COMMANDS: Final[dict[str, Inside | Here | NotHere]] = {
    # operations.md
    "docker compose up --build --wait": _ENGINE,
    "openssl rand -hex 32": Here(),
    "docker compose config --resolve-image-digests > compose.pinned.yml": NotHere("asks a registry for digests"),
    "make compose": _ENGINE,
    "docker compose exec redis redis-admin INFO memory": Inside(),
    "docker compose exec redis redis-admin SLOWLOG GET 10": Inside(),
    "docker compose exec redis redis-admin CONFIG SET maxmemory 1gb": Inside(),
    "docker compose exec redis redis-admin CONFIG SET maxmemory-policy noeviction": Inside(),
    "docker compose exec redis redis-admin CONFIG SET appendonly yes": Inside(),
    "kubectl exec statefulset/redis -- redis-admin INFO memory": _KUBERNETES,
    "git pull": NotHere("changes the repository"),
    "deploy/upgrade --check": _ENGINE,
    "deploy/upgrade --anyway": _ENGINE,
    "python -m service.needs": Here(),
    "python -m gunicorn --config python:service.gunicorn_conf service.wsgi:app": _PROCESS,
    "python -m workers worker": _PROCESS,
    "python -m workers searcher": _PROCESS,
    "python -m workers clock": _PROCESS,
    "python -m workers messenger": _PROCESS,
    "make run": NotHere("does not end; test_run starts it"),
    'make soak ARGS="--topology sentinel"': _SOAK,
    "CLUSTER KEYSLOT": NotHere("only on a cluster of your own, with redis-cli"),
    "CLUSTER MIGRATESLOTS": NotHere("only on a cluster of Valkey 9 of your own, with valkey-cli"),
    "python -m bench.bench_shares": _TEST,
    "ulimit -Hn": Here(),
    "scripts/setup image": NotHere("installs packages into .venv; test_setup checks its list"),
    'curl -H "Authorization: Bearer $OPERATOR_TOKEN" https://…/v1/operator/reports?status=open': NotHere(
        "asks your own host; tests/api calls the operation"
    ),
    "make crowd": _TEST,
    "docker compose exec worker python -m workers failed-jobs": Inside(),
    "python -m workers failed-jobs": Here(),
    r"openssl rand 32 \| basenc --base64url \| tr -d =": Here("openssl rand 32 | basenc --base64url | tr -d ="),
    "make bench": _TEST,
    "REDIS_URL=… python -m service.backup save FILE": Here("python -m service.backup save $FOLDER/saved"),
    "python -m service.backup check FILE": Here("python -m service.backup check $FOLDER/saved"),
    "REDIS_URL=… python -m service.backup restore FILE": _BACKUP,
    "REDIS_URL=… python -m service.backup keep FOLDER --days 14": Here(
        "mkdir -m 700 $FOLDER/kept && python -m service.backup keep $FOLDER/kept --days 14"
    ),
    "ssh server 'cd shengji && docker compose exec -T api python -m service.backup save -' > shengji.backup": _BACKUP,
    "ssh server 'cd shengji && docker compose exec -T api python -m service.backup restore -' "
    "< shengji.backup": _BACKUP,
    "REDIS_URL=… python -m workers past-games": Here("python -m workers past-games"),
    "docker compose exec worker python -m workers past-games": Inside(),
    "python -m bench.bench_hostile": _TEST,
    # runbook.md
    "docker compose ps": _ENGINE,
    "docker compose logs --since 10m <service>": _ENGINE,
    "kubectl get pods": _KUBERNETES,
    "kubectl logs": _KUBERNETES,
    "docker compose exec api python -m service.ready": Inside(),
    "kubectl exec deployment/api -- python -m service.ready": _KUBERNETES,
    ".venv/bin/python -m service.ready": NotHere("the same as in the container of `api`"),
    "docker compose exec redis redis-admin INFO replication": Inside(),
    "journalctl -u shengji-backup": NotHere("needs systemd with the unit installed"),
    # kubernetes.md
    "password=$(openssl rand -hex 32)": Here(),
    "kubectl create namespace shengji": _KUBERNETES,
    "kubectl -n shengji create secret generic redis --from-literal=password=$password": _KUBERNETES,
    "kubectl -n shengji create secret generic shengji --from-literal=REDIS_URL=redis://shengji:$password@redis:6379/0 "
    "--from-literal=OPERATOR_TOKEN=$(openssl rand -hex 32)": _KUBERNETES,
    "kubectl apply -k .": _KUBERNETES,
    # scaling.md
    "python -m bench.bench_growth": _TEST,
    # releasing.md
    "python -m tests.contract.compatibility": Here(),
    "make openapi": NotHere("changes openapi.yaml; test_openapi checks that it is up to date"),
    "make lint types test": _TEST,
    'make soak ARGS="--minutes 30 --report bench/soak.md"': _SOAK,
    'make soak ARGS="--minutes 30 --report bench/soak.md --topology cluster"': _SOAK,
    'make soak ARGS="--minutes 30 --report bench/soak.md --topology sentinel --min-replicas 1"': _SOAK,
    'make soak ARGS="--minutes 30 --report bench/soak.md --topology sentinel --replicas 2"': _SOAK,
    "python -m tests.faults.alerts --report bench/outages.md": NotHere("test_alerts does it, in the nightly run"),
    "make docs": NotHere("test_docs_site builds the site"),
}


def documented(root: Path) -> Iterator[tuple[str, str]]:
    """Yield page and text of each command of the operators' pages."""
    for page in PAGES:
        for command in commands_of((root / "docs" / f"{page}.md").read_text()):
            yield page, command


def commands_of(text: str) -> Iterator[str]:
    """Yield the commands of a page: lines of code blocks without a language, and inline code that begins like one."""
    fence = re.compile(r"^( *)```(\w*)\n(.*?)^ *```$", re.DOTALL | re.MULTILINE)
    for block in fence.finditer(text):
        if block[2] in ("", "sh", "bash", "console"):
            for line in re.sub(r"\\\n\s*", "", block[3]).splitlines():
                command = re.sub(r"\s+# .*", "", line).strip().removeprefix("$ ")
                if command and not _NO_COMMAND.match(command):
                    yield command
    for code in re.findall(r"`([^`]+)`", fence.sub("", text)):
        words = [word for word in code.split() if not re.match(r"[A-Z_]+=", word)]
        if len(words) > 1 and (words[0] in PROGRAMS | TO_REDIS or words[0].startswith(FOLDERS)):
            yield " ".join(code.split())
