"""Directions of imports between packages, read from the source, and absence of side effects of imports."""

import ast
import re
import subprocess
import sys
from collections.abc import Callable, Container, Iterator, Mapping
from collections.abc import Set as AbstractSet
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

#: The rooms of a table's game.
GAME = {f"service.game{room}" for room in ("", ".state", ".events", ".commands", ".views", ".records")}

#: Room (the longest matching prefix wins) -> the rooms that it may import in addition to itself. docs/architecture.md
#: shows this. Code that is not shipped comes last: tools, tests, benchmarks and the laboratory.
MAY_IMPORT = {
    "service.common.errors": set(),
    "service.common.fastjson": set(),
    "service.common.interruptions": set(),
    "service.common.latest": set(),
    "service.common.typed": set(),
    "service.common.places": set(),
    "service.common.reckoning": set(),
    "service.texts": set(),
    "service.rules": {"service.common.errors", "service.texts"},
    "service.game": {"service.common.errors", "service.game.state"},
    "service.game.state": {"service.common.interruptions", "service.rules"},
    "service.game.events": {"service.game.state"},
    "service.game.commands": {
        "service.common.errors",
        "service.common.interruptions",
        "service.rules",
        "service.game",
        "service.game.state",
        "service.game.events",
        # A refusal contains the open decision as the seat may see it.
        "service.game.views",
    },
    "service.game.views": {"service.common.errors", "service.rules", "service.game.state", "service.game.events"},
    "service.game.records": {
        "service.common.errors",
        "service.rules",
        "service.game",
        "service.game.state",
        "service.game.events",
        "service.game.commands",
        "service.game.views",
    },
    "service.store": {
        "service.common.typed",
        "service.common.fastjson",
        "service.common.interruptions",
        "service.common.reckoning",
        "service.game.state",
        "service.game.events",
    },
    "service.voice": {
        "service.common.errors",
        "service.common.fastjson",
        "service.game",
        "service.game.state",
        "service.store",
        "service.people",
    },
    "service.account_events": {"service.texts", "service.rules", "service.game.events"},
    "service.tables": {
        "service.common.errors",
        "service.common.interruptions",
        "service.common.reckoning",
        "service.rules",
        *GAME,
        "service.store",
    },
    "service.boards": {
        "service.common.errors",
        "service.common.places",
        "service.rules",
        *GAME,
        "service.store",
        "service.tables",
    },
    "service.accounts": {
        "service.account_events",
        "service.common.typed",
        "service.common.errors",
        "service.game",
        "service.game.views",
        "service.texts",
        "service.rules",
        "service.store",
    },
    "service.apps": {"service.common.errors", "service.store", "service.accounts"},
    "service.sign_in": {
        "service.common.errors",
        "service.common.fastjson",
        "service.common.settings",
        "service.store",
        "service.notices",
    },
    "service.notices": {
        "service.account_events",
        "service.common.errors",
        "service.common.fastjson",
        "service.texts",
        "service.rules",
        "service.game.state",
        "service.game.views",
        "service.store",
        "service.common.settings",
    },
    "service.people": {
        "service.common.errors",
        "service.game",
        "service.game.state",
        "service.game.events",
        "service.store",
        "service.tables",
    },
    "service.calendars": {
        "service.common.errors",
        "service.game",
        "service.game.commands",
        "service.game.state",
        "service.store",
        "service.tables",
    },
    "service.coach": {"service.common.errors", "service.rules", *GAME, "service.store", "service.tables"},
    "service.standing": {
        "service.common.errors",
        "service.common.fastjson",
        "service.rules",
        "service.game",
        "service.game.commands",
        "service.game.events",
        "service.game.state",
        "service.store",
        "service.tables",
    },
    "service.tournaments": {
        "service.common.errors",
        "service.common.latest",
        "service.rules",
        *GAME,
        "service.store",
        "service.tables",
        "service.boards",
    },
    "service.showing": {"service.common.errors", "service.game", "service.store", "service.tournaments"},
    "service.matchmaking": {
        "service.common.errors",
        "service.rules",
        "service.game",
        "service.game.state",
        "service.game.views",
        "service.game.commands",
        "service.store",
        "service.tables",
        "service.notices",
        "service.people",
    },
    "service.circles": {
        "service.common.errors",
        "service.rules",
        "service.game",
        "service.game.commands",
        "service.game.records",
        "service.game.state",
        "service.game.views",
        "service.store",
        "service.tables",
        "service.people",
        "service.matchmaking",
    },
    "service.clubs": {
        "service.common.errors",
        "service.common.places",
        "service.game",
        "service.game.commands",
        "service.game.state",
        "service.game.views",
        "service.store",
        "service.tables",
        "service.people",
        "service.tournaments",
    },
    "service.moderation": {
        "service.common.errors",
        "service.rules",
        "service.game",
        "service.game.state",
        "service.game.events",
        "service.game.views",
        "service.game.commands",
        "service.game.records",
        "service.store",
        "service.tables",
        "service.boards",
        "service.people",
        "service.tournaments",
        "service.matchmaking",
    },
    "service.jobs.asked": {"service.store"},
    "service.jobs.worker_status": {"service.jobs.asked", "service.store"},
    "service.jobs.several": {
        "service.jobs.asked",
        "service.jobs.queues",
        "service.jobs.worker_status",
        "service.store",
    },
    "service.common.settings": set(),
    "service.common.addresses": set(),
    "service.common.logs": {"service.common.fastjson", "service.common.reports", "service.common.settings"},
    "service.common.reports": {"service.common.settings"},
    "service.processes.embedded_redis": {"service.processes.aof_holes", "service.processes.redis_programs"},
    "service.processes.aof_holes": set(),
    "service.processes.redis_programs": set(),
    # One wiring of the use cases, for the API, workers, clock and messenger.
    "service.wiring": {
        "service.common.settings",
        "service.game.commands",
        "service.game.state",
        "service.store",
        "service.tables",
        "service.boards",
        "service.coach",
        "service.accounts",
        "service.notices",
        "service.people",
        "service.standing",
        "service.calendars",
        "service.showing",
        "service.tournaments",
        "service.matchmaking",
        "service.circles",
        "service.clubs",
        "service.voice",
        "service.moderation",
    },
    "service.backup": {
        "service.jobs.worker_status",
        "service.game.events",
        "service.store",
        "service.processes.embedded_redis",
        "service.common.settings",
    },
    "service.needs": {"service.store", "service.common.settings"},
    "service.ready": {"service.common.settings"},
    "service.__main__": {"service.common.settings"},
    "service.doctor": {
        "service.common.settings",
        "service.jobs.worker_status",
        "service.processes.embedded_redis",
        "service.processes.redis_programs",
        "service.run",
        "service.store",
    },
    "service.api": {
        "service.account_events",
        "service.common.latest",
        "service.common.typed",
        "service.common.addresses",
        "service.common.errors",
        "service.common.fastjson",
        "service.texts",
        "service.rules",
        *GAME,
        "service.store",
        "service.tables",
        "service.boards",
        "service.coach",
        "service.accounts",
        "service.apps",
        "service.sign_in",
        "service.notices",
        "service.people",
        "service.standing",
        "service.calendars",
        "service.showing",
        "service.tournaments",
        "service.matchmaking",
        "service.circles",
        "service.clubs",
        "service.voice",
        "service.moderation",
        "service.common.settings",
        "service.jobs.asked",
        "service.jobs.several",
        "service.jobs.worker_status",
        "service.processes.descriptors",
        "service.wiring",
    },
    # Runs in the page, besides `pages` and `bundle`, which send it there.
    "service.api.alone": {
        "service.common.errors",
        "service.texts",
        "service.rules",
        *GAME,
        "service.api",
        "workers.ai.heuristics",
    },
    # The composition root of the API, which also needs the job queues.
    "service.app": {
        "service.api.alone",
        "service.common.logs",
        "service.common.settings",
        "service.common.traces",
        "service.api",
        "service.store",
        "service.notices",
        "service.jobs.worker_status",
        "service.jobs.queues",
        "service.jobs.several",
    },
    "service.wsgi": {"service.api", "service.app", "service.common.settings"},
    "service.gunicorn_conf": {
        "service.common.traces",
        "service.processes.descriptors",
        "service.common.reports",
        "service.common.settings",
        "service.store",
    },
    "service.processes.gunicorn_worker": set(),
    "service.processes.descriptors": set(),
    "service.run": {"service.processes.embedded_redis", "service.common.settings"},
    "workers.ai.knowledge": {"service.rules", "service.game.state"},
    "workers.ai.evaluation": {"service.rules", "workers.ai.knowledge"},
    "workers.ai.candidates": {
        "service.common.errors",
        "service.rules",
        "workers.ai.knowledge",
        "workers.ai.evaluation",
    },
    "workers.ai.reasons": {"service.rules", "service.game.state", "workers.ai.knowledge", "workers.ai.candidates"},
    "workers.ai.heuristics": {
        "service.rules",
        "workers.ai.knowledge",
        "workers.ai.evaluation",
        "workers.ai.candidates",
        "workers.ai.reasons",
    },
    "workers.ai.simulation": {"service.common.errors", "service.rules", "workers.ai.candidates"},
    "workers.ai.deals": {"service.rules", "workers.ai.simulation"},
    "workers.ai.search": {
        "service.common.errors",
        "service.rules",
        "workers.ai.knowledge",
        "workers.ai.candidates",
        "workers.ai.heuristics",
        "workers.ai.simulation",
        "workers.ai.deals",
    },
    "workers.ai": {
        "service.common.errors",
        "service.rules",
        "service.game.state",
        "workers.ai.knowledge",
        "workers.ai.evaluation",
        "workers.ai.candidates",
        "workers.ai.reasons",
        "workers.ai.heuristics",
        "workers.ai.search",
        "workers.ai.deals",
    },
    "service.jobs.queues": {"service.common.traces", "service.jobs.asked"},
    "service.jobs.failed": {"service.jobs.queues"},
    "service.common.traces": {"service.common.settings"},
    "workers": {
        "service.jobs.failed",
        "service.common.addresses",
        "workers.ai",
        "service.game.state",
        "service.game.commands",
        "service.game.records",
        "service.common.logs",
        "service.common.reports",
        "service.jobs.asked",
        "service.jobs.queues",
        "service.jobs.several",
        "service.common.errors",
        "service.store",
        "service.tables",
        "service.boards",
        "service.coach",
        "service.wiring",
        "service.notices",
        "service.tournaments",
        "service.matchmaking",
        "service.common.settings",
        "service.common.traces",
        "service.jobs.worker_status",
    },
    "demo": set(),
    "harness": {
        "service.common.errors",
        "service.rules",
        *GAME,
        "service.store",
        "service.tables",
        "service.common.settings",
        "service.processes.embedded_redis",
        "service.processes.redis_programs",
        "service.run",
    },
}
MAY_IMPORT["tools"] = set(MAY_IMPORT)
MAY_IMPORT["laboratory"] = set(MAY_IMPORT)
MAY_IMPORT["tests"] = set(MAY_IMPORT)
MAY_IMPORT["bench"] = MAY_IMPORT.keys() - {"tests"}

#: Shipped rooms from the ground up, one layer per line. docs/architecture.md shows this. Imports go down, or stay in a
#: room; only rooms of the game and of AI players may import others of their layer.
LAYERS = (
    {"service.common", "service.processes", "service.texts"},
    {"service.rules"},
    {"service.game"},
    {"service.store", "service.account_events", "workers.ai"},
    {"service.tables", "service.accounts", "service.notices", "service.jobs"},
    {
        "service.boards",
        "service.coach",
        "service.people",
        "service.apps",
        "service.sign_in",
        "service.standing",
        "service.calendars",
    },
    {"service.tournaments", "service.matchmaking", "service.voice"},
    {"service.moderation", "service.circles", "service.clubs", "service.showing"},
    {"service.wiring"},
    {"service.api"},
    {
        "service.app",
        "service.backup",
        "service.gunicorn_conf",
        "service.needs",
        "service.ready",
        "service.run",
        "workers",
    },
    {"service.wsgi", "service.doctor"},
    {"service.__main__"},
)

#: Modules named on command lines, and those that build what they serve: nothing else is outside a room.
AT_THE_ROOT = {"__main__", "app", "backup", "doctor", "gunicorn_conf", "needs", "ready", "run", "wiring", "wsgi"}

#: Most modules of a folder; one with more mixes different things.
MOST_MODULES = 16
#: Folders with a module for each resource of the API.
LISTS = {"service/api/resources", "service/api/schemas"}

#: Top folders of the shipped code, and of all code.
SHIPPED = ("service", "workers", "demo")
EVERYTHING = (*SHIPPED, "harness", "tools", "laboratory", "bench", "tests")

#: Rooms that may only use the standard library, so that they run anywhere and can be compiled.
STANDARD_LIBRARY_ONLY = (
    "service.common.errors",
    "service.common.typed",
    "service.texts",
    "service.rules",
    "service.game",
    "service.processes.aof_holes",
    "workers.ai",
)

#: Modules that may open connections; all others get them passed.
MAKES_CLIENTS = {"service.store.connections.clients"}
OPENS_CONNECTIONS = {"service.app", "workers.__main__", "service.backup", "service.doctor", "service.needs"}


@cache
def modules(*tops: str) -> dict[str, Path]:
    files = [path for top in tops or SHIPPED for path in (ROOT / top).rglob("*.py")]
    return {".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path for path in files}


@cache
def imports(module: str, path: Path) -> tuple[str, ...]:
    """Full names imported anywhere in a module; `from a import b` counts as `a.b` if that is a module."""
    return (*_imports(module, path),)


def _imports(module: str, path: Path) -> Iterator[str]:
    known = modules(*EVERYTHING)
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module} imports relatively; write the full name"
            assert node.module is not None
            for alias in node.names:
                full = f"{node.module}.{alias.name}"
                yield full if full in known else node.module


def within(module: str, names: Container[str]) -> str | None:
    """The longest of the names that is the module or one of its packages."""
    parts = module.split(".")
    candidates = (".".join(parts[:length]) for length in range(len(parts), 0, -1))
    return next((name for name in candidates if name in names), None)


def room(module: str) -> str | None:
    return within(module, MAY_IMPORT)


def test_a_module_imports_only_what_its_room_allows() -> None:
    wrong = []
    for module, path in modules(*EVERYTHING).items():
        own = room(module)
        if own is None and path.name == "__init__.py" and not imports(module, path):
            continue  # It contains what its rooms share.
        assert own is not None, f"{module} belongs to no room: add it to MAY_IMPORT and to docs/architecture.md"
        for imported in imports(module, path):
            if imported.split(".")[0] in EVERYTHING:
                allowed = room(imported) in {own, *MAY_IMPORT[own]}
            else:
                allowed = not within(module, STANDARD_LIBRARY_ONLY) or imported.split(".")[0] in sys.stdlib_module_names
            wrong += [] if allowed else [f"{module} must not import {imported}"]
    assert wrong == []


def test_every_room_exists() -> None:
    rooms = {room(module) for module in modules(*EVERYTHING)}
    assert set(MAY_IMPORT) == rooms - {None}


def test_handlers_ask_use_cases_not_stores() -> None:
    wrong = []
    for module, path in modules("service").items():
        if not module.startswith("service.api.resources."):
            continue
        wrong += [f"{module} imports {name}" for name in imports(module, path) if name.split(".")[0] == "redis"]
        wrong += [
            f"{module} line {node.lineno} reaches into a store: {ast.unparse(node)}"
            for node in ast.walk(ast.parse(path.read_text()))
            if isinstance(node, ast.Attribute) and node.attr.strip("_") in ("store", "stores")
        ]
    assert wrong == []


def layer(module: str) -> tuple[int, str]:
    """The layer of a shipped module, and its room in it."""
    levels = [(level, part) for level, parts in enumerate(LAYERS) if (part := within(module, parts))]
    assert levels, f"{module} is in no layer"
    return max(levels, key=lambda place: len(place[1]))


def test_no_import_goes_up() -> None:
    for module, path in modules("service", "workers").items():
        if path.name == "__init__.py" and room(module) is None:
            continue
        for imported in imports(module, path):
            if imported in graph():
                (level, part), (other_level, other) = layer(module), layer(imported)
                assert other == part or other_level < level, f"{module} must not import {imported}"


def test_only_entry_points_and_the_app_are_outside_of_rooms() -> None:
    assert {path.stem for path in (ROOT / "service").glob("*.py")} == AT_THE_ROOT | {"__init__"}


def test_no_folder_has_too_many_modules() -> None:
    for folder in {path.parent for path in modules().values()}:
        count = len([path for path in folder.glob("*.py") if not path.stem.startswith("__")])
        name = str(folder.relative_to(ROOT))
        assert count <= MOST_MODULES or name in LISTS, f"{name} holds {count} modules"


def test_the_store_imports_only_types_of_the_game_and_which_release_they_need() -> None:
    for module, path in modules("service").items():
        if room(module) == "service.store":
            known = [name for name in imports(module, path) if name.startswith("service.game")]
            assert all(name.endswith((".types", ".table_types", ".events.needs")) for name in known), (
                f"{module} must not import {known}"
            )


Graph = Mapping[str, AbstractSet[str]]


@cache
def graph() -> Graph:
    """Module -> the modules of the project that it imports."""
    files = modules(*EVERYTHING)
    return {module: files.keys() & set(imports(module, path)) for module, path in files.items()}


def in_circles(edges: Graph) -> set[str]:
    """The nodes on cycles."""

    def reached(start: str) -> set[str]:
        names: set[str] = set()
        ahead = set(edges[start])
        while ahead:
            node = ahead.pop()
            names.add(node)
            ahead |= edges[node] - names
        return names

    return {node for node in edges if node in reached(node)}


def folded(name: Callable[[str], str]) -> Graph:
    """The graph of the groups of modules, without edges from a node to itself."""
    edges: dict[str, set[str]] = {}
    for module, others in graph().items():
        edges.setdefault(name(module), set()).update({name(other) for other in others} - {name(module)})
    return edges


def test_modules_do_not_import_each_other_in_circles() -> None:
    assert not in_circles(graph())


def test_rooms_do_not_import_each_other_in_circles() -> None:
    assert not in_circles(MAY_IMPORT)


@pytest.mark.parametrize("depth", [2, 3])
def test_folders_do_not_import_each_other_in_circles(depth: int) -> None:
    assert not in_circles(folded(lambda module: ".".join(module.split(".")[:depth])))


def test_a_circle_is_found() -> None:
    assert in_circles({"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": {"a"}}) == {"b", "c"}


def test_redis_clients_are_created_in_one_module_and_requested_only_by_entry_points() -> None:
    for module, path in modules().items():
        for node in ast.walk(ast.parse(path.read_text())):
            if not isinstance(node, ast.Call):
                continue
            name = ast.unparse(node.func)
            if name.split(".")[-1] == "from_url" or name in ("Redis", "redis.Redis", "StrictRedis"):
                assert module in MAKES_CLIENTS, f"{module} line {node.lineno} makes a client: {name}"
            if name.split(".")[-1] in client_makers():
                assert module in OPENS_CONNECTIONS | MAKES_CLIENTS, f"{module} line {node.lineno} opens a connection"


#: What tests take from Flask and Werkzeug: a client and a request. They patch neither, so that they run what users do.
OF_FLASK = {"flask.testing.FlaskClient", "flask.Request"}


def test_tests_use_flask_only_as_clients() -> None:
    imported = {
        f"{node.module}.{alias.name}"
        for path in modules("tests", "tools", "harness").values()
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.ImportFrom) and str(node.module).partition(".")[0] in ("flask", "werkzeug")
        for alias in node.names
    }
    assert imported == OF_FLASK


def test_addresses_of_clients_are_read_in_one_function() -> None:
    """All others take the key of the client: an address has many ways to be written, and a client many addresses."""
    reads = re.compile(r"remote_addr|access_route|forwarded.for|real.ip\b|proxy_fix\.orig", re.IGNORECASE)
    readers = {
        f"{module}.{getattr(node, 'name', ast.unparse(node)[:40])}"
        for module, path in modules("service", "workers").items()
        for node in ast.parse(path.read_text()).body
        if reads.search(code_of(node))
    }
    # The settings only describe the header.
    assert readers == {
        "service.api.http.rate_limits._addresses",
        "service.api.http.rate_limits.clients_between",
        "service.api.http.rate_limits.is_from_here",
        "service.common.settings.Settings",
    }


def code_of(node: ast.stmt) -> str:
    """The code of a statement without its docstrings and comments."""
    for inner in ast.walk(node):
        body = getattr(inner, "body", None)
        if isinstance(body, list) and body and isinstance(body[0], ast.Expr):
            body[0].value = ast.Constant(None)
    return ast.unparse(node)


@cache
def client_makers() -> set[str]:
    """Names of the public functions of the modules that make clients."""
    trees = [ast.parse(modules()[name].read_text()) for name in MAKES_CLIENTS]
    return {
        node.name
        for tree in trees
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_") and "Redis" in ast.unparse(node)
    }


IMPORT_ALL = """
import importlib, sys

def refuse(event, arguments):
    if event in ("socket.connect", "socket.bind", "subprocess.Popen", "os.fork"):
        raise RuntimeError(f"{event} at import: {arguments}")

sys.addaudithook(refuse)
for name in sys.argv[1:]:
    importlib.import_module(name)
"""


def test_nothing_connects_listens_or_starts_a_process_at_import() -> None:
    # `wsgi` is an entry point: importing it builds the application.
    names = [name for name in modules() if not name.endswith("__main__") and name != "service.wsgi"]
    done = subprocess.run(
        [sys.executable, "-c", IMPORT_ALL, *sorted(names)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
