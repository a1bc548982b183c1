"""How well hidden cards are read: what the measure says of examples made by hand, and of a round."""

import re
import subprocess
import sys
from math import log2

import pytest

from harness.calibration import auc, error, guessed, reliability, surprise
from harness.make_run import ROOT

#: Two cards that may lie with seat 1 or seat 2.
TRUTH = {1: [7], 2: [8]}
OTHER = {1: [8], 2: [7]}


def both(_: int) -> set[int]:
    return {1, 2}


def test_a_deal_that_is_known_exactly_is_no_surprise() -> None:
    known = guessed({1: [7, 7], 2: [8]}, [{1: [7, 7], 2: [8]}], lambda card: {1} if card == 7 else {2})
    assert known.bits == [0.0, 0.0, 0.0]
    assert error(known.pairs) == 0.0


def test_a_card_in_either_of_two_hands_is_a_surprise_of_one_bit() -> None:
    tossed = guessed(TRUTH, [TRUTH, OTHER], both)
    assert tossed.bits == [1.0, 1.0]
    # Of four equal hands it is two.
    hands = [{seat: [7] if seat == at else [] for seat in range(4)} for at in range(4)]
    assert guessed(hands[0], hands, lambda _: {0, 1, 2, 3}).bits == [2.0]


def test_better_deals_surprise_less_and_wrong_ones_more_than_guessing() -> None:
    right, wrong = (sum(guessed(TRUTH, [deal] * 20, both).bits) / 2 for deal in (TRUTH, OTHER))
    assert right < 0.1
    assert wrong > 1.0
    mostly = sum(guessed(TRUTH, [TRUTH] * 15 + [OTHER] * 5, both).bits) / 2
    assert right < mostly < 1.0
    # Found in 15 of 20 deals, with half a time for each hand.
    assert mostly == pytest.approx(-log2(15.5 / 21))


def test_copies_of_a_card_are_places_of_their_own() -> None:
    # One copy lies in each hand, in the truth and in all deals: half of the copies are in either.
    split = guessed({1: [7], 2: [7]}, [{1: [7], 2: [7]}] * 9, both)
    assert split.bits == [1.0, 1.0]
    assert sorted(split.pairs) == [(0.5, False), (0.5, False), (0.5, True), (0.5, True)]
    assert error(split.pairs) == 0.0


def test_a_card_where_nobody_looked_for_it_is_a_surprise_that_can_be_counted() -> None:
    # It lies where it could not be, by what the seat has seen: a third place, which no deal has.
    (found,) = guessed({3: [7]}, [{1: [7]}, {2: [7]}], both).bits
    assert found == pytest.approx(-log2(0.5 / 3.5))


def test_probabilities_are_off_by_as_much_as_they_are_wrong() -> None:
    honest = [(0.25, True), *[(0.25, False)] * 3]
    assert error(honest) == 0.0
    assert error([(0.95, came) for _, came in honest]) == pytest.approx(0.7)
    tenths = reliability([*honest, (1.0, True)])
    assert [place for place, tenth in enumerate(tenths) if tenth] == [2, 9]
    assert tenths[2] is not None
    assert (tenths[2].pairs, tenths[2].said, tenths[2].true) == (4, 0.25, 0.25)
    assert surprise([(1.0, True)]) == 0.0
    assert surprise([(0.5, True), (0.5, False)]) == 1.0
    assert surprise([(0.75, False)]) == 2.0


def test_the_area_under_the_curve_is_how_often_a_true_case_comes_before_another() -> None:
    assert auc([(0.9, True), (0.1, False)]) == 1.0
    assert auc([(0.1, True), (0.9, False)]) == 0.0
    assert auc([(0.5, True), (0.5, False)]) == 0.5
    assert auc([(0.2, False), (0.4, True), (0.6, False), (0.8, True)]) == 0.75
    assert auc([(0.9, True)]) is None


def test_the_program_reads_rounds_and_possible_deals_are_the_worst() -> None:
    command = [sys.executable, "-m", "laboratory.reading", "--ruleset", "zhaopengyou", "--players", "6"]
    command += ["--deals", "3", "--looks", "20", "--kinds", "possible", "likely", "--tenths"]
    printed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout == printed, "no seed"
    every = re.search(r"^all +(\d+) +([\d.]+) +[\d.]+ +([\d.]+) +[\d.]+$", printed, re.MULTILINE)
    assert every, printed
    # Five other hands and the kitty.
    assert 0.5 < float(every[3]) < float(every[2]) < log2(6)
    assert len(re.findall(r"^third [123] +\d+ +[\d.]", printed, re.MULTILINE)) == 3
    assert re.search(r"^AUC: holds a called card +possible +likely ", printed, re.MULTILINE)
