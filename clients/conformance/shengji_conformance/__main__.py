"""`python -m shengji_conformance clients -- COMMAND` or `rules -- COMMAND`; README.md says what the command does."""

import argparse
import json
import sys
from collections.abc import Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from shengji_conformance import clients, rules
from shengji_conformance.adapter import AdapterFailed
from shengji_conformance.cases import Json, chosen


def main(arguments: Sequence[str]) -> int:
    """Run cases; return the exit status: 0 if all pass, 1 if one fails, 2 if the command cannot be run."""
    parser = argparse.ArgumentParser(prog="python -m shengji_conformance", description=__doc__)
    parsers = parser.add_subparsers(required=True)
    listed = parsers.add_parser("list", help="list the cases and what each shows")
    listed.set_defaults(does=_list)
    of_clients = parsers.add_parser("clients", help="try a client")
    of_clients.set_defaults(does=_clients)
    of_clients.add_argument("--jobs", type=int, default=4, help="adapters at a time (4)")
    of_clients.add_argument("--quick", action="store_true", help="leave out the cases that take long")
    of_clients.add_argument("--json", action="store_true", help="a line of JSON for each case, instead of text")
    of_rules = parsers.add_parser("rules", help="try a server of the rules")
    of_rules.set_defaults(does=_rules)
    of_rules.add_argument("--vectors", type=Path, default=rules.VECTORS, help="folder of the vectors")
    of_rules.add_argument("command", nargs="+", help="after --: the adapter and its arguments")
    for each in (listed, of_clients, of_rules):
        each.add_argument("--only", action="append", default=[], metavar="PATTERN", help="cases, or kind/id of vectors")
    of_clients.add_argument("command", nargs="+", help="after --: the adapter and its arguments")
    chosen_arguments = parser.parse_args(arguments)
    try:
        return int(chosen_arguments.does(chosen_arguments))
    except (AdapterFailed, OSError) as failure:
        print(failure, file=sys.stderr)
        return 2


def _list(given: argparse.Namespace) -> int:
    for case in chosen(given.only):
        print(f"{case['id']}: {case['shows']}")
    return 0


def _clients(given: argparse.Namespace) -> int:
    def tell(verdict: clients.Verdict) -> None:
        if given.json:
            row = {"case": verdict.case["id"], "status": verdict.status, "reasons": list(verdict.reasons)}
            print(json.dumps(row, ensure_ascii=False), flush=True)
        elif verdict.status == clients.FAILED:
            reasons = "".join(f"\n    {reason}" for reason in verdict.reasons)
            print(f"FAILED {verdict.case['id']}: {verdict.case['shows']}{reasons}", flush=True)

    outcome = clients.run(given.command, chosen(given.only, slow=not given.quick), given.jobs, tell)
    if not given.json:
        print("\n".join([*outcome.table(), outcome.badge()]))
    return 1 if outcome.count(clients.FAILED) else 0


def _rules(given: argparse.Namespace) -> int:
    def is_chosen(vector: Json) -> bool:
        name = f"{vector['kind']}/{vector['id']}"
        return not given.only or any(fnmatchcase(name, pattern) for pattern in given.only)

    def tell(name: str, wrong: Sequence[str]) -> None:
        if wrong:
            print(f"FAILED {name}" + "".join(f"\n    {reason}" for reason in wrong), flush=True)

    outcome = rules.run(given.command, given.vectors, is_chosen, tell)
    print("\n".join([*outcome.table(), outcome.badge()]))
    return 1 if outcome.failed else 0


def run() -> None:
    """Run cases as the command `shengji-conformance`."""
    sys.exit(main(sys.argv[1:]))


if __name__ == "__main__":
    run()
