"""Names that look alike."""

import pytest

from service.game.names import distinct, is_like_ai, look_alike


@pytest.mark.parametrize(
    "name", ["AI 1", "ai 16", "Al 2", "\u0410I 3", "\uff21\uff29 4", "A\u0301I 5", "AI  6", "AI 7", "AI"]
)
def test_a_name_that_people_take_for_that_of_an_ai_player_is_found(name: str) -> None:
    assert is_like_ai(name)


@pytest.mark.parametrize("name", ["Al", "Ali", "Aisha", "AI Lin", "All", "\u6797", "\u5347\u7ea7", "Lin 2", "\u7231 1"])
def test_a_name_of_a_person_is_not_that_of_an_ai_player(name: str) -> None:
    assert not is_like_ai(name)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Lin", "lin"),
        ("Lin", "L\u0456n"),
        ("lin", "1in"),
        ("Lin", "L\u00edn"),
        ("O0", "00"),
        ("\u738b\u4f1f", "\u738b\u4f1f"),
        ("\u4eba", "\u2f08"),
        ("Lin \u2764\ufe0f", "Lin \u2764"),
        ("\U0001f468\u200d\U0001f469", "\U0001f468\U0001f469"),
        ("\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f", "\U0001f3f4"),
    ],
)
def test_names_that_look_alike_are_found(one: str, other: str) -> None:
    assert look_alike(one, other)
    assert look_alike(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [("Lin", "Lina"), ("Mei", "Lin"), ("\u738b\u4f1f", "\u6c6a\u4f1f"), ("\u5c0f\u660e", "\u5c0f\u7ea2")],
)
def test_other_names_are_told_apart(one: str, other: str) -> None:
    assert not look_alike(one, other)


def test_a_name_that_is_taken_gets_a_number() -> None:
    assert distinct("Lin", []) == "Lin"
    assert distinct("Lin", ["Mei", "lin"]) == "Lin (2)"
    assert distinct("Lin", ["Lin", "L\u0456n (2)"]) == "Lin (3)"
