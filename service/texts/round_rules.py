"""The rules that declarations, discards, calls and plays of Arm's Length can break, and errors in questions."""

from typing import Final

from service.texts import Text, text

#: Id of the rule -> text. Placeholders are names in the refusal's `required` and in its other values.
RULES: Final[dict[str, Text]] = {
    # Declarations
    "meant_otherwise": text("Showing these cards now means: {as}.", "此时亮出这些牌的作用是：{as}。"),
    "identical_cards": text(
        "Declare with identical cards: the same rank and the same suit.", "亮主必须用花色和点数都相同的牌。"
    ),
    "may_not_declare": text("This seat may not declare in this round.", "此座位本局不能亮主。"),
    "rank_to_declare": text("Declare with cards of rank {ranks}.", "亮主须用点数为 {ranks} 的牌。"),
    "jokers_do_not_declare": text(
        "This table does not allow declaring with jokers; use cards of rank {ranks}.",
        "本桌不能用王亮主，须用点数为 {ranks} 的牌。",
    ),
    "little_jokers_do_not_declare": text(
        "This table does not allow declaring with little jokers; big ones may be used.",
        "本桌不能用小王亮主，大王可以。",
    ),
    "joker_pair": text(
        "Playing without a trump suit takes at least {cards} identical jokers.", "亮无主至少需要 {cards} 张相同的王。"
    ),
    "jokers_do_not_open": text(
        "At this table jokers may only overcall; declare first with cards of rank {ranks}.",
        "本桌的王只能用于反主，首亮须用点数为 {ranks} 的牌。",
    ),
    "joker_beside": text(
        "Lay one joker beside the level cards; possible: {jokers}.", "级牌须带一张王才能亮主，可用：{jokers}。"
    ),
    "add_identical_cards": text(
        "You already show these cards: to reinforce, show {cards} identical cards in all.",
        "这些牌已经亮出：加固共需 {cards} 张相同的牌。",
    ),
    "no_reinforcing": text("This table does not allow reinforcing a declaration.", "本桌不能主动加固。"),
    "no_self_overcall": text(
        "Your own declaration stands: you may not change its suit unless somebody overcalls you.",
        "主已由您所定：除非被人反主，否则不能改换花色。",
    ),
    "jokers_hold": text(
        "You cannot defend against jokers with as many rank cards; {cards} identical cards would overcall them.",
        "同样张数的级牌不能保住被王反掉的主；{cards} 张才能反回。",
    ),
    "no_overcalling": text("The first declaration is final at this table.", "本桌先亮为准，不能反主。"),
    "other_team_overcalls": text("Only the other team may overcall.", "只有对方可以反主。"),
    "overcall_higher": text(
        "{standing} stands: to overcall, show at least {cards} identical cards, or jokers if they are higher.",
        "现为 {standing}：反主至少需要 {cards} 张相同的牌，或在王更大时用王。",
    ),
    "only_defence_now": text(
        "You may only defend with as many identical cards, or pass.", "此时只能补足同样的牌保主，或者不保。"
    ),
    "no_misdeal": text("This hand may not ask for a new deal.", "这手牌不能要求重发。"),
    # The kitty
    "no_kitty_overcalls": text("This table does not allow overcalling for the kitty.", "本桌不能炒底。"),
    "kitty_overcall_pair": text(
        "Overcalling for the kitty takes at least {cards} identical cards.", "炒底至少需要 {cards} 张相同的牌。"
    ),
    "kitty_overcall_higher": text(
        "{standing} stands: show higher cards: big jokers, little jokers, then the rank in S, H, C, D.",
        "现为 {standing}：从大到小依次为大王、小王，再是黑桃、红心、梅花、方块的级牌。",
    ),
    "kitty_size": text("Discard {cards} cards; you sent {given}.", "底牌应为 {cards} 张，所给为 {given} 张。"),
    "kitty_is_not_shown": text("This table does not allow showing the kitty.", "本桌不能亮出底牌。"),
    "declarer_shows_kitty": text("Only the declarer may show the kitty.", "只有庄家可以亮出底牌。"),
    # Friends
    "number_of_calls": text("Call {calls} cards; you sent {given}.", "此处应叫 {calls} 张牌，所给为 {given} 张。"),
    "call_no_trumps": text("{card} is a trump; only other cards may be called.", "{card} 是主牌，只能叫副牌。"),
    "call_no_highest": text(
        "{card} is too high; aces, or kings when aces are the trump rank, may not be called.",
        "{card} 太大：不能叫 A，打 A 时不能叫 K。",
    ),
    "call_no_points": text("{card} is worth points; such cards may not be called.", "{card} 是分牌，不能叫。"),
    "call_ordinal": text(
        "There are {ordinal} copies of {card}: call one from 1 to {ordinal}.",
        "{card} 共有 {ordinal} 张，只能叫第 1 到第 {ordinal} 张。",
    ),
    "no_other_copy": text(
        "This table does not allow calling the other copy of {card}; call it by number.",
        "本桌叫 {card} 须指明第几张，不能叫“另一张”。",
    ),
    "other_copy_held": text(
        "To call the other copy of {card} you must hold exactly {held}.", "叫 {card} 的另一张时，手中须恰有 {held} 张。"
    ),
    "calls_distinct": text("You called the same copy of {card} twice.", "同一张 {card} 被叫了两次。"),
    # Arm's Length
    "arms_follow_suit": text("Follow suit: play one of {cards}.", "必须跟花色：您有 {cards}。"),
    "arms_beat": text("Beat the best card so far: play one of {cards}.", "必须管上目前最大的牌：您可以出 {cards}。"),
    "arms_trump": text(
        "You cannot follow suit: play a trump higher than any so far, one of {cards}.",
        "无法跟花色时必须出比已出的都大的主牌：您可以出 {cards}。",
    ),
}

#: Reason of an `invalid-request` raised by the rules -> text. Placeholders are names in its params.
REASONS: Final[dict[str, Text]] = {
    "no_such_ruleset": text("There is no such ruleset; possible: {accepted}.", "没有这个规则，可用：{accepted}。"),
    "not_for_so_many": text(
        "This ruleset cannot be played by this number of players; possible: {accepted}.",
        "本规则的人数可为：{accepted}。",
    ),
    "no_such_preset": text(
        "There is no such preset for this ruleset and number of players; possible: {accepted}.",
        "此规则和人数没有这种预设，可用：{accepted}。",
    ),
    "no_such_kind": text(
        "There is no such kind of question about this ruleset; possible: {accepted}.",
        "此规则没有这种问题，可用：{accepted}。",
    ),
    "missing": text("{field} is missing.", "缺少 {field}。"),
    "not_an_object": text("{field} must be a JSON object.", "{field} 必须是 JSON 对象。"),
    "number": text("{field} must be a whole number from {min} to {max}.", "{field} 必须是 {min} 到 {max} 的整数。"),
    "not_true_or_false": text("{field} must be true or false.", "{field} 必须是 true 或 false。"),
    "choice": text("{field} must be one of: {accepted}.", "{field} 必须是以下之一：{accepted}。"),
    "list": text("{field} must be a list of {min} to {max} entries.", "{field} 必须是 {min} 到 {max} 项的列表。"),
    "no_such_card": text("There is no card {card}.", "没有名为 {card} 的牌。"),
    "unequal_plays": text(
        "All plays in {field} must have the same number of cards.", "{field} 中各家出牌的张数必须相同。"
    ),
    "more_copies_than_decks": text(
        "{field} has more copies of a card than there are decks ({decks}).",
        "{field} 中某张牌的数目超过了牌的副数 {decks}。",
    ),
    "level_not_on_ladder": text(
        "{field} is not a level of this game; the levels of its first lap are: {accepted}.",
        "{field} 不是本局的级别，第一圈为：{accepted}。",
    ),
    "no_friends_here": text("This ruleset has no friend calls.", "本规则不叫朋友。"),
    "declarer_is_a_declarer": text("{field} must contain the declarer.", "{field} 必须包含庄家。"),
    "no_jokers_here": text("This game has no jokers; see {field}.", "本游戏没有王，见 {field}。"),
    "no_such_road": text("The road must be one of: {accepted}.", "路只能是：{accepted}。"),
}
