"""Options of tricks (`docs/rules.md` §6 to §8): titles, meanings, effects of values, reasons for refusing a value."""

from typing import Final

from service.texts import OptionText, Text, text

#: Option -> its texts.
OPTIONS: Final[dict[str, OptionText]] = {
    "trump_tractors": OptionText(
        text("Tractors of trumps", "主牌拖拉机"),
        text("Which trumps can form tractors.", "主牌拖拉机能连到哪里。"),
        {
            "suit_only": text(
                "Cards of the trump suit, without jokers and the trump rank.", "只限主花色的牌，不含王和级牌。"
            ),
            "full": text(
                "All. Above the ace come the trump rank in side suits, the trump rank in the trump suit, little "
                "jokers and big jokers.",
                "A 之上依次为副级牌、主级牌、小王、大王。",
            ),
            "suit_and_jokers": text(
                "Cards of the trump suit, without the trump rank; and little jokers with big jokers.",
                "主花色的牌（级牌除外）；另外小王与大王相连。",
            ),
        },
    ),
    "equal_rank_tractors": OptionText(
        text("Tractors of equal ranks", "同级拖拉机"),
        text(
            "Whether tuples of the trump rank in different side suits, which rank equally, are consecutive.",
            "不同花色的副级牌对子（或三张等）是否算相连。",
        ),
        {
            "apart": text("No.", "不算相连。"),
            "adjacent": text("Yes.", "算相连。"),
            "no_gap": text(
                "Yes, if the tractor leaves out no card that ranks strictly between its lowest and highest cards.",
                "最低与最高之间没有遗漏任何牌才算相连。",
            ),
        },
    ),
    "tractor_min_width": OptionText(
        text("Narrowest tractor", "拖拉机最小宽度"),
        text(
            "The fewest identical cards in each tuple of a tractor. Above the number of decks, there are no tractors.",
            "拖拉机中每组相同牌的最少张数；超过牌的副数即没有拖拉机。",
        ),
    ),
    "tractor_min_length": OptionText(
        text("Shortest tractor", "拖拉机最小长度"), text("The fewest tuples in a tractor.", "拖拉机的最少组数。")
    ),
    "rainbow": OptionText(
        text("Rainbows", "杂色同点"),
        text(
            "The fewest cards in a rainbow: cards of one rank in at least four suits, led and followed by rank alone.",
            "杂色同点的最少张数：同一点数、至少四种花色的牌，只按点数出牌和跟牌。",
        ),
        {"none": text("There are no rainbows.", "没有杂色同点。")},
    ),
    "throws": OptionText(
        text("Throws allowed", "可否甩牌"),
        text("Which suits may be thrown.", "哪些花色可以甩牌。"),
        {
            "any": text("All.", "都可以。"),
            "side_suits": text("Side suits; a lead of trumps is one unit.", "副牌可以；主牌每次只出一个牌型。"),
            "none": text("None; a lead is one unit.", "不能甩牌：每次只出一个牌型。"),
        },
    ),
    "proven_throws": OptionText(
        text("Proven throws only", "必成的甩牌"),
        text(
            "A throw is legal only if the cards that its leader cannot see could not beat any unit of it.",
            "只有在未见的牌都管不住时才可以甩牌。",
        ),
    ),
    "throw_test": OptionText(
        text("Test of a throw", "甩牌判定"),
        text("When a throw fails.", "甩牌在什么情况下算失败。"),
        {
            "units": text(
                "If another hand holds a higher unit of the shape of one of its units.",
                "别家有与其中某一牌型相同而更大的牌。",
            ),
            "cards": text(
                "If another hand holds a card higher than the lowest card thrown.", "别家有大过其中最小一张的牌。"
            ),
            "units_or_ruff": text(
                "If another hand holds a higher unit of the shape of one of its units; or a void one holds trumps "
                "of such a shape.",
                "别家有与其中某一牌型相同而更大的牌，或缺门的一家有同样牌型的主牌。",
            ),
        },
    ),
    "throw_failure": OptionText(
        text("A failed throw", "甩牌失败"),
        text("What happens when a throw fails.", "甩牌失败的后果。"),
        {
            "beaten_unit": text("The weakest unit that can be beaten is led instead.", "改出能被管住的最小牌型。"),
            "lowest_card": text("The lowest card is led instead, even out of a set.", "改出最小的一张，即使要拆牌。"),
            "end_round": text(
                "The round ends, with the forfeit for a failed throw.", "本局结束，并付“甩牌结束的代价”。"
            ),
            "penalty_levels": text(
                "The round ends; the leader owes two levels, the rest of that side one, deducted from later gains.",
                "本局结束；甩牌者欠两级，同方其他人各欠一级，从以后的升级中扣除。",
            ),
            "lowest_top_unit": text(
                "The unit with the lowest top card is led instead, whether it can be beaten or not.",
                "改出最大一张最小的牌型，不论能否被管住。",
            ),
            "smallest_unit": text(
                "The weakest unit is led instead, whether it can be beaten or not.", "改出最小的牌型，不论能否被管住。"
            ),
            "first_seat": text(
                "The first player in turn who can beat a unit counts: of the units this player can beat, the one with "
                "the fewest cards is led.",
                "按出牌次序第一位能管者所能管住的牌型中，改出张数最少的。",
            ),
        },
    ),
    "throw_forfeit": OptionText(
        text("Forfeit for a failed throw", "甩牌结束的代价"),
        text("What the other side gets when a failed throw ends the round.", "甩牌失败使本局结束时对方所得。"),
        {
            "one_level": text("The other side gains one level.", "对方升一级。"),
            "unplayed_to_others": text(
                "The other side gets all unplayed cards; then the round is scored.", "未出的牌全归对方，再计分。"
            ),
            "lost_round_one_level": text(
                "The leader's side loses the round, and everybody on the other side gains one level.",
                "该方输掉本局，对方各升一级。",
            ),
        },
    ),
    "throw_penalty_levels": OptionText(
        text("Levels for a failed throw", "甩牌罚级"),
        text(
            "A failed throw also costs its leader two levels and the rest of that side one, deducted from later gains.",
            "甩牌失败时甩牌者另欠两级，同方其他人各欠一级，从以后的升级中扣除。",
        ),
    ),
    "throw_penalty": OptionText(
        text("Points for a failed throw", "甩牌罚分"),
        text("Points that a failed throw costs its leader's side.", "甩牌失败时甩牌一方被罚的分数。"),
        {
            "none": text("None.", "不罚分。"),
            "flat": text("10.", "罚 10 分。"),
            "per_unit": text("10 for each unit that can be beaten.", "每个能被管住的牌型罚 10 分。"),
            "per_card": text("10 for each card that can be beaten.", "每张能被管住的牌罚 10 分。"),
            "per_withdrawn": text("10 for each card taken back.", "每收回一张罚 10 分。"),
        },
    ),
    "throw_same_count": OptionText(
        text("Equal counts in a throw", "甩牌张数相同"),
        text("A throw must have the same number of cards of each rank.", "甩牌中每种点数的张数必须相同。"),
    ),
    "follow_structure": OptionText(
        text("Following the structure", "跟牌型"),
        text("Whether players must match the units of the lead, or only its suit.", "跟牌须跟牌型，还是只跟花色。"),
        {
            "units": text(
                "The units too; the other options of this phase say how far.", "牌型也要跟，按本阶段其他选项。"
            ),
            "suit_only": text("Only the suit; any cards of it will do.", "只跟花色，出哪些牌都可以。"),
        },
    ),
    "follow_tractors": OptionText(
        text("Tractors answer tractors", "拖拉机跟拖拉机"),
        text(
            "A tractor must be followed with tractors of the suit if possible, the longest first.",
            "跟拖拉机时必须先出同花色的拖拉机，尽量长。",
        ),
    ),
    "follow_smaller": OptionText(
        text("Following with smaller shapes", "跟较小牌型"),
        text(
            "Whether players who do not hold the shape led must play smaller units of the suit: a pair on a triple, a "
            "shorter tractor on a longer one.",
            "没有同样的牌型时，是否必须出同花色中较小的牌型：三张跟对子，长拖拉机跟短拖拉机。",
        ),
        {
            "never": text("No.", "不必。"),
            "single_set": text("Only if one set of identical cards was led.", "仅当领出的是一组相同的牌时。"),
            "always": text("Yes.", "必须。"),
        },
    ),
    "protect_larger": OptionText(
        text("Larger tuples protected", "大牌型免拆"),
        text(
            "Players need not break a larger tuple to follow a smaller one, but may.",
            "跟较小的牌型时不必拆开较大的牌型，但可以拆。",
        ),
    ),
    "shorter_tractors": OptionText(
        text("Following with shorter tractors", "跟短拖拉机"),
        text(
            "Players who do not hold a tractor of the length led must play a shorter one if they can. If false, single "
            "tuples do.",
            "没有等长的拖拉机时须跟较短的拖拉机；否则只跟对子等。",
        ),
    ),
    "tuple_draws_tractors": OptionText(
        text("Tuples draw tractors", "多张引拖拉机"),
        text(
            "If narrower tuples answer a unit of the lead, they must be consecutive as far as possible.",
            "以较小的牌组跟牌时，须尽量出相连的。",
        ),
    ),
    "throw_structure": OptionText(
        text("Following the structure of a throw", "甩牌牌型"),
        text("Which units players must play on a throw.", "跟甩牌时须跟什么牌型。"),
        {
            "units": text("Each of its units.", "每个牌型分别跟。"),
            "added_up": text(
                "All tuples of one width count as one tractor with as many tuples.",
                "同宽的牌组合并，须跟同样组数的拖拉机。",
            ),
            "tuples": text("Single tuples, no tractors.", "只须跟单个牌组，不须跟拖拉机。"),
        },
    ),
    "protect_by_rungs": OptionText(
        text("Protection step by step", "逐级免拆"),
        text(
            "Another reading of the protection of larger tuples: parts of them count as smaller tuples, but a larger "
            "tuple played whole does not while smaller tuples stay in the hand.",
            "“大牌型免拆”的另一种解释：拆开的大牌组可以代替小牌组；手中还留有小牌组时，整组打出的大牌组不能代替。",
        ),
    ),
    "ruff_must_match": OptionText(
        text("Ruffs match the lead", "毙牌须同型"),
        text(
            "Whether a void player who plays nothing but trumps must match the lead as if trumps had been led.",
            "缺门者只出主牌时，是否须像领出主牌那样跟牌型。",
        ),
        {
            "never": text("Never.", "不必。"),
            "tuples": text("If one set of identical cards was led.", "当领出的是一组相同的牌时。"),
            "all": text("Always.", "总是。"),
        },
    ),
    "trump_throw_compare": OptionText(
        text("Comparing answers to a throw", "毙甩牌的比较"),
        text("How plays that match a throw are compared.", "毙甩牌时如何比较大小。"),
        {
            "largest_unit": text(
                "By the unit that matches the largest unit of the lead.", "只比较对应首家最大牌型的部分。"
            ),
            "all_units": text("Every unit must be higher.", "每个牌型都必须更大。"),
            "highest_card": text("By the highest card.", "只比较最大的一张。"),
            "longest_first": text(
                "Unit by unit, starting with the largest; the first difference decides. Singles count only if all "
                "units are singles.",
                "从最大的牌型起逐一比较，以第一个不同者为准；单张只在全是单张时比较。",
            ),
        },
    ),
    "throw_answer_exact": OptionText(
        text("Exact answers to throws", "毙甩牌须同型"),
        text(
            "A play can beat a throw only if it is read as exactly the same shapes: a pair cannot beat two singles.",
            "只有牌型完全相同才能管住甩牌：一对不能管两张单张。",
        ),
    ),
    "quad_beats_tractor": OptionText(
        text("Quads beat tractors", "四张大过拖拉机"),
        text("Four identical cards beat a tractor of two pairs.", "四张相同的牌大过两对的拖拉机。"),
    ),
    "bombs": OptionText(
        text("Bombs", "炸弹"),
        text(
            "Whether four or more identical cards are a bomb, which beats any other play.",
            "四张以上相同的牌是否算炸弹，大过其他一切牌。",
        ),
        {
            "none": text("No.", "没有炸弹。"),
            "any_time": text("Yes; a bomb may be played whatever else the player holds.", "有；任何时候都可以出炸弹。"),
            "follow_suit": text(
                "Yes; a bomb of another side suit only if the player is void of the suit led.",
                "有；其他副花色的炸弹只在缺门时可出。",
            ),
        },
    ),
}

#: Reason of an `invalid-option` -> the sentence. Placeholders: `option`, `value`, `accepted`.
REASONS: Final[dict[str, Text]] = {
    "needs_full_trump_tractors": text(
        "{option} {value} needs trump_tractors full; possible: {accepted}.",
        "{option} 取 {value} 需要 trump_tractors 为 full，此处可取：{accepted}。",
    ),
    "needs_cards_enough": text(
        "No rank has {value} cards: {option} can be {accepted}.",
        "没有一种点数有 {value} 张牌：{option} 可取 {accepted}。",
    ),
    "needs_throws": text(
        "With throws none there are no throws: {option} must be {accepted}.",
        "不能甩牌（throws 为 none）：{option} 须为 {accepted}。",
    ),
    "throws_are_proven": text(
        "With proven_throws a throw never fails: {option} can be {accepted}.",
        "启用 proven_throws 时甩牌不会失败：{option} 可取 {accepted}。",
    ),
    "needs_throw_failure_end_round": text(
        "{option} {value} needs throw_failure end_round; possible: {accepted}.",
        "{option} 取 {value} 需要 throw_failure 为 end_round，此处可取：{accepted}。",
    ),
    "needs_structure": text(
        "With follow_structure suit_only players follow with any cards of the suit: {option} must be {accepted}.",
        "follow_structure 为 suit_only 时只跟花色：{option} 须为 {accepted}。",
    ),
    "needs_smaller_tractors": text(
        "{option} {value} needs follow_tractors and follow_smaller always; possible: {accepted}.",
        "{option} 取 {value} 需要启用 follow_tractors 且 follow_smaller 为 always，此处可取：{accepted}。",
    ),
    "needs_follow_tractors": text(
        "{option} {value} needs follow_tractors; possible: {accepted}.",
        "{option} 取 {value} 需要启用 follow_tractors，此处可取：{accepted}。",
    ),
    "needs_protect_larger": text(
        "{option} needs protect_larger; possible: {accepted}.",
        "{option} 需要启用 protect_larger，此处可取：{accepted}。",
    ),
    "needs_four_decks": text(
        "With fewer than four decks there are no four identical cards: {option} must be {accepted}.",
        "不足四副牌就没有四张相同的牌：{option} 须为 {accepted}。",
    ),
    "bombs_do_it": text(
        "With bombs, four identical cards beat tractors anyway: {option} must be {accepted}.",
        "炸弹已能管住拖拉机：{option} 须为 {accepted}。",
    ),
}
