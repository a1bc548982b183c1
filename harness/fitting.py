"""Regressions: weights of features that predict the values of options, or which option is picked."""

from collections.abc import Hashable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize
from scipy.sparse import csr_matrix, diags, eye
from scipy.sparse.linalg import lsmr


class Option(NamedTuple):
    """An option of a decision: its features with numbers, and its value.

    The value is the outcome in levels, or 1 for the picked option and 0 for the others.
    """

    features: Mapping[Hashable, float]
    value: float


def fitted(decisions: Sequence[Sequence[Option]], penalty: float) -> dict[Hashable, float]:
    """Return feature -> weight, where the weights predict the differences of options from the mean of their decision.

    This is a ridge regression.

    Args:
        decisions: options of each decision.
        penalty: penalty on the square of each weight, in options.
    """
    names, features, values = _matrix(decisions)
    sizes = [len(options) for options in decisions]
    decision = np.repeat(range(len(sizes)), sizes)
    members = csr_matrix((np.ones(len(values)), (decision, range(len(values)))))
    from_mean = eye(len(values)) - members.T @ diags(1.0 / np.array(sizes)) @ members
    solution = lsmr(from_mean @ features, from_mean @ values, damp=penalty**0.5, maxiter=1000)[0]
    return dict(zip(names, solution.tolist(), strict=True))


def imitated(decisions: Sequence[Sequence[Option]], penalty: float) -> dict[Hashable, float]:
    """Return feature -> weight, where the weights maximise the likelihood of the picked options.

    This is a conditional logit: probabilities are proportional to the exponential of the sum of weights.

    Args:
        decisions: options of each decision, one of them picked.
        penalty: penalty on the square of each weight, in half decisions.
    """
    names, features, values = _matrix(decisions)
    sizes = np.array([len(options) for options in decisions])
    firsts = np.cumsum(sizes) - sizes
    transposed = features.T.tocsr()

    def unlikely(weights: np.ndarray) -> tuple[float, np.ndarray]:
        worth = features @ weights
        worth -= np.repeat(np.maximum.reduceat(worth, firsts), sizes)
        odds = np.exp(worth)
        sums = np.add.reduceat(odds, firsts)
        slope = transposed @ (odds / np.repeat(sums, sizes) - values) + penalty * weights
        return np.log(sums).sum() - worth @ values + penalty * (weights @ weights) / 2, slope

    minimum = minimize(unlikely, np.zeros(len(names)), jac=True, method="L-BFGS-B", options={"maxiter": 300})
    return dict(zip(names, minimum.x.tolist(), strict=True))


def _matrix(decisions: Sequence[Sequence[Option]]) -> tuple[dict[Hashable, int], csr_matrix, np.ndarray]:
    """Return feature -> column, a matrix with a row for each option, and the values."""
    names: dict[Hashable, int] = {}
    columns, numbers, ends = [], [], [0]
    options = [option for decision in decisions for option in decision]
    for option in options:
        columns += [names.setdefault(name, len(names)) for name in option.features]
        numbers += option.features.values()
        ends.append(len(columns))
    features = csr_matrix((numbers, columns, ends), shape=(len(options), len(names)))
    return names, features, np.array([option.value for option in options])
