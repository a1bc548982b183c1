"""Generated from openapi.yaml by `make openapi`; do not edit it."""

from typing import Final

#: Version of the service for which the kit was made.
MADE_FOR: Final = "0.3.0"
