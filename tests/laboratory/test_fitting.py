"""Fitting recovers the weights with which decisions were made."""

import random
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from math import exp
from types import ModuleType

import pytest

from harness.make_run import ROOT

TRUE = {"high": 0.8, "low": -0.5, "points": 0.3, "nothing": 0.0}


@pytest.fixture
def fitting() -> ModuleType:
    """The module under test. SciPy takes half a second to import, so only test processes that need it do so."""
    return import_module("harness.fitting")


def decisions(option: Callable, value: Callable[[float], float], chance: random.Random) -> list[list]:
    """Return decisions between three options with two features each; values of a decision have a common part."""
    choices = []
    for _ in range(4000):
        common = chance.gauss(0, 1)
        options = []
        for _ in range(3):
            features = dict.fromkeys(chance.sample(sorted(TRUE), 2), 1.0)
            options.append(option(features, value(common + sum(TRUE[name] for name in features))))
        choices.append(options)
    return choices


def test_values_are_explained_by_differences_between_options_of_a_decision(fitting) -> None:
    chance = random.Random(1)
    weights = fitting.fitted(decisions(fitting.Option, lambda worth: worth + chance.gauss(0, 0.2), chance), 1.0)
    # Each option has two features, so a constant added to all weights makes no difference.
    assert weights == pytest.approx({name: weight - 0.15 for name, weight in TRUE.items()}, abs=0.02)
    assert max(map(abs, fitting.fitted(decisions(fitting.Option, lambda worth: worth, chance), 1e9).values())) < 1e-3


def test_picks_have_the_probabilities_of_the_weights(fitting) -> None:
    chance = random.Random(2)
    choices = []
    for options in decisions(fitting.Option, lambda worth: worth, chance):
        likely = [exp(option.value) for option in options]
        (picked,) = chance.choices(range(3), likely)
        choices.append(
            [fitting.Option(option.features, float(number == picked)) for number, option in enumerate(options)]
        )
    weights = fitting.imitated(choices, 1.0)
    assert weights == pytest.approx({name: weight - 0.15 for name, weight in TRUE.items()}, abs=0.1)
    assert max(map(abs, fitting.imitated(choices, 1e9).values())) < 1e-3


@pytest.mark.parametrize("what", ["rules", "burying"])
def test_weights_of_normal_are_fitted_in_games_of_fixed_teams_alone(what: str) -> None:
    command = [sys.executable, "-m", "laboratory.fit", what, "--ruleset", "zhaopengyou", "--minutes", "0"]
    refused = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert refused.returncode == 2
    assert f"weights of {what} are fitted in games of fixed teams" in refused.stderr
