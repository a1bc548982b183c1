"""Before a deal that was sent is played, nothing is told of its cards, nor of what others have made of them."""

import pytest

from tests.api.boards.test_boards import quick  # noqa: F401 - fixture
from tests.api.boards.test_deal_links import enter, play_round, seated, send
from tests.api.boards.test_sealed_twins import assert_alike, known


@pytest.fixture
def deal(world):
    """Lin's link, and Mei who is playing its deal."""
    lin, mei = world.player("Lin"), world.player("Mei")
    game, number = play_round(world, lin, seated(world, lin))
    code = send(lin, game, number)["code"]
    return code, mei, enter(mei, code)


def values(world, deal):
    """Parameters of all operations, with the code of the link, and the ids of a line that nobody else is told."""
    code, mei, table = deal
    return {**known(world, mei, table), "code": code}


def played(deal, level):
    """Mei plays the deal to its end, like an AI player of a level."""
    _, mei, table = deal
    return lambda world: play_round(world, mei, table, level=level)


def with_other_cards(deal, other):
    """The deal has the cards and the line of another round, and all that is told of it remains."""
    code, _, _ = deal

    def happens(world):
        hidden = world.stores.deal_links.get(other)
        world.stores.deal_links.change(
            code, lambda link: {**link, **{name: hidden[name] for name in ("deal", "line", "game")}}
        )

    return happens


def test_two_deals_that_differ_in_hidden_cards_are_told_alike(world, deal):
    code, mei, _ = deal
    wei = world.player("Wei")
    game, number = play_round(world, wei, seated(world, wei), level="random")
    other = send(wei, game, number)["code"]
    one, hidden = (world.stores.deal_links.get(each) for each in (code, other))
    assert one["deal"]["server_seed"] != hidden["deal"]["server_seed"]
    assert one["line"] != hidden["line"]
    readers = {"stranger": (world.player("Tao").token, False), "playing": (mei.token, False), "nobody": (None, False)}
    answers = assert_alike(world, [with_other_cards(deal, other)], readers, values(world, deal))
    for reader in ("stranger", "nobody", "playing"):
        assert answers[reader, "get", "/v1/deal-links/{code}"][0] == 200


def test_no_answer_tells_what_others_have_made_of_a_deal_before_it_is_played(world, deal):
    wei = world.player("Wei")
    enter(wei, deal[0])
    readers = {
        "stranger": (world.player("Tao").token, True),
        "playing": (wei.token, False),
        "nobody": (None, False),
    }

    # That somebody has played is told, not how.
    one, other = played(deal, "easy"), played(deal, "random")
    answers = assert_alike(world, [other], readers, values(world, deal), control=one)
    assert answers["stranger", "get", "/v1/deal-links/{code}/comparison"][0] == 409
    assert answers["playing", "get", "/v1/deal-links/{code}/comparison"][0] == 409
    assert answers["stranger", "post", "/v1/deal-links/{code}/entries"][0] == 200
