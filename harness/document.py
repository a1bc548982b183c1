"""openapi.yaml, parsed fast."""

from functools import cache
from pathlib import Path
from typing import Any

import yaml

DOCUMENT = Path(__file__).parents[1] / "openapi.yaml"

#: libyaml, if available, is ten times as fast.
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def parsed(text: str | bytes) -> Any:
    """The value of a YAML text, a new one each time."""
    return yaml.load(text, _LOADER)  # noqa: S506 - both loaders are safe


@cache
def document() -> Any:
    """The document, read once and shared; do not modify it."""
    return parsed(DOCUMENT.read_text(encoding="utf-8"))
