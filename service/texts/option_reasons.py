"""Why options about cards, scores and levels are refused. Placeholders: `option`, `value`, `accepted`."""

from typing import Final

from service.texts import Text


def _text(en: str, zh: str) -> Text:
    return {"en": en, "zh-Hans": zh}


REASONS: Final[dict[str, Text]] = {
    "decks_are_listed": _text(
        "With decks or special_decks all jokers are named there: {option} must be {accepted}.",
        "已用 decks 或 special_decks 指定牌时，{option} 须为 {accepted}。",
    ),
    "too_many_decks": _text("There are at most two decks a player: {accepted}.", "每人至多两副牌，可取：{accepted}。"),
    "more_entries_than_decks": _text(
        "{option} has more entries than there are decks: {accepted}.", "{option} 的项数超过牌的副数：{accepted}。"
    ),
    "hands_too_small": _text(
        "{option} {value} leaves fewer than three cards a hand; here: {accepted}.",
        "{option} 取 {value} 时每人不足三张，此处可取：{accepted}。",
    ),
    "rank_in_no_deck": _text(
        "{option} names a rank that no deck has: {value}; here: {accepted}.",
        "{option} 含有牌中没有的点数：{value}，此处可取：{accepted}。",
    ),
    "needs_jokers": _text(
        "There are no such jokers in the game: {option} can be {accepted}.",
        "牌中没有这种王：{option} 可取 {accepted}。",
    ),
    "needs_second_deck": _text(
        "With one deck there is one joker of each kind: {option} can be {accepted}.",
        "只有一副牌时每种王只有一张：{option} 可取 {accepted}。",
    ),
    "needs_kitty": _text("There is no kitty: {option} can be {accepted}.", "没有底牌：{option} 可取 {accepted}。"),
    "needs_chao_di": _text(
        "{option} {value} needs chao_di; here: {accepted}.",
        "{option} 取 {value} 需要启用 chao_di，此处可取：{accepted}。",
    ),
    "needs_kitty_unit": _text(
        "The factor looks at no unit (kitty_factor): {option} must be {accepted}.",
        "底牌倍数不看牌型（kitty_factor）：{option} 须为 {accepted}。",
    ),
    "needs_calls": _text("No friends are called: {option} must be {accepted}.", "不叫朋友：{option} 须为 {accepted}。"),
    "too_many_calls": _text(
        "{option} {value} leaves no attackers; here: {accepted}.",
        "{option} 取 {value} 时没有闲家，此处可取：{accepted}。",
    ),
    "too_few_cards_to_call": _text(
        "There are not enough cards to call at every level: {option} can be {accepted}.",
        "可叫的牌不够：{option} 可取 {accepted}。",
    ),
    "active_passive_scores": _text(
        "active_passive has a score table of its own: {option} must be {accepted}.",
        "启用 active_passive 时另有计分表：{option} 须为 {accepted}。",
    ),
    "needs_short_team_bonus": _text(
        "{option} {value} needs short_team_bonus; here: {accepted}.",
        "{option} 取 {value} 需要启用 short_team_bonus，此处可取：{accepted}。",
    ),
    "not_enough_points": _text(
        "The cards have fewer points than the attackers need to win ({option} {value}); here: {accepted}.",
        "牌中总分少于闲家上台所需（{option} 取 {value}），此处可取：{accepted}。",
    ),
    "laps_have_no_end": _text(
        "With laps the levels go on without end: {option} must be {accepted}.",
        "启用 laps 时级别没有尽头：{option} 须为 {accepted}。",
    ),
    "laps_need_all_ranks": _text(
        "Laps need cards of every rank: {option} must be {accepted}.",
        "laps 需要所有点数的牌：{option} 须为 {accepted}。",
    ),
    "off_the_ladder": _text(
        "{option} names levels that are not played: {value}; here: {accepted}.",
        "{option} 含有不打的级别：{value}，此处可取：{accepted}。",
    ),
    "needs_hooks": _text("There are no hooks: {option} must be {accepted}.", "没有 hooks：{option} 须为 {accepted}。"),
}
