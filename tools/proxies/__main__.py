"""Try a configuration of `deploy/proxies`: `python -m tools.proxies nginx --path --family 6`.

Starts the whole service and the proxy on a machine of their own (`machine.py`), uses the service through the proxy, and
fails if anything is not as it is without one. Without a name, tries all that there are and prints a table. Needs Linux,
root or sudo, the proxy, and Chromium.
"""

import argparse
import itertools
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

from harness.make_run import ROOT
from tools.proxies import machine, programs, walk
from tools.proxies.running import behind, running

ALONE: Final = "--on-this-machine"


def command(name: str, family: str, *, path: bool) -> list[str]:
    """Return the command that tries a proxy on a machine of its own."""
    under = ["--path"] if path else []
    own = [sys.executable, "-m", "tools.proxies", name, "--family", family, *under, ALONE]
    return machine.on_its_own(own)


def main() -> int:
    """Return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tools.proxies", description=__doc__)
    parser.add_argument("proxy", nargs="?", choices=programs.PROXIES, help="without: all of them, in each way")
    parser.add_argument("--path", action="store_true", help="below /game/ instead of at the root")
    parser.add_argument("--family", choices=machine.FAMILIES, default="both", help="of the addresses of the machine")
    parser.add_argument(ALONE, action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.on_this_machine:
        _try(programs.PROXIES[options.proxy], machine.FAMILIES[options.family], path=options.path)
        return 0
    if options.proxy:
        trial = command(options.proxy, options.family, path=options.path)
        return subprocess.run(trial, cwd=ROOT, check=False).returncode
    return _try_all()


def _try_all() -> int:
    failed = 0
    print("| proxy | below | families | |\n|---|---|---|---|")
    for name, path, family in itertools.product(programs.PROXIES, (False, True), machine.FAMILIES):
        result = "is not installed"
        if shutil.which(programs.PROXIES[name].program):
            done = subprocess.run(
                command(name, family, path=path), cwd=ROOT, capture_output=True, text=True, check=False
            )
            result = "works" if not done.returncode else done.stderr.strip().splitlines()[-1]
            failed += bool(done.returncode)
        print(f"| {name} | {'/game/' if path else '/'} | {family} | {result} |", flush=True)
    return 1 if failed else 0


def _try(proxy: programs.Proxy, family: machine.Family, *, path: bool) -> None:
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        hosts = machine.become(family, folder)
        hosts.point(family.addresses[0])
        with running(folder, family, path=path) as place:
            with behind(place, proxy):
                for address in family.addresses:
                    hosts.point(address)
                    walk.walk(place, address)
                    print(f"{proxy.program} at {place.url}, reached at {address}: all is well", flush=True)
            if proxy.collects:
                with behind(place, proxy, collects=True):
                    walk.what_collects_is_found(place)
                    print(f"{proxy.program} that collects is found", flush=True)


if __name__ == "__main__":
    sys.exit(main())
