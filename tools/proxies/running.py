"""The service behind a proxy, as docs/operations.md has it set up."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from secrets import token_hex
from typing import Final

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from harness.make_run import Service
from harness.waiting import wait_until
from tools.proxies.machine import NAME, Family
from tools.proxies.programs import SERVICE_PORT, SITE_PORT, Proxy

#: What the other site of the name says.
SITE: Final = "the site that is there already"


@dataclass(frozen=True)
class Place:
    """A service behind a proxy.

    Attributes:
        folder: of this run; `fullchain.pem` in it is the certificate to trust.
        below: "" or "/game".
        direct: URL of the service past the proxy.
        upstream: where the proxy finds it, without the port.
        operator: token.
    """

    folder: Path
    below: str
    direct: str
    upstream: str
    operator: str

    @property
    def url(self) -> str:
        return f"https://{NAME}{self.below}"

    @property
    def environment(self) -> dict[str, str]:
        """Of programs that trust the certificate."""
        return {**os.environ, "SSL_CERT_FILE": str(self.folder / "fullchain.pem")}


@contextmanager
def running(folder: Path, family: Family, *, path: bool) -> Iterator[Place]:
    """Run the service, and the other site that has its name."""
    _certify(folder)
    (folder / "site").mkdir()
    (folder / "site" / "index.html").write_text(SITE)
    own = "[::1]" if family.host == "::1" else "127.0.0.1"
    place = Place(folder, "/game" if path else "", f"http://{own}:{SERVICE_PORT}", family.upstream, token_hex(16))
    settings = {
        "HOST": family.host,
        "TRUSTED_PROXIES": "1",
        "PUBLIC_URL": place.url,
        "OPERATOR_TOKEN": place.operator,
    }
    service = Service(folder, SERVICE_PORT, **settings)
    try:
        service.wait_for(lambda: "Game      http" in service.output(), "readiness")
        site = [sys.executable, "-m", "http.server", str(SITE_PORT), "--bind", family.upstream.strip("[]")]
        with _program(folder, site, SITE_PORT, cwd=folder / "site"):
            yield place
    finally:
        service.clear_away()


@contextmanager
def behind(place: Place, proxy: Proxy, *, collects: bool = False) -> Iterator[None]:
    """Run a proxy in front of the service; it may be one that collects responses."""
    file = proxy.file(place.folder, place.upstream, path=bool(place.below), collects=collects)
    with _program(place.folder, proxy.start(file), 443):
        yield


@contextmanager
def _program(folder: Path, command: list[str], port: int, cwd: Path | None = None) -> Iterator[None]:
    """Run a program that listens on a port of this machine."""
    log = folder / f"{Path(command[0]).name}.{port}.log"
    homes = {"HOME": str(folder), "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
    with log.open("w") as output:
        process = subprocess.Popen(
            command, cwd=cwd or folder, env=os.environ | homes, stdin=subprocess.DEVNULL, stdout=output, stderr=output
        )
    try:
        wait_until(lambda: _listens(process, port), lambda: f"{command}\n{log.read_text()}")
        yield
    except BaseException:
        print(log.read_text()[-3_000:], file=sys.stderr)
        raise
    finally:
        process.terminate()
        process.wait(30)


def _listens(process: subprocess.Popen[bytes], port: int) -> bool:
    assert process.poll() is None, "it has ended"
    for address in ("127.0.0.1", "::1"):
        try:
            socket.create_connection((address, port), 1).close()
        except OSError:
            continue
        return True
    return False


def _certify(folder: Path) -> None:
    """Make a certificate for the name, which signs itself."""
    key, now = ec.generate_private_key(ec.SECP256R1()), datetime.now(UTC)
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, NAME)])
    others = "content_commitment key_encipherment data_encipherment key_agreement encipher_only decipher_only"
    usage = dict.fromkeys(others.split(), False)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(NAME)]), critical=False)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .add_extension(x509.KeyUsage(digital_signature=True, key_cert_sign=True, crl_sign=True, **usage), critical=True)
        .sign(key, hashes.SHA256())
        .public_bytes(serialization.Encoding.PEM)
    )
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    (folder / "fullchain.pem").write_bytes(certificate)
    (folder / "privkey.pem").write_bytes(private)
    (folder / "both.pem").write_bytes(certificate + private)
