"""What was asked for last, each thing in its latest version: made once for all who ask."""

from collections.abc import Callable
from typing import Final, Generic, TypeVar

Made = TypeVar("Made")


class Latest(Generic[Made]):
    """See the module.

    Args:
        most: number of things that are remembered.
    """

    def __init__(self, most: int) -> None:
        self._most: Final = most
        #: Name -> version and thing, the one asked for last at the end.
        self._known: dict[str, tuple[int, Made]] = {}

    def of(self, name: str, version: int, make: Callable[[], Made]) -> Made:
        """Return the thing of a name in a version; `make` makes it."""
        known = self._known.pop(name, None)
        if known is None or known[0] != version:
            known = version, make()
        self._known[name] = known
        for oldest in [*self._known][: -self._most]:
            self._known.pop(oldest, None)
        return known[1]
