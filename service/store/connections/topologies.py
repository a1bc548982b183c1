"""URLs of several Redis servers: one behind sentinels, or a cluster."""

import re
from typing import Final, NamedTuple
from urllib.parse import unquote

#: Default port of a server.
_DEFAULT_PORTS: Final = {"sentinel": 26379, "cluster": 6379}


class Topology(NamedTuple):
    """Several servers, parsed from a URL.

    Attributes:
        kind: `sentinel` or `cluster`.
        hosts: (host, port) of the sentinels, or of some nodes of the cluster.
        service: name of the server at the sentinels.
        options: arguments of the client: username, password, db, ssl.
    """

    kind: str
    hosts: tuple[tuple[str, int], ...]
    service: str
    options: dict[str, object]


def parse_topology(url: str) -> Topology | None:
    """Parse a URL of several servers; return None for one that the client library understands.

        redis+sentinel://[user:password@]host[:port][,host[:port]…]/service[/database]
        redis+cluster://[user:password@]host[:port][,host[:port]…]

    and both with `rediss+` for TLS.

    Raises:
        ValueError: the host or the service is missing, or a port is not a number.
    """
    scheme, _, rest = url.partition("://")
    protocol, plus, kind = scheme.partition("+")
    if not plus:
        return None
    if protocol not in ("redis", "rediss") or kind not in _DEFAULT_PORTS:
        raise ValueError(f"redis+sentinel:// or redis+cluster://, not {scheme}://")
    authority, _, path = rest.partition("/")
    credentials, _, addresses = authority.rpartition("@")
    hosts = tuple(_address(text, _DEFAULT_PORTS[kind]) for text in addresses.split(","))
    service, _, database = path.partition("/")
    if bool(service) != (kind == "sentinel"):
        raise ValueError(f"redis+{kind}://host{'/service' if kind == 'sentinel' else ', without a path'}")
    return Topology(kind, hosts, service, _options(protocol, credentials, database))


def _options(protocol: str, credentials: str, database: str) -> dict[str, object]:
    user, _, password = credentials.partition(":")
    options: dict[str, object] = {}
    if user:
        options["username"] = unquote(user)
    if password:
        options["password"] = unquote(password)
    if protocol == "rediss":
        options["ssl"] = True
    if database:
        if not database.isdecimal():
            raise ValueError("redis+sentinel://host/service/database, which is a number")
        options["db"] = int(database)
    return options


def _address(text: str, default_port: int) -> tuple[str, int]:
    match = re.fullmatch(r"(\[[0-9A-Fa-f:.]+\]|[^:\[\]]+)(?::(\d{1,5}))?", text)
    if match is None:
        raise ValueError(f"{text!r} is no host with a port")
    return match[1].strip("[]"), int(match[2] or default_port)
