"""A small terminal client, as an example of how little code a client needs. It uses only the package for Python."""

import sys
from pathlib import Path

# The package is not installed, so that `make run` and `make demo` need only the dependencies of the service.
sys.path.append(str(Path(__file__).parents[1] / "clients" / "python"))
