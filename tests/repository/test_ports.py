"""Protocols stand where two things stand behind them; what one class promises is said by that class."""

import ast
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]

#: Protocols with one implementation in this repository, and why they are no class.
ALONE = {
    "Client": "the client library types replies as those of any client",
    "Host": "Authlib registers grants at a server, and the server imports its grants",
    "Receiver": "calls back from the threads that read channels",
    "Pipeline": "like `Client`",
    "SchemaConverter": "apispec has no types",
}


@cache
def classes() -> dict[str, tuple[bool, frozenset[str]]]:
    """Name -> whether it is a protocol, and the public names of its methods, those of its bases in the module too."""
    ports: dict[str, tuple[bool, frozenset[str]]] = {}
    for top in ("service", "workers", "harness"):
        for path in (ROOT / top).rglob("*.py"):
            here: dict[str, frozenset[str]] = {}
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.ClassDef):
                    bases = [ast.unparse(base) for base in node.bases]
                    functions = [item for item in node.body if isinstance(item, ast.FunctionDef)]
                    # Properties may be attributes elsewhere.
                    methods = {
                        each.name for each in functions if "property" not in map(ast.unparse, each.decorator_list)
                    }
                    inherited = (here.get(base, frozenset()) for base in bases)
                    here[node.name] = frozenset(methods).union(*inherited) - {"__init__"}
                    ports[f"{path.relative_to(ROOT)}:{node.name}"] = "Protocol" in bases, here[node.name]
    return ports


def test_two_things_stand_behind_each_port() -> None:
    alone = set()
    for name, (is_protocol, methods) in classes().items():
        if is_protocol:
            behind = [other for other, (is_another, its) in classes().items() if not is_another and methods <= its]
            if len(behind) < 2:
                alone.add(name.split(":")[1])
    assert alone == set(ALONE), "let what uses it name the class, or say here why not"
