"""A machine of its own: network addresses, ports and `/etc/hosts` that nothing else on this computer sees or has.

It is a network and a mount namespace of Linux. Its addresses are those that are reserved for documentation, on an
interface that leads nowhere. It has routes there, since browsers and servers take a family without one for missing.
"""

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

#: The name that the files of `deploy/proxies` have.
NAME: Final = "games.example.org"
#: Addresses of the machine, and of a player.
SERVER_4, PLAYER_4 = "192.0.2.1", "192.0.2.77"
SERVER_6, PLAYER_6 = "2001:db8::1", "2001:db8:77::1"
#: Server -> player, for each address of the machine.
PLAYERS: Final = {SERVER_4: PLAYER_4, SERVER_6: PLAYER_6}
#: A network that is neither.
ELSEWHERE: Final = {SERVER_4: "203.0.113.9", SERVER_6: "2001:db8:99::9"}

OUTSIDE: Final = ("ip link set lo up", "ip link add outside type bridge", "ip link set outside up")
_FOUR: Final = (
    f"ip addr add {SERVER_4}/24 dev outside",
    f"ip addr add {PLAYER_4}/24 dev outside",
    "ip route add default dev outside",
)
_SIX: Final = (
    f"ip addr add {SERVER_6}/64 dev outside nodad",
    f"ip addr add {PLAYER_6}/64 dev outside nodad",
    "ip -6 route add default dev outside",
)


@dataclass(frozen=True)
class Family:
    """The families of addresses that a machine has.

    Attributes:
        addresses: at which the proxy is reached.
        host: what the service is told to listen on.
        upstream: where the proxy finds it.
        commands: make the machine so.
    """

    addresses: tuple[str, ...]
    host: str
    upstream: str
    commands: tuple[str, ...]


FAMILIES: Final = {
    "4": Family((SERVER_4,), "127.0.0.1", "127.0.0.1", (*_FOUR, "sysctl -qw net.ipv6.conf.all.disable_ipv6=1")),
    # Its loopback interface keeps 127.0.0.1, as on every Linux: programs in Go take IPv6 for broken without it.
    "6": Family((SERVER_6,), "::1", "[::1]", _SIX),
    "both": Family((SERVER_4, SERVER_6), "::", "127.0.0.1", (*_FOUR, *_SIX)),
}


def why_not() -> str:
    """Return why there can be no such machine here; "" if there can."""
    if not sys.platform.startswith("linux"):
        return "needs the namespaces of Linux"
    missing = [program for program in ("unshare", "ip", "sysctl") if shutil.which(program) is None]
    if missing:
        return f"needs {', '.join(missing)}"
    tried = subprocess.run(on_its_own(["true"]), capture_output=True, text=True, check=False)
    return f"needs root, or sudo without a password: {tried.stderr.strip()}" if tried.returncode else ""


def on_its_own(command: list[str], *, network: bool = True) -> list[str]:
    """Return the command that runs another one with mounts of its own, and with a network of its own."""
    as_root = [] if os.geteuid() == 0 else ["sudo", "-n", "--preserve-env", "env", f"PATH={os.environ['PATH']}"]
    return [*as_root, "unshare", *(["--net"] if network else []), "--mount", *command]


class Hosts:
    """The `/etc/hosts` of the machine."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def point(self, address: str) -> None:
        """Let the name lead to an address."""
        local = "::1" if ":" in address else "127.0.0.1"
        self._path.write_text(f"{local} localhost\n{address} {NAME}\n")


def become(family: Family, folder: Path) -> Hosts:
    """Make this process, in its new namespaces, one of a machine with these families of addresses."""
    path = folder / "hosts"
    path.touch()
    for command in (*OUTSIDE, *family.commands, f"mount --bind {path} /etc/hosts"):
        subprocess.run(command.split(), check=True)
    return Hosts(path)
