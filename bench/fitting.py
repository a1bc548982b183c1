"""Ridge regression on decisions: which features make one option better than the others of the same decision.

In plain Python, as features are sparse: conjugate gradients on the normal equations, a pass over the samples each.
"""

from collections.abc import Hashable, Mapping, Sequence
from typing import NamedTuple, TypeVar

Feature = TypeVar("Feature", bound=Hashable)
#: Steps of conjugate gradients; the penalty makes the problem an easy one.
STEPS = 60


class Option(NamedTuple):
    """One option of a decision: its features with a number each, and what came of it, in levels."""

    features: Mapping[Hashable, float]
    value: float


def fitted(decisions: Sequence[Sequence[Option]], penalty: float) -> dict[Hashable, float]:
    """Return feature -> weight such that the weights predict how options differ from the mean of their decision.

    Args:
        decisions: the options of each.
        penalty: on the square of each weight, in samples.
    """
    samples: list[tuple[dict[Hashable, float], float]] = []
    for options in decisions:
        mean = sum(option.value for option in options) / len(options)
        centre: dict[Hashable, float] = {}
        for option in options:
            for name, number in option.features.items():
                centre[name] = centre.get(name, 0.0) + number / len(options)
        for option in options:
            row = {name: option.features.get(name, 0.0) - number for name, number in centre.items()}
            samples.append(({name: number for name, number in row.items() if number}, option.value - mean))
    return _solved(samples, penalty)


def _solved(samples: Sequence[tuple[Mapping[Hashable, float], float]], penalty: float) -> dict[Hashable, float]:
    rest: dict[Hashable, float] = {}
    for row, value in samples:
        for name, number in row.items():
            rest[name] = rest.get(name, 0.0) + number * value
    weights = dict.fromkeys(rest, 0.0)
    way, size = dict(rest), sum(number * number for number in rest.values())
    for _ in range(STEPS):
        if size < 1e-12:
            break
        image = {name: penalty * number for name, number in way.items()}
        for row, _ in samples:
            along = sum([number * way[name] for name, number in row.items()])
            for name, number in row.items():
                image[name] += along * number
        step = size / sum(number * image[name] for name, number in way.items())
        for name, number in way.items():
            weights[name] += step * number
            rest[name] -= step * image[name]
        before, size = size, sum(number * number for number in rest.values())
        way = {name: number + size / before * way[name] for name, number in rest.items()}
    return weights
