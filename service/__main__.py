"""`shengji COMMAND`, or `python -m service COMMAND`: the programs of the service under one name."""

import runpy
import sys
from typing import Final, NamedTuple

from service.common.settings import VERSION


class Command(NamedTuple):
    """A command: the module that is run, the arguments that come first, and what it does."""

    module: str
    arguments: tuple[str, ...]
    help: str


COMMANDS: Final = {
    "run": Command("service.run", (), "the whole service on this machine: API, workers, clock, Redis"),
    "doctor": Command("service.doctor", (), "examine settings, Redis, port, disk and clock, and say what to do"),
    "api": Command(
        "gunicorn",
        ("--config", "python:service.gunicorn_conf", "service.wsgi:app"),
        "the API alone",
    ),
    "worker": Command("workers", ("worker",), "a worker: moves of AI players, timeouts"),
    "searcher": Command("workers", ("searcher",), "a worker for AI players that search, and analyses"),
    "clock": Command("workers", ("clock",), "the clock, which finds what is due"),
    "messenger": Command("workers", ("messenger",), "sends notices to devices and webhooks"),
    "backup": Command("service.backup", (), "make, check and restore backups"),
    "needs": Command("service.needs", (), "tell whether this release understands the data"),
    "ready": Command("service.ready", (), "tell what is missing, beside an API process"),
}


def main() -> int:
    """Run a command; return its exit status."""
    asked = sys.argv[1] if len(sys.argv) > 1 else "help"
    if asked in ("version", "--version"):
        sys.stdout.write(f"{VERSION}\n")
        return 0
    command = COMMANDS.get(asked)
    if command is None:
        is_help = asked in ("help", "--help", "-h")
        known = "".join(f"  {name:<10} {each.help}\n" for name, each in COMMANDS.items())
        text = f"shengji {VERSION}, a game service for the Sheng Ji family of card games\n\nshengji COMMAND\n{known}"
        (sys.stdout if is_help else sys.stderr).write(text if is_help else f"There is no command {asked!r}.\n\n{text}")
        return 0 if is_help else 2
    sys.argv = [f"shengji {asked}", *command.arguments, *sys.argv[2:]]
    runpy.run_module(command.module, run_name="__main__", alter_sys=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
