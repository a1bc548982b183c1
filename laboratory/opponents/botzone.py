"""Runs a bot of Botzone, which is written for one request a process, for many requests in one process.

    python botzone.py FOLDER

Each line on stdin is what the platform would send: `requests` and `responses` so far. Each line on stdout is
`{"result": ...}`, the bot's response, or `{"error": "..."}`. The bot's own modules are loaded anew for each request,
since it may change their globals; those of libraries stay. It needs this file alone, so that it runs with the Python
that has the bot's libraries.
"""

import contextlib
import io
import json
import os
import runpy
import sys
from pathlib import Path


def response_to(folder: Path, request: str) -> object:
    """Return what the bot responds to a request."""
    own = [name for name, module in sys.modules.items() if str(folder) in (getattr(module, "__file__", None) or "")]
    for name in own:
        if name != "__main__":
            del sys.modules[name]
    printed, stdin = io.StringIO(), sys.stdin
    sys.stdin = io.StringIO(request)
    try:
        with contextlib.redirect_stdout(printed):
            runpy.run_path(str(folder / "__main__.py"), run_name="__main__")
    finally:
        sys.stdin = stdin
    return json.loads(printed.getvalue())["response"]


def main() -> None:
    """Answer requests until stdin ends."""
    folder = Path(sys.argv[1]).resolve()
    sys.path.insert(0, str(folder))
    # By this the bot knows that it is not on its author's machine.
    os.environ["USER"] = "root"
    for request in sys.stdin:
        try:
            answer = {"result": response_to(folder, request)}
        except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever a bot raises is its missing answer
            answer = {"error": repr(error)}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
