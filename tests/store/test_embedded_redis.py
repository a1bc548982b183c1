"""The embedded Redis: found, started, adopted, stopped; it never signals a process that is not its own."""

import fcntl
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from redis import Redis

from harness.waiting import wait_until
from service.processes.embedded_redis import EmbeddedRedis, EmbeddedRedisError


@pytest.fixture
def folder(tmp_path, request):
    """A data folder; a server left by a test is stopped afterwards."""
    folder = tmp_path / "var"
    yield folder
    left = EmbeddedRedis(folder)
    if folder.exists() and left.running():
        left.start()
        left.stop()


def process_of(url):
    with Redis.from_url(url) as client:
        return client.info("server")["process_id"]


def is_dead(pid):
    """Return whether a process has ended (zombies of a killed parent have)."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


def dead(pid):
    """Wait for the end of a process; return True."""
    return wait_until(lambda: is_dead(pid), f"the end of process {pid}")


def test_the_settings_keep_every_acknowledged_write_refuse_rather_than_evict_and_keep_short_logs_small(empty_redis):
    wanted = {
        "appendonly": "yes",
        "appendfsync": "everysec",
        "save": "",
        "maxmemory-policy": "noeviction",
        "stream-node-max-bytes": "1024",
        "port": "0",
    }
    with Redis.from_url(empty_redis, decode_responses=True) as client:
        assert client.config_get(*wanted) == wanted


def test_only_this_user_can_reach_the_socket(folder):
    with EmbeddedRedis(folder) as server:
        assert server.socket.stat().st_mode & 0o77 == 0


def test_only_this_user_can_read_the_data_also_in_a_folder_that_was_open_before(tmp_path):
    folder = tmp_path / "var" / "redis"
    folder.mkdir(parents=True)
    folder.chmod(0o755)
    mask = os.umask(0o022)
    try:
        with EmbeddedRedis(folder) as server, Redis.from_url(server.url) as client:
            client.set("hands", "secret")
    finally:
        os.umask(mask)
    assert [path for path in [folder, *folder.rglob("*")] if path.stat().st_mode & 0o77] == []


def test_a_log_without_its_manifest_is_refused_and_nothing_is_changed(folder):
    with EmbeddedRedis(folder) as server, Redis.from_url(server.url) as client:
        client.set("kept", "yes")
    manifest = folder / "appendonlydir" / "appendonly.aof.manifest"
    manifest.rename(folder / "aside")
    with pytest.raises(EmbeddedRedisError, match="but no manifest"):
        EmbeddedRedis(folder).start()
    (folder / "aside").rename(manifest)
    with EmbeddedRedis(folder) as server, Redis.from_url(server.url) as client:
        assert client.get("kept") == b"yes"


def test_ctrl_c_in_a_terminal_does_not_reach_the_server(folder):
    with EmbeddedRedis(folder) as server:
        pid = process_of(server.url)
        assert os.getpgid(pid) == pid != os.getpgid(0)


def test_a_clean_stop_loses_nothing_and_leaves_no_process(folder):
    with EmbeddedRedis(folder) as server:
        pid = process_of(server.url)
        with Redis.from_url(server.url) as client:
            client.set("kept", "yes")
    assert dead(pid)
    assert not server.running()
    with EmbeddedRedis(folder) as server, Redis.from_url(server.url) as client:
        assert client.get("kept") == b"yes"


def test_stopping_twice_does_nothing(folder):
    server = EmbeddedRedis(folder)
    server.start()
    server.stop()
    server.stop()


def test_a_killed_server_loses_no_acknowledged_write(folder):
    server = EmbeddedRedis(folder)
    server.start()
    with Redis.from_url(server.url) as client:
        acknowledged = [number for number in range(2000) if client.rpush("log", number)]
    server.kill()
    with server, Redis.from_url(server.url) as client:
        assert [int(number) for number in client.lrange("log", 0, -1)] == acknowledged


def test_a_server_whose_supervisor_was_killed_is_taken_over_and_then_stopped(folder):
    program = (
        "import sys, time; from pathlib import Path; from service.processes.embedded_redis import EmbeddedRedis;"
        "print(EmbeddedRedis(Path(sys.argv[1])).start(), flush=True); time.sleep(600)"
    )
    supervisor = subprocess.Popen([sys.executable, "-c", program, str(folder)], stdout=subprocess.PIPE, text=True)
    url = supervisor.stdout.readline().strip()
    with Redis.from_url(url) as client:
        client.set("kept", "yes")
    pid = process_of(url)
    supervisor.kill()
    supervisor.wait()

    server = EmbeddedRedis(folder)
    assert server.running()
    assert server.start() == url
    assert process_of(url) == pid
    with Redis.from_url(url) as client:
        assert client.get("kept") == b"yes"
    server.stop()
    assert dead(pid)
    assert not server.running()


def test_two_supervisors_cannot_share_a_folder(folder):
    with EmbeddedRedis(folder) as first:
        with pytest.raises(EmbeddedRedisError, match=f"Process {os.getpid()} runs the server on"):
            EmbeddedRedis(folder).start()
        assert process_of(first.url)


def test_files_left_by_a_crash_do_no_harm_and_their_pid_is_never_signalled(folder):
    bystander = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    try:
        server = EmbeddedRedis(folder)
        server.start()
        server.kill()
        (folder / "redis.pid").write_text(str(bystander.pid))
        assert server.socket.exists()
        with server:
            assert process_of(server.url) != bystander.pid
        assert bystander.poll() is None
    finally:
        bystander.kill()
        bystander.wait()


def test_a_left_over_server_that_hangs_is_named_and_not_signalled(folder):
    first = EmbeddedRedis(folder)
    first.start()
    pid = process_of(first.url)
    # As after the end of the supervisor: its lock is free, but the server still runs.
    first._unlock()
    os.kill(pid, signal.SIGSTOP)
    try:
        second = EmbeddedRedis(folder)
        with pytest.raises(EmbeddedRedisError, match=f"does not answer.*process {pid}"):
            second.start(timeout=0.1)
        assert second.running()
    finally:
        os.kill(pid, signal.SIGCONT)
    with second:
        assert process_of(second.url) == pid
    first.kill()


def test_a_server_is_launched_once_a_killed_one_has_let_go_of_the_folder(folder):
    with EmbeddedRedis(folder):
        pass
    with (folder / "server.lock").open() as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        server = EmbeddedRedis(folder)
        assert server.running()
        dying = threading.Timer(0.2, fcntl.flock, (held, fcntl.LOCK_UN))
        dying.start()
        with server:
            assert process_of(server.url)
        dying.join()


def test_a_server_that_ends_at_its_start_says_why(folder):
    broken = EmbeddedRedis(folder, {"maxmemory": "2mb", "unixsocket": str(folder / "no" / "such" / "folder")})
    with pytest.raises(EmbeddedRedisError, match="exited at its start"):
        broken.start()
    with EmbeddedRedis(folder) as server:
        assert process_of(server.url)


def test_a_long_path_with_spaces_and_special_characters_works(tmp_path):
    folder = tmp_path / "my games 升级 %41" / ("long" * 20)
    with EmbeddedRedis(folder) as server, Redis.from_url(server.url) as client:
        assert client.config_get("dir") == {"dir": str(folder)}
        assert not server.socket.is_relative_to(folder)
    short = tmp_path / "a b%41"
    with EmbeddedRedis(short) as server, Redis.from_url(server.url) as client:
        assert server.socket.is_relative_to(short)
        assert client.ping()


def test_the_lock_says_who_runs_the_server_as_long_as_it_runs(folder):
    server, other = EmbeddedRedis(folder), EmbeddedRedis(folder)
    assert other.owner() is None
    assert not folder.exists()
    server.start(serves="http://here")
    assert other.owner() == (os.getpid(), "http://here")
    with pytest.raises(EmbeddedRedisError, match=rf"Process {os.getpid()} \(http://here\) runs the server on"):
        other.start()
    server.stop()
    assert other.owner() is None
    # An earlier release writes nothing, and must not pass for the one before it.
    with (folder / "supervisor.lock").open("r+") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert other.owner() == (0, "")
        with pytest.raises(EmbeddedRedisError, match="Another process runs the server on"):
            other.start()
