"""How a simulated seat follows a single card."""

from bisect import bisect_right
from typing import NamedTuple

from service.rules.trumps import TRUMPS
from workers.ai.search import tables
from workers.ai.search.leading import Leading
from workers.ai.search.picks import cheapest, most_points
from workers.ai.search.slots import SlotHand
from workers.ai.search.tables import BEATEN, CARD_POINTS, LENGTH, PHASE, TRUMP_LENGTH, stake
from workers.ai.search.trick import Trick
from workers.ai.search.world import World

#: What a follow is worth, its slot, and whether it wins so far.
Option = tuple[float, int, bool]

_AT = tables.first_of()
_SUIT_STAKE, _SUIT_POINTS, _SUIT_BEATEN = _AT["suit stake"], _AT["suit points"], _AT["suit beaten"]
_SUIT_PHASE, _SUIT_RISK, _SUIT_MATES = _AT["suit phase"], _AT["suit risk"], _AT["suit mates"]
_VOID_STAKE, _VOID_POINTS, _VOID_TRUMP = _AT["void stake"], _AT["void points"], _AT["void trump beaten"]
_VOID_GIVEN, _VOID_PHASE, _VOID_RISK = _AT["void given"], _AT["void phase"], _AT["void risk"]
#: What a card does. In suit: loses, loses points, wins and nothing in the suit is higher, wins for now, wins as the
#: last card of the trick. Out of suit: is given, points are given, ruffs, overruffs.
LOSE, LOSE_POINTS, WIN_HIGHEST, WIN_SO_FAR, WIN_LAST = range(5)
GIVE, GIVE_POINTS, RUFF, OVERRUFF = range(4)
#: Whose trick it is so far: the other side's, or this side's by a card that may be beaten, by the highest of its suit,
#: or for sure.
THEIRS, OURS, OURS_HIGHEST, OURS_SURE = range(4)


class Scene(NamedTuple):
    """What all follows of a decision share.

    Attributes:
        trumps: trumps were led.
        whose: who wins so far.
        to_come: column of the seats still to play.
        stake: column of the points of the trick.
        phase: column of the phase of the round.
        risk: what foes still to play may do: nothing, follow, be void perhaps, ruff.
        help: what mates still to play may do: nothing, follow, ruff.
    """

    trumps: bool
    whose: int
    to_come: int
    stake: int
    phase: int
    risk: int
    help: int


class Singles(Leading):
    """Follows single cards in the worlds of one game."""

    def _single(self, world: World, trick: Trick, seat: int) -> tuple[int, bool]:
        """Return the card with which a seat follows a single card, and whether it wins so far."""
        group = trick.lead.group
        suit = world.hands[seat][group]
        if len(suit) == 1:
            return suit[0], self._beats(trick, suit[0])
        if not suit:
            world.voids[seat] |= 1 << group
        best, most = (-1, False), -1000.0
        for worth, card, wins in self.singles(world, trick, seat):
            if worth > most:
                best, most = (card, wins), worth
        return best

    def singles(self, world: World, trick: Trick, seat: int) -> list[Option]:
        """Return the cards with which a seat may follow a single card, with their worth."""
        hand = world.hands[seat]
        scene = self._scene_of(world, trick, seat)
        if hand[trick.lead.group]:
            return self._of_suit(hand[trick.lead.group], world.left[trick.lead.group], trick, scene)
        return self._void(world, hand, trick, scene)

    def _beats(self, trick: Trick, slot: int) -> bool:
        """Return whether cards of one kind, as many as were led, win so far."""
        best = trick.best[0]
        group, standing = self.group[slot], self.group[best]
        return self.level[slot] > self.level[best] if group == standing else group == TRUMPS

    def _to_come(self, to_come: int) -> int:
        """Return the column of the number of seats still to play, this one included."""
        if to_come > 4:
            return 3
        return (to_come + 1) // 2 if self.game.players > 4 and to_come > 1 else to_come - 1

    def _scene_of(self, world: World, trick: Trick, seat: int) -> Scene:
        lead, best = trick.lead.group, trick.best[0]
        trumped, out = self.group[best] != lead, world.left[lead]
        if world.declarers[seat] != world.shown[trick.best_seat]:
            whose = THEIRS
        elif trick.to_come == 1 or trumped:
            whose = OURS_SURE
        else:
            whose = OURS_HIGHEST if not out or self.level[best] >= self.level[out[-1]] else OURS
        risk, helped = self._later(world, trick, seat)
        phase = PHASE[sum(map(len, world.hands[seat]))]
        return Scene(lead == TRUMPS, whose, self._to_come(trick.to_come), stake(trick.points), phase, risk, helped)

    def _later(self, world: World, trick: Trick, seat: int) -> tuple[int, int]:
        """Return what foes and what mates who play later may do, as columns."""
        players, mine, shown, voids = self.game.players, world.declarers[seat], world.shown, world.voids
        lead = trick.lead.group
        few = len(world.left[lead]) < 2 * (players - 1)
        risk = helped = 0
        for _ in range(trick.to_come - 1):
            seat += 1
            if seat == players:
                seat = 0
            void = voids[seat] >> lead & 1
            ruffs = void and lead != TRUMPS and not voids[seat] >> TRUMPS & 1
            if shown[seat] == mine:
                helped = max(helped, 2 if ruffs else 0 if void else 1)
            else:
                risk = max(risk, 3 if ruffs else 0 if void else 2 if few else 1)
        return risk, helped

    def _of_suit(self, suit: list[int], out: list[int], trick: Trick, scene: Scene) -> list[Option]:
        level, points_of = self.level, self.points
        trumps, whose, to_come, at_stake, phase, risk, helped = scene
        beaten = 99 if self.group[trick.best[0]] != trick.lead.group else level[trick.best[0]]
        highest = level[out[-1]]
        cards = [cheapest(suit, points_of), most_points(suit, points_of)]
        if level[suit[-1]] > beaten:
            cards += [suit[-1], next(card for card in suit if level[card] > beaten)]
        weights, length, place = self.weights, LENGTH[len(suit)], trumps * 4 + whose
        found: list[Option] = []
        for card in dict.fromkeys(cards):
            points = CARD_POINTS[points_of[card]]
            wins = level[card] > beaten
            if wins:
                act = WIN_LAST if trick.to_come == 1 else WIN_HIGHEST if level[card] >= highest else WIN_SO_FAR
            else:
                act = LOSE_POINTS if points else LOSE
            beaten_by = BEATEN[len(out) - bisect_right(out, card)]
            worth = (
                weights[_SUIT_STAKE + ((place * 4 + to_come) * 5 + act) * 4 + at_stake]
                + weights[_SUIT_POINTS + ((place * 3 + points) * 5 + act) * 4 + to_come]
                + weights[_SUIT_BEATEN + ((trumps * 6 + beaten_by) * 4 + length) * 2 + wins]
                + weights[_SUIT_PHASE + (trumps * 6 + phase) * 5 + act]
                + weights[_SUIT_RISK + ((act * 4 + risk) * 4 + whose) * 3 + points]
                + weights[_SUIT_MATES + ((act * 3 + helped) * 4 + at_stake) * 2 + trumps]
            )
            found.append((worth, card, wins))
        return found

    def _void(self, world: World, hand: SlotHand, trick: Trick, scene: Scene) -> list[Option]:
        level, points_of = self.level, self.points
        trumps, trumped = hand[TRUMPS], self.group[trick.best[0]] != trick.lead.group
        found: list[Option] = []
        # A trick that foes have ruffed is harder to win; one of a mate may still be ruffed.
        whose = scene.whose
        if whose == THEIRS:
            scene = scene._replace(whose=int(trumped))
        elif whose != OURS_SURE:
            scene = scene._replace(whose=2)

        def add(card: int, act: int, *, wins: bool = False) -> None:
            found.append((self._worth_when_void(world, hand, card, act, scene), card, wins))

        if not scene.trumps and trumps:
            over = level[trick.best[0]] if trumped else -1
            higher = [card for card in trumps if level[card] > over]
            if higher:
                cards = (cheapest(higher, points_of), most_points(higher, points_of), higher[-1])
                for card in dict.fromkeys(cards):
                    add(card, OVERRUFF if trumped else RUFF, wins=True)
        for suit in hand[:TRUMPS]:
            if suit:
                for card in dict.fromkeys((cheapest(suit, points_of), most_points(suit, points_of))):
                    add(card, GIVE_POINTS if points_of[card] else GIVE)
        if trumps and not scene.trumps and not any(hand[:TRUMPS]):
            card = cheapest(trumps, points_of)
            if all(card != other for _, other, _ in found):
                wins = self._beats(trick, card)
                add(card, RUFF if wins else GIVE, wins=wins)
        return found

    def _worth_when_void(self, world: World, hand: SlotHand, card: int, act: int, scene: Scene) -> float:
        trumps, whose, to_come, at_stake, phase, risk, _ = scene
        points = CARD_POINTS[self.points[card]]
        group = self.group[card]
        out = world.left[group]
        beaten = BEATEN[len(out) - bisect_right(out, card)]
        if group == TRUMPS:
            price = _VOID_TRUMP + beaten * 6 + TRUMP_LENGTH[len(hand[TRUMPS])]
        else:
            price = _VOID_GIVEN + (beaten * 4 + min(3, len(hand[group]) - 1)) * 2 + bool(hand[TRUMPS])
        place = trumps * 4 + whose
        weights = self.weights
        return (
            weights[_VOID_STAKE + ((place * 4 + to_come) * 4 + act) * 4 + at_stake]
            + weights[_VOID_POINTS + ((place * 3 + points) * 4 + act) * 4 + to_come]
            + weights[price]
            + weights[_VOID_PHASE + act * 6 + phase]
            + weights[_VOID_RISK + ((act * 4 + risk) * 4 + whose) * 6 + (beaten if act >= RUFF else points)]
        )
