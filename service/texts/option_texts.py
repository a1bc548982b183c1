"""What each option of a table means, what its values do, and why a combination is refused."""

from typing import Final

from service.texts import Text, trick_options


def _text(en: str, zh: str) -> Text:
    return {"en": en, "zh-Hans": zh}


#: Option -> what it decides.
MEANINGS: Final[dict[str, Text]] = {
    "joker_policy": _text(
        "Which jokers are in the cards, and with them the size of the kitty.", "使用哪些王牌，底牌张数随之而定。"
    ),
    "direction": _text(
        "The way round the table; clients seat players by it. Play order is always seat 0, 1, 2 …",
        "出牌方向，供客户端排座位；出牌次序始终是 0、1、2……号座位。",
    ),
    "deal_pace": _text("How cards reach the hands.", "发牌的方式。"),
    "first_starter": _text("How the seat that draws first in a game is chosen.", "整局第一位抓牌者的选法。"),
    "first_draw": _text("Who draws first in later rounds.", "以后各轮由谁先抓牌。"),
    "declare_rank": _text("Which rank a player may declare with.", "可以用哪个点数亮主。"),
    "declarer_by": _text("How the declarer of a round is found.", "每轮庄家的产生方式。"),
    "predetermined_declarer": _text(
        "After the first round the declarer follows from the last result; anyone may set the suit with the declarer's "
        "rank, and the declarer takes the kitty.",
        "第一轮之后庄家由上一轮结果决定；任何人都可以用庄家的级牌定主，底牌归庄家。",
    ),
    "first_declarer": _text("Who declares in the first round where the declarer rotates.", "轮庄时第一轮由谁坐庄。"),
    "joker_declaration": _text(
        "Whether identical jokers may be shown, to play without a trump suit.", "能否用相同的王亮无主。"
    ),
    "little_joker_declaration": _text("Whether little jokers may do so too.", "小王是否也可以亮无主。"),
    "overcall": _text("What is higher than the declaration that stands.", "什么牌可以反主。"),
    "overcall_by": _text("Who may overcall.", "谁可以反主。"),
    "self_overcall": _text(
        "Whether the trump maker may change suit with a longer set.", "亮主者能否用更多的牌改换自己的主花色。"
    ),
    "reinforce": _text(
        "Whether the trump maker may add identical cards before being overcalled.",
        "亮主者在被反之前能否加同样的牌加固。",
    ),
    "defence": _text(
        "Whether an overcalled player may answer at once with as many identical cards, and so cancel the overcall.",
        "被反主的玩家能否立即补足同样张数的同样的牌，使反主无效。",
    ),
    "no_declaration": _text("What happens when nobody declares.", "无人亮主时怎么办。"),
    "misdeal": _text(
        "Who may ask for a new deal before the kitty is taken: a hand without points (`no_points`), with fewer than "
        "`points_below`, or without trumps (`no_trumps`). Empty: nobody.",
        "拿底牌之前谁可以要求重发：没有分的（`no_points`）、分数少于 `points_below` 的、没有主牌的（`no_trumps`）。"
        "空：无人。",
    ),
    "misdeal_starter": _text("Who draws first after such a misdeal.", "这样重发之后由谁先抓牌。"),
    "chao_di": _text(
        "After each discard the others may overcall for the kitty with a higher pair, suits ranking S, H, C, D.",
        "每次埋底之后，其他玩家可以用更大的对子炒底；花色大小为黑桃、红桃、梅花、方块。",
    ),
    "twos_always_trump": _text("Twos are trumps in every round, below the trump rank.", "2 是常主，低于级牌。"),
    "kitty_factor": _text(
        "What the points in the kitty are multiplied by when the attackers win the last trick.",
        "闲家抠底时底牌分数的倍数。",
    ),
    "kitty_reveal": _text(
        "The declarer may show the kitty before the first lead; its points then count once.",
        "庄家可以在首次出牌前亮出底牌，其分数便只算一倍。",
    ),
    "call_other_copy": _text(
        "Who holds one copy of a card may call the other one, whichever is played first.",
        "手中有一张的玩家可以叫“另一张”，不论哪张先出。",
    ),
    "start_level": _text("The level at which everybody starts.", "所有人的起始级别。"),
    "points_per_level": _text(
        "Points for each further level, counted from the threshold; it must divide the threshold.",
        "从上台分数起每升一级所需的分数，必须能整除上台分数。",
    ),
    "short_team_bonus": _text(
        "Declarers who win with fewer friends than possible gain as much again for each one missing.",
        "庄家一方少于最多人数而获胜时，每少一人再升同样的级数。",
    ),
    "auto_level": _text(
        "With an even number of players attackers who win gain one level more.", "人数为偶数时，闲家获胜多升一级。"
    ),
    "must_play": _text(
        "Levels that must be won as declarers before one passes them.", "必打级别：必须坐庄打赢才能过去。"
    ),
    "must_play_attempt_enough": _text(
        "One round as declarers at such a level is enough, won or lost.", "必打级别只需坐庄打过一次，不论输赢。"
    ),
    "hooks": _text(
        "Attackers who win the round, and its last trick with the trump-suit card of the trump rank, send declarers at "
        "that rank back to the level named.",
        "闲家获胜且用主花色的级牌赢得最后一墩时，正在打这一级的庄家退回到所列级别。",
    ),
    "laps": _text(
        "After the ace comes the joker level, then 2+, 3+ and so on; the levels do not end the game.",
        "过 A 之后是王级，再从 2+、3+ 打起，整局不因级别而结束。",
    ),
    "short_laps": _text("Later laps leave out 2 to 9.", "以后各圈省去 2 到 9。"),
    "active_passive": _text(
        "Winners are active, losers passive; only active players make trumps, the first point makes a passive winner "
        "active, and game points have a table of their own.",
        "赢家为主动，输家为被动；只有主动者可以亮主，被动的赢家第一分只转为主动，计分另有一表。",
    ),
    **trick_options.MEANINGS,
}

#: Option -> value -> what it does. Yes-or-no options need none.
VALUES: Final[dict[str, dict[str, Text]]] = {
    "joker_policy": {
        "table": _text("The ruleset's own table.", "按本规则的表。"),
        "all_jokers": _text(
            "Both jokers of every deck; the kitty is the size nearest six that deals evenly.",
            "每副牌都用两张王；底牌取最接近六张、能平均发牌的张数。",
        ),
        "kitty_six": _text("Five players without little jokers: a kitty of six.", "五人不用小王，底牌六张。"),
    },
    "direction": {"anticlockwise": _text("To the right.", "逆时针。"), "clockwise": _text("To the left.", "顺时针。")},
    "deal_pace": {
        "timed": _text(
            "A card to each seat at every interval; declarations at any moment, and for a while after the last card.",
            "每隔一段时间给每人一张；随时可以亮主，发完之后还有一段时间。",
        ),
        "instant": _text(
            "Whole hands at once; then seats are asked in turn until all have passed since the last declaration.",
            "一次发完；然后依次询问，直到自上次亮主后所有人都放弃。",
        ),
    },
    "first_starter": {
        "draw_high_card": _text("Everybody draws a card; the highest starts.", "每人抽一张，最大者先抓。"),
        "cut_and_count": _text("A card is cut and its rank counted round the table.", "切一张牌，按点数数座位。"),
    },
    "first_draw": {
        "by_result": _text("As the last round's result says.", "由上一轮的结果决定。"),
        "pass_right": _text("The seat after the one that drew first last time.", "上一轮先抓牌者的下一位。"),
    },
    "declare_rank": {
        "own_level": _text("The player's own level.", "玩家自己的级别。"),
        "round_level": _text("The level fixed before the round.", "本轮开始前已定的级别。"),
        "any_active_level": _text("The level of any active player.", "任何一位主动玩家的级别。"),
    },
    "declarer_by": {
        "trump_maker": _text("Whoever makes trumps, in every round.", "每轮都由定主者坐庄。"),
        "rotation": _text("The trump maker first; then as the results say.", "第一轮定主者坐庄，以后由结果决定。"),
    },
    "first_declarer": {
        "last": _text("The last to declare or overcall.", "最后亮主或反主的人。"),
        "first": _text("The first to show.", "最先亮牌的人。"),
    },
    "joker_declaration": {
        "none": _text("Jokers declare nothing.", "王不能亮主。"),
        "pair": _text("Two or more identical jokers make no trump suit.", "两张以上相同的王可亮无主。"),
    },
    "overcall": {
        "none": _text("Nothing: the first declaration is final.", "不能反主，先亮为准。"),
        "longer": _text("More identical cards.", "更多张相同的牌。"),
        "longer_or_jokers": _text(
            "More identical cards; or as many, little jokers over a rank and big ones over those.",
            "更多张相同的牌；张数相同时小王大过级牌，大王大过小王。",
        ),
    },
    "overcall_by": {
        "anyone": _text("Anybody but the trump maker.", "亮主者以外的任何人。"),
        "other_team": _text("The other team only.", "只有对方。"),
    },
    "defence": {
        "none": _text("No; more cards are needed as for any overcall.", "不能；须用更多的牌再反。"),
        "immediate": _text("Yes, at once.", "可以，须立即。"),
    },
    "no_declaration": {
        "redeal": _text("A new deal with the same starter.", "重发，先抓牌者不变。"),
        "flip_kitty": _text(
            "Kitty cards are turned until one of the trump rank; else the highest, without jokers, gives the suit.",
            "逐张翻底牌，遇到级牌即定主；没有则以最大的牌（王除外）定主，同大取先翻者。",
        ),
        "random_suit": _text("A suit is chosen by lot.", "随机定一门主花色。"),
    },
    "misdeal_starter": {
        "same": _text("The same seat as before.", "与之前相同。"),
        "caller": _text("The one who asked.", "要求重发的人。"),
    },
    "kitty_factor": {
        "fixed": _text("Two.", "两倍。"),
        "by_lead": _text(
            "Twice the width of the largest unit led to the last trick, doubled for each further tuple in it.",
            "最后一墩所出最大牌型的宽度的两倍，每多连一组再加倍。",
        ),
        "by_lead_2n": _text("Twice the number of cards in that unit.", "该牌型张数的两倍。"),
        "by_lead_2^n": _text("Two to the power of that number.", "2 的（该牌型张数）次方。"),
        "table_248": _text(
            "Two; four with a tuple, eight with a tractor in the lead.", "单张两倍，有对子四倍，有拖拉机八倍。"
        ),
    },
    "start_level": {
        "NT": _text("No-trump, after the ace.", "无将级，在 A 之后。"),
        "joker": _text("The joker level, after the ace.", "王级，在 A 之后。"),
    },
    **trick_options.VALUES,
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
        "{option} {value} needs joker_declaration pair; here: {accepted}.",
        "{option} 取 {value} 需要 joker_declaration 为 pair，此处可取：{accepted}。",
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
    **trick_options.REASONS,
}
