"""Tests. They run the sources of AI players even where these are compiled, unless `COMPILED=1` is set."""

import os

os.environ.setdefault("COMPILED", "0")
