"""openapi.yaml, read as fast as it can be."""

from functools import cache
from pathlib import Path
from typing import Any

import yaml

DOCUMENT = Path(__file__).parents[1] / "openapi.yaml"

#: libyaml is ten times as fast, where it is built in.
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def parsed(text: str | bytes) -> Any:
    """What YAML text says; a value of its own each time."""
    return yaml.load(text, _LOADER)  # noqa: S506 - both loaders are safe


@cache
def document() -> Any:
    """The document, read once and shared: not to be changed."""
    return parsed(DOCUMENT.read_text(encoding="utf-8"))
