"""What each option about tricks means, what its values do, and why options are refused."""

from typing import Final

from service.texts import Text


def _text(en: str, zh: str) -> Text:
    return {"en": en, "zh-Hans": zh}


#: Option -> what it decides.
MEANINGS: Final[dict[str, Text]] = {
    "trump_tractors": _text("How far tractors of trumps reach.", "主牌拖拉机能连到哪里。"),
    "equal_rank_tractors": _text(
        "Whether tuples of equal trump-rank cards of different suits are consecutive.",
        "不同花色的副级牌对子（或三张等）是否算相连。",
    ),
    "throw_test": _text("When a throw can be beaten.", "甩牌在什么情况下算失败。"),
    "throw_failure": _text("What happens when a throw fails.", "甩牌失败的后果。"),
    "throw_forfeit": _text(
        "What the other side gets when a failed throw ends the round.", "甩牌失败使本轮结束时对方所得。"
    ),
    "throw_penalty": _text("Points that a failed throw costs its leader's side.", "甩牌失败时甩牌一方被罚的分数。"),
    "throw_penalty_levels": _text(
        "A failed throw also costs its leader two levels and everybody else on that side one, paid from later gains.",
        "甩牌失败时甩牌者另欠两级，同方其他人各欠一级，从以后的升级中扣除。",
    ),
    "throw_same_count": _text("In a throw every rank must appear equally often.", "甩牌中每种点数的张数必须相同。"),
    "follow_tractors": _text(
        "A tractor must be answered with tractors of the suit, the longest possible first.",
        "跟拖拉机时必须先出同花色的拖拉机，尽量长。",
    ),
    "follow_smaller": _text(
        "Without the shape led, smaller ones of the suit must be played: a pair to a triple, a shorter tractor.",
        "没有同样的牌型时，必须出同花色中较小的牌型：三张跟对子，长拖拉机跟短拖拉机。",
    ),
    "protect_larger": _text(
        "A larger tuple need not be broken to follow a smaller one.", "跟较小的牌型时不必拆开较大的牌型。"
    ),
    "trump_throw_compare": _text("How trumps on a throw are compared.", "毙甩牌时如何比较大小。"),
    "quad_beats_tractor": _text("Four identical cards beat a tractor of two pairs.", "四张相同的牌大过两对的拖拉机。"),
}

#: Option -> value -> what it does. Yes-or-no options need none.
VALUES: Final[dict[str, dict[str, Text]]] = {
    "trump_tractors": {
        "suit_only": _text("Cards of the trump suit; no jokers, no trump rank.", "只限主花色的牌，不含王和级牌。"),
        "full": _text(
            "On from the ace: trump rank off suit, trump rank on suit, little jokers, big jokers.",
            "A 之上依次为副级牌、主级牌、小王、大王。",
        ),
    },
    "equal_rank_tractors": {
        "apart": _text("They are not.", "不算相连。"),
        "adjacent": _text("They are.", "算相连。"),
        "no_gap": _text(
            "A run is one when no card of the game lies strictly between its lowest and highest rank.",
            "最低与最高之间没有遗漏任何牌才算相连。",
        ),
    },
    "throw_test": {
        "units": _text(
            "When another hand holds a higher unit of the same shape as one of the throw.",
            "别家有与其中某一牌型相同而更大的牌。",
        ),
        "cards": _text(
            "When another hand holds any card higher than the lowest thrown.", "别家有大过其中最小一张的牌。"
        ),
    },
    "throw_failure": {
        "beaten_unit": _text("The weakest unit that can be beaten is led instead.", "改出能被管住的最小牌型。"),
        "lowest_card": _text("The lowest card is led instead, even out of a set.", "改出最小的一张，即使要拆牌。"),
        "end_round": _text("The round ends; see `throw_forfeit`.", "本轮结束，见 `throw_forfeit`。"),
        "penalty_levels": _text(
            "The round ends; the leader owes two levels, everybody else on that side one, paid from later gains.",
            "本轮结束；甩牌者欠两级，同方其他人各欠一级，从以后的升级中扣除。",
        ),
    },
    "throw_forfeit": {
        "one_level": _text("The other side gains one level.", "对方升一级。"),
        "unplayed_to_others": _text(
            "The other side gets the unplayed cards; then it is scored.", "未出的牌全归对方，再计分。"
        ),
        "lost_round_one_level": _text(
            "The side has lost the round, and everybody on the other gains one level.", "该方输掉本轮，对方各升一级。"
        ),
    },
    "throw_penalty": {
        "none": _text("None.", "不罚分。"),
        "flat": _text("Ten.", "罚 10 分。"),
        "per_unit": _text("Ten for each unit that can be beaten.", "每个能被管住的牌型罚 10 分。"),
        "per_card": _text("Ten for each card that can be beaten.", "每张能被管住的牌罚 10 分。"),
        "per_withdrawn": _text("Ten for each card taken back.", "每收回一张罚 10 分。"),
    },
    "trump_throw_compare": {
        "largest_unit": _text("By what answers the largest unit of the lead.", "只比较对应首家最大牌型的部分。"),
        "all_units": _text("Every unit must be higher.", "每个牌型都必须更大。"),
    },
}

#: Reason of an `invalid-option` -> the sentence. Placeholders: `option`, `value`, `accepted`.
REASONS: Final[dict[str, Text]] = {
    "no_such_option": _text(
        "There is no option {option} in this ruleset; there are: {accepted}.",
        "本规则没有选项 {option}，可用：{accepted}。",
    ),
    "no_such_value": _text(
        "{option} does not take {value}; it takes: {accepted}.", "{option} 不能取 {value}，可取：{accepted}。"
    ),
    "not_in_this_ruleset": _text(
        "{option} cannot be changed in this ruleset; it is {accepted}.", "本规则不能更改 {option}，其值为 {accepted}。"
    ),
    "five_players_only": _text(
        "{option} can be {value} with five players only; here: {accepted}.",
        "只有五人时 {option} 才能取 {value}，此处可取：{accepted}。",
    ),
    "declarer_is_fixed": _text(
        "With predetermined_declarer the last result names the declarer: {option} must be {accepted}.",
        "启用 predetermined_declarer 时庄家由上一轮结果决定：{option} 须为 {accepted}。",
    ),
    "needs_trump_maker": _text(
        "{option} {value} needs declarer_by trump_maker; here: {accepted}.",
        "{option} 取 {value} 需要 declarer_by 为 trump_maker，此处可取：{accepted}。",
    ),
    "needs_active": _text(
        "{option} {value} needs active_passive; here: {accepted}.",
        "{option} 取 {value} 需要启用 active_passive，此处可取：{accepted}。",
    ),
    "rank_is_fixed_before": _text(
        "The declarer's level is the trump rank before anybody declares: {option} must be {accepted}.",
        "亮主之前庄家的级别已是级牌：{option} 须为 {accepted}。",
    ),
    "rank_is_not_fixed": _text(
        "No level is fixed before the round where the trump maker declares: {option} can be {accepted}.",
        "由定主者坐庄时，开始前没有已定的级别：{option} 可取 {accepted}。",
    ),
    "needs_rotation": _text(
        "{option} {value} needs declarer_by rotation; here: {accepted}.",
        "{option} 取 {value} 需要 declarer_by 为 rotation，此处可取：{accepted}。",
    ),
    "needs_joker_pair": _text(
        "There are no two identical jokers among these cards: {option} can be {accepted}.",
        "这副牌里没有两张相同的王：{option} 可取 {accepted}。",
    ),
    "needs_joker_declaration": _text(
        "{option} {value} needs jokers that declare (joker_declaration); here: {accepted}.",
        "{option} 取 {value} 需要王可以亮主（joker_declaration），此处可取：{accepted}。",
    ),
    "needs_overcall": _text(
        "Nobody may overcall: {option} can be {accepted}.", "不能反主时，{option} 可取 {accepted}。"
    ),
    "other_team_only": _text(
        "Only the other team may overcall (overcall_by): {option} must be {accepted}.",
        "只有对方可以反主（overcall_by）：{option} 须为 {accepted}。",
    ),
    "needs_misdeal": _text(
        "Nobody may ask for a new deal (misdeal): {option} must be {accepted}.",
        "没有人可以要求重发（misdeal）：{option} 须为 {accepted}。",
    ),
    "needs_two_decks": _text(
        "Only with two decks is there one other copy: {option} must be {accepted}.",
        "只有两副牌时才有唯一的“另一张”：{option} 须为 {accepted}。",
    ),
    "needs_full_trump_tractors": _text(
        "{option} {value} needs trump_tractors full; here: {accepted}.",
        "{option} 取 {value} 需要 trump_tractors 为 full，此处可取：{accepted}。",
    ),
    "play_must_go_on": _text(
        "A failed throw ends the round here (throw_failure): {option} must be {accepted}.",
        "甩牌失败即结束本轮（throw_failure）：{option} 须为 {accepted}。",
    ),
    "needs_throw_failure_end_round": _text(
        "{option} {value} needs throw_failure end_round; here: {accepted}.",
        "{option} 取 {value} 需要 throw_failure 为 end_round，此处可取：{accepted}。",
    ),
    "needs_four_decks": _text(
        "There are no four identical cards with fewer than four decks: {option} must be {accepted}.",
        "不足四副牌就没有四张相同的牌：{option} 须为 {accepted}。",
    ),
    "needs_laps": _text("{option} needs laps; here: {accepted}.", "{option} 需要启用 laps，此处可取：{accepted}。"),
    "not_on_the_ladder": _text(
        "The ladder of this game has no level {value}: {option} can be {accepted}.",
        "本局的级别中没有 {value}：{option} 可取 {accepted}。",
    ),
    "needs_must_play": _text(
        "There are no must_play levels: {option} must be {accepted}.",
        "没有必打级别（must_play）：{option} 须为 {accepted}。",
    ),
    "step_must_reach_threshold": _text(
        "Steps of {value} do not lead to the threshold; these do: {accepted}.",
        "每级 {value} 分不能整除上台分数，可取：{accepted}。",
    ),
}
