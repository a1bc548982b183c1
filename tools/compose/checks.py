"""What holds for the containers as they run: rights, Redis, health, any user, both families of addresses."""

from typing import Final

from harness.waiting import wait_until
from tools.compose.engine import HEALTHY_S, PROJECT, ROOT, Compose

#: The processes of the service, which share an image.
OURS: Final = ("api", "streams", "worker", "searcher", "clock", "messenger")
#: A user whom no image knows.
ANYBODY: Final = "12345:12345"


def check_hardening(compose: Compose) -> None:
    """Nothing runs as root, writes to its image or may gain privileges; everything has limits and rotates its log."""
    for container in compose("ps", "--quiet").split():
        inspected = compose.inspect(container)
        host, name = inspected["HostConfig"], inspected["Name"]
        assert inspected["Config"]["User"] not in ("", "0", "root"), name
        assert host["ReadonlyRootfs"], name
        assert host["CapDrop"] == ["ALL"], name
        assert "no-new-privileges:true" in host["SecurityOpt"], name
        assert host["Memory"] > 0, name
        assert host["NanoCpus"] > 0, name
        assert host["PidsLimit"] > 0, name
        assert host["LogConfig"]["Config"]["max-size"], name


def check_redis_is_closed(compose: Compose) -> None:
    """Redis does not answer without the password, and with it allows only what the service needs."""
    code = (
        "import os, redis; url = os.environ['REDIS_URL']\n"
        "def tried(url, *command):\n"
        "    try: return redis.Redis.from_url(url).execute_command(*command)\n"
        "    except redis.RedisError as error: return type(error).__name__\n"
        "print(tried('redis://redis:6379', 'PING'), tried(url, 'PING'), tried(url, 'FLUSHALL'),"
        " tried(url, 'CONFIG', 'GET', '*'), tried(url, 'SET', 'other', 1), tried(url, 'KEYS', '*'))"
    )
    output = compose("exec", "-T", "api", "python", "-c", code).split()
    assert output == ["AuthenticationError", "True", *["NoPermissionError"] * 4], output


def check_worker_health_is_its_own(compose: Compose) -> None:
    """A worker that is stopped becomes unhealthy, and the other one stays healthy."""
    stopped, other = compose.containers("worker")
    compose.docker("exec", stopped, "sh", "-c", "kill -STOP -1")
    wait_until(lambda: compose.health(stopped) != "healthy", "a stopped worker is unhealthy", seconds=HEALTHY_S)
    assert compose.health(other) == "healthy"
    compose.docker("exec", stopped, "sh", "-c", "kill -CONT -1")


def check_any_user(compose: Compose) -> None:
    """Each image runs as a user whom it does not know, on a read-only file system with only /tmp to write to."""
    names = []
    try:
        for service in (*OURS, "gateway"):
            names.append(f"{PROJECT}-anybody-{service}")
            compose("run", "--detach", "--no-deps", "--user", ANYBODY, "--name", names[-1], service)
        names.append(f"{PROJECT}-anybody-redis")
        user, _ = ANYBODY.split(":")
        memory = ("--tmpfs", "/tmp", "--tmpfs", f"/data:uid={user},mode=700")  # noqa: S108 - of the container
        rights = ("--user", ANYBODY, "--read-only", "--cap-drop", "ALL", "--security-opt", "no-new-privileges:true")
        image = f"shengji-redis:{compose.environment['TAG']}"
        arguments = ("--detach", "--name", names[-1], "--env", "REDIS_PASSWORD=of-anybody")
        compose.docker("run", *arguments, *rights, *memory, image)

        def sick() -> list[str]:
            return [name for name in names if compose.health(name) != "healthy"]

        def logs() -> str:
            tails = (compose.run("sh", "-c", f"docker logs --tail 20 {name} 2>&1") for name in sick())
            return f"healthy as {ANYBODY}\n" + "\n".join(tails)

        wait_until(lambda: not sick(), logs, seconds=HEALTHY_S)
        for name in names:
            inspected = compose.inspect(name)
            assert inspected["HostConfig"]["ReadonlyRootfs"], name
            assert inspected["Config"]["User"] == ANYBODY, name
            assert inspected["RestartCount"] == 0, name
    finally:
        compose.docker("rm", "--force", "--volumes", *names)


def check_gateway(compose: Compose) -> None:
    """Its configuration has no faults, and it answers on both families of addresses where a container has both."""
    compose("exec", "-T", "gateway", "nginx", "-e", "/dev/stderr", "-t")
    [container] = compose.containers("gateway")
    image, name = compose.inspect(container)["Config"]["Image"], f"{PROJECT}-both-families"
    both = [f"--sysctl=net.ipv6.conf.{each}.disable_ipv6=0" for each in ("all", "lo")]
    arguments = ("--user", "101:101", "--read-only", "--tmpfs", "/tmp", "--network", f"{PROJECT}_default")  # noqa: S108
    config = f"{ROOT}/deploy/gateway.conf:/etc/nginx/nginx.conf:ro"
    try:
        command = ("nginx", image, "-e", "/dev/stderr", "-g", "daemon off;")
        compose.docker(
            "run", "--detach", "--name", name, *both, *arguments, "--volume", config, "--entrypoint", *command
        )
        for address in ("127.0.0.1", "[::1]"):
            wget = ("wget", "-q", "-O", "-", f"http://{address}:8000/gateway")
            wait_until(
                lambda wget=wget: compose.tried("docker", "exec", name, *wget) == "ok\n",  # type: ignore[misc]
                f"the gateway answers at {address}",
                seconds=HEALTHY_S,
            )
    finally:
        compose.docker("rm", "--force", name)
