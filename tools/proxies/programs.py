"""The proxies of `deploy/proxies`: how each is started with the file that operators get.

Of the file only what this machine lacks is replaced: where the certificate lies, the site that has the name already and
room for as many connections. On a machine with IPv6 alone, also where the service is found, as docs/operations.md says.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from harness.make_run import ROOT
from tools.proxies.machine import NAME

FILES: Final = ROOT / "deploy" / "proxies"
#: Where the files find the service, and HAProxy the other site.
SERVICE_PORT, SITE_PORT = 8000, 8080
#: nginx.conf of Debian includes the files of a folder; this one includes ours, and writes nothing outside its folder.
_NGINX: Final = """user root; pid {folder}/nginx.pid; error_log {folder}/nginx.log;
events {{ worker_connections 1024; }}
http {{ access_log off; include {file}; {temporary} }}
"""
_TEMPORARY: Final = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")


def _start_nginx(file: Path) -> list[str]:
    temporary = " ".join(f"{each}_temp_path {file.parent}/{each};" for each in _TEMPORARY)
    main = file.parent / "main.conf"
    main.write_text(_NGINX.format(folder=file.parent, file=file, temporary=temporary))
    return ["nginx", "-e", "stderr", "-c", str(main), "-g", "daemon off;"]


def _start_caddy(file: Path) -> list[str]:
    return ["caddy", "run", "--adapter", "caddyfile", "--config", str(file)]


def _start_haproxy(file: Path) -> list[str]:
    return ["haproxy", "-db", "-f", str(file)]


@dataclass(frozen=True)
class Proxy:
    """A proxy.

    Attributes:
        program: its name.
        root, path: its files in `deploy/proxies`: for the service at the root of a name, and below a path.
        start: the command for a file.
        here: text of the file -> what stands there on this machine: `{folder}` has `fullchain.pem`, `privkey.pem`, both
            in `both.pem`, and the other site in `site`.
        collects: text of the file -> what makes it collect responses; empty: it has no setting for that.
    """

    program: str
    root: str
    path: str
    start: Callable[[Path], list[str]]
    here: dict[str, str]
    collects: dict[str, str] = field(default_factory=dict)

    def file(self, folder: Path, upstream: str, *, path: bool, collects: bool = False) -> Path:
        """Write the file as it is used here, and return where."""
        text = (FILES / (self.path if path else self.root)).read_text()
        if collects:
            for given, instead in self.collects.items():
                assert given in text, f"the file has no {given!r}"
                text = text.replace(given, instead)
        for given, instead in self.here.items():
            text = text.replace(given, instead.format(folder=folder))
        for port in (SERVICE_PORT, SITE_PORT):
            text = text.replace(f"127.0.0.1:{port}", f"{upstream}:{port}")
        file = folder / ("collecting.conf" if collects else "proxy.conf")
        file.write_text(text)
        return file


PROXIES: Final = {
    "nginx": Proxy(
        "nginx",
        "nginx.conf",
        "nginx-path.conf",
        _start_nginx,
        {f"/etc/letsencrypt/live/{NAME}": "{folder}", "/var/www/html": "{folder}/site"},
        {"proxy_buffering off;": "proxy_buffering on; proxy_ignore_headers X-Accel-Buffering;"},
    ),
    "Caddy": Proxy(
        "caddy",
        "Caddyfile",
        "Caddyfile-path",
        _start_caddy,
        {
            # Instead of a certificate that it gets by itself.
            f"{NAME} {{": f"{NAME} {{{{\n\ttls {{folder}}/fullchain.pem {{folder}}/privkey.pem",
            "/var/www/html": "{folder}/site",
        },
        # Since 2.7 `response_buffers`, with a size.
        {"reverse_proxy 127.0.0.1:8000\n": "reverse_proxy 127.0.0.1:8000 {\nbuffer_responses\n}\n"},
    ),
    "HAProxy": Proxy(
        "haproxy",
        "haproxy.cfg",
        "haproxy-path.cfg",
        _start_haproxy,
        # With as many open files as a machine of tests allows.
        {f"/etc/haproxy/{NAME}.pem": "{folder}/both.pem", "maxconn 32768": "maxconn 1024"},
    ),
}
