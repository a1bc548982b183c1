"""Ridge regression on decisions: which features make one option better than the others of the same decision."""

from collections.abc import Hashable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_matrix, diags, eye
from scipy.sparse.linalg import lsmr


class Option(NamedTuple):
    """One option of a decision: its features with a number each, and what came of it, in levels."""

    features: Mapping[Hashable, float]
    value: float


def fitted(
    decisions: Sequence[Sequence[Option]], penalties: Mapping[Hashable, float], penalty: float
) -> dict[Hashable, float]:
    """Return feature -> weight such that the weights predict how options differ from the mean of their decision.

    Args:
        decisions: the options of each.
        penalties: on the square of a feature's weight, in options.
        penalty: on the square of each other weight.
    """
    names: dict[Hashable, int] = {}
    columns, numbers, ends, decision, values = [], [], [0], [], []
    for at, options in enumerate(decisions):
        for option in options:
            columns += [names.setdefault(name, len(names)) for name in option.features]
            numbers += option.features.values()
            ends.append(len(columns))
            decision.append(at)
            values.append(option.value)
    features = csr_matrix((numbers, columns, ends), shape=(len(values), len(names)))
    members = csr_matrix((np.ones(len(decision)), (decision, range(len(decision)))))
    from_mean = eye(len(values)) - members.T @ diags(1.0 / members.sum(axis=1).A1) @ members
    weight = np.array([penalties.get(name, penalty) for name in names]) ** -0.5
    found = lsmr(from_mean @ features @ diags(weight), from_mean @ np.array(values), damp=1.0, maxiter=1000)[0] * weight
    return dict(zip(names, found.tolist(), strict=True))
