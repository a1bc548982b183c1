"""The network of the soak stops exactly the directions that are cut, and delivers what it held back."""

import socket
import threading

import pytest

from harness.network import CLIENTS, Network
from harness.waiting import wait_until
from tools.faults.partitions import DividedServers
from tools.faults.plan import PARTITIONS


@pytest.fixture
def network():
    with Network() as network:
        yield network


@pytest.fixture
def server():
    """A server that keeps what it hears, and says it back."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        heard = []

        def echo(connection):
            with connection:
                while data := connection.recv(100):
                    heard.append(data)
                    connection.sendall(data)

        def serve():
            while True:
                try:
                    connection = listening.accept()[0]
                except OSError:
                    return
                threading.Thread(target=echo, args=(connection,), daemon=True).start()

        threading.Thread(target=serve, daemon=True).start()
        yield listening.getsockname()[1], heard
        listening.shutdown(socket.SHUT_RDWR)


def connect(port, source=""):
    line = socket.create_connection(("127.0.0.1", port), timeout=60, source_address=(source, 0) if source else None)
    line.sendall(b"hello")
    assert line.recv(100) == b"hello"
    return line


def is_silent(line):
    line.settimeout(0.2)
    try:
        line.recv(100)
    except TimeoutError:
        return True
    finally:
        line.settimeout(60)
    return False


def test_a_server_that_hears_and_cannot_speak_does_what_it_is_told(network, server):
    port, heard = server
    with connect(network.route("node0", port)) as line:
        with network.without(network.between("node0", [CLIENTS], hears=True)):
            line.sendall(b"do it")
            wait_until(lambda: heard[-1] == b"do it")
            assert is_silent(line)
        assert line.recv(100) == b"do it"


def test_a_server_that_hears_nothing_is_told_later(network, server):
    port, heard = server
    with connect(network.route("node0", port)) as line:
        with network.without(network.between("node0", [CLIENTS], speaks=True)):
            line.sendall(b"do it")
            assert is_silent(line)
            assert heard == [b"hello"]
        assert line.recv(100) == b"do it"


def test_others_reach_a_server_that_is_cut_off_from_some(network, server):
    there, address = network.route("node0", server[0]), network.address("node1")
    with connect(there) as client, connect(there, address) as node:
        with network.without(network.between("node0", network.parties - {CLIENTS})):
            node.sendall(b"from a node")
            assert is_silent(node)
            client.sendall(b"from a client")
            assert client.recv(100) == b"from a client"
            # A new connection is not refused, but does not come about.
            with socket.create_connection(("127.0.0.1", there), timeout=60, source_address=(address, 0)) as late:
                late.sendall(b"later")
                assert is_silent(late)
        assert node.recv(100) == b"from a node"


def test_hanging_up_is_not_heard_through_a_cut(network, server):
    with connect(network.route("node0", server[0])) as line:
        with network.without(network.between("node0", [CLIENTS])):
            line.shutdown(socket.SHUT_WR)
            assert is_silent(line)
        assert line.recv(100) == b""


def test_every_partition_of_the_plan_can_be_injected():
    assert all(hasattr(DividedServers, kind) for kind in PARTITIONS)
