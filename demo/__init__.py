"""A small terminal client: an example of how little code a client needs. It uses nothing but the package for Python."""

import sys
from pathlib import Path

# The package lies beside it and is not installed: `make run` and `make demo` need nothing but what the service needs.
sys.path.append(str(Path(__file__).parents[1] / "clients" / "python"))
