"""Adapter of the rules of this service for the conformance kit: `python own_rules.py [KIND]`, from the repository.

KIND is answered wrongly, to see that the kit tells.
"""

import json
import sys
from functools import cmp_to_key

from service.common.errors import IllegalDeclaration
from service.rules.cards import KIND, POINTS, counts_of, kinds_of
from service.rules.composition import composition
from service.rules.options.rulesets import effective_options
from service.rules.oracle import questions
from service.rules.rounds import arms_length
from service.rules.rounds.chao_di import chao_suit
from service.rules.rounds.declarations import suits_ascending
from service.rules.rounds.levels import advance, game_points
from service.rules.rounds.redeals import cut, flip_kitty
from service.rules.rounds.scoring import attackers_total, score
from service.rules.tricks.claims import cost_of_false_claim
from tests.rules import test_vectors_rounds, test_vectors_tricks
from tests.rules.vectors import options_said

#: Kinds whose answer of the oracle has all outputs of a vector, not only its `expect`.
WHOLE = ("adjacent", "chao_di", "declare", "order")


def options_of(case):
    return effective_options(case["ruleset"], case["players"], case["options"])


def asked(case, kind, **more):
    body = {name: value for name, value in case.items() if name not in ("case", "kind", "ruleset", "plays")}
    return questions.answer(case["ruleset"], kind, body | more)


def follow(case):
    return {"legal": [play for play in case["plays"] if asked(case, "follow", play=play)["legal"]]}


def arms_follow(case):
    legal = arms_length.legal(case["trump"], kinds_of(case["trick"]), counts_of(kinds_of(case["hand"])))
    return {"legal": [play for play in case["plays"] if KIND[play[0]] in legal]}


def trick(case):
    return {"expect": asked(case, "trick", plays=case["plays"])}


def claim(case):
    hands = [counts_of(kinds_of(hand)) for hand in (case["hand"], *case["hands"])]
    ok = test_vectors_tricks.rules_of(case).certain_leads(hands[0], hands[1:]) is not None
    points, levels = (0, 0) if ok else cost_of_false_claim(options_of(case))
    return {"expect": {"ok": ok} if ok else {"ok": False, "penalty": points, "levels": levels}}


def flipped(case):
    suit, turned = flip_kitty(options_of(case), case["rank"], kinds_of(case["kitty"]))
    return {"expect": {"suit": suit, "turned": len(turned)}}


def chao_order(case):
    options = options_of(case)

    def beats(held, shown):
        try:
            chao_suit(options, case["level"], kinds_of(held), kinds_of(shown))
        except IllegalDeclaration:
            return False
        return True

    single = [case["level"] + suits_ascending(options)[-1]]
    descending = sorted(case["pairs"], key=cmp_to_key(lambda one, other: 1 if beats(one, other) else -1))
    return {"descending": descending, "over_single": all(beats(single, pair) for pair in descending)}


def round_(case):
    options = options_of(case)
    cards = composition(case["ruleset"], case["players"], options)
    gain = score(case["ruleset"], options, cards, case["points"], len(case["declarers"]))
    levels = []
    for seat, level in enumerate(case["levels"]):
        role = "declarers" if seat in case["declarers"] else "attackers"
        levels.append(advance(options, level, gain.levels if gain.side == role else 0, role).level)
    return {"expect": {"side": gain.side, "gained": gain.levels, "levels": levels}}


def active_passive(case):
    standing, after = [(each["level"], each["active"]) for each in case["start"]], []
    for played in case["rounds"]:
        if "no_declaration" in played:
            standing = [(level, True) for level, _ in standing]
        else:
            for seat, (level, was_active) in enumerate(standing):
                active, gained = game_points(was_active, seat in played["winners"], played["game_points"])
                standing[seat] = advance(options_of(case), level, gained, "attackers").level, active
        after.append([{"level": level, "active": active} for level, active in standing])
    return {"expect": after}


def hook(case):
    level = test_vectors_rounds.sent_back(case, case["trump"]["rank"])
    return {"expect": {"sent_back": level is not None, "level": level}}


def total(case):
    penalties = [(penalty["by"], penalty["points"]) for penalty in case["penalties"]]
    return {"expect": {"points": attackers_total(case["tricks"], case["kitty_bonus"], penalties)}}


def arms_game(case):
    scores = [[arms_length.score(**side) for side in played["sides"]] for played in case["rounds"]]
    totals = [sum(side) for side in zip(*scores, strict=True)]
    return {"expect": {"scores": scores, "totals": totals, "winner": totals.index(max(totals))}}


OWN = {
    "follow": follow, "arms_follow": arms_follow, "trick": trick, "claim": claim, "flip_kitty": flipped, "hook": hook,
    "chao_order": chao_order, "round": round_, "active_passive": active_passive, "total": total, "arms_game": arms_game,
    "card_points": lambda case: {"expect": {"points": POINTS[KIND[case["card"]]]}},
    "cut": lambda case: {"expect": {"first": cut(case["shuffler"], case["rank"], case["players"])}},
    "arms_trick": lambda case: {"expect": asked(case, "arms_trick", plays=case["plays"])},
}  # fmt: skip
BY_ORACLE = set(questions.KINDS) - {"game", "options", "plays"} - set(OWN)


def answer(case):
    case = {**case, "options": options_said(case["options"])}
    kind = case["kind"]
    if kind in OWN:
        return OWN[kind](case)
    told = asked(case, kind)
    return told if kind in WHOLE else {"expect": told}


def main():
    print(json.dumps({"client": "shengji-service", "can": sorted({*OWN, *BY_ORACLE})}), flush=True)
    for line in sys.stdin:
        case = json.loads(line)
        told = {} if case["kind"] in sys.argv[1:] else answer(case)
        print(json.dumps(told), flush=True)


if __name__ == "__main__":
    main()
