"""What each option of a round around its tricks means, what its values do, and why one is refused."""

from typing import Final

from service.texts import Text


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
        "Whether jokers may be shown, to play without a trump suit, and how many it takes.",
        "能否用王亮无主，需要几张。",
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
        "Whether an overcalled player may match the overcall with as many identical cards, and so cancel it.",
        "被反主的玩家能否补足同样张数的同样的牌，使反主无效。",
    ),
    "no_declaration": _text("What happens when nobody declares.", "无人亮主时怎么办。"),
    "misdeal": _text(
        "Who may ask for a new deal before the kitty is taken: a hand without points (`no_points`), with fewer than "
        "`points_below`, without trumps (`no_trumps`), with fewer than `trumps_below`; at most `most` times a round. "
        "Empty: nobody.",
        "拿底牌之前谁可以要求重发：没有分的（`no_points`）、分数少于 `points_below` 的、没有主牌的（`no_trumps`）、"
        "主牌少于 `trumps_below` 张的；每轮至多 `most` 次。空：无人。",
    ),
    "misdeal_starter": _text("Who draws first after such a misdeal.", "这样重发之后由谁先抓牌。"),
    "chao_di": _text("After each discard the others may overcall for the kitty.", "每次埋底之后，其他玩家可以炒底。"),
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
        "Points for each further level, counted from the threshold.", "从上台分数起每升一级所需的分数。"
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
        "Levels at which the last trick can send the declarers back, and the level to which they fall.",
        "最后一墩可使庄家退级的级别，以及退到的级别。",
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
    "decks": _text("How many full decks are played with, jokers included.", "使用几副完整的牌（含王）。"),
    "special_decks": _text(
        "Decks that are not full, one entry each: from which rank on (`from`), and whether with jokers.",
        "不完整的牌，每副一项：从哪个点数起（`from`），是否有大小王。",
    ),
    "kitty_size": _text(
        "Cards of the kitty; single low cards are taken out if the rest does not deal evenly.",
        "底牌张数；余牌不能均分时去掉个别小牌。",
    ),
    "chao_di_rule": _text("What overcalls for the kitty.", "用什么牌可以炒底。"),
    "kitty_unit_of": _text(
        "Which play of the last trick the kitty's factor looks at.", "底牌倍数按最后一墩的哪手牌计算。"
    ),
    "kitty_side_suit": _text(
        "What becomes of the factor when the last trick is not won with trumps.", "最后一墩不是用主牌赢得时底牌的倍数。"
    ),
    "friend_calls": _text("How many friends are called.", "叫几个朋友。"),
    "call_cards": _text("Which cards may be called.", "可以叫哪些牌。"),
    "double_join": _text(
        "Whether a player who is on the declarer's side already fills a further call.",
        "已在庄家一方的人再出所叫的牌是否算数。",
    ),
    "steps_to_win": _text(
        "How many steps of points the attackers need; the threshold is so many times `points_per_level`.",
        "闲家上台所需的级差数；上台分数为 `points_per_level` 的若干倍。",
    ),
    "dead_zone": _text("Steps above the threshold that bring the attackers no level.", "闲家过线后不升级的级差数。"),
    "shut_out_level": _text("One level more when the attackers have no points.", "闲家一分未得时庄家多升一级。"),
    "negative_points": _text("Throw penalties can bring the attackers below zero.", "罚分可使闲家得分为负。"),
    "levels_cap": _text("The most levels that a round brings.", "一轮最多升几级。"),
    "short_team_gain": _text("How much the bonus for a smaller side is.", "庄家一方人少时的奖励方式。"),
    "level_ladder": _text(
        "The levels that are played, ascending to the ace. Empty: every rank.",
        "要打的级别，从低到高直到 A。空：每一级都打。",
    ),
    "last_level": _text("The last level.", "最后一级。"),
    "last_level_by": _text("Who passes the last level.", "怎样才能过最后一级。"),
    "last_level_played": _text(
        "The last level is passed only in a round that is played at it.", "只有所打的级别是最后一级时才能过。"
    ),
    "after_last": _text("What comes after the last level.", "过了最后一级之后怎样。"),
    "one_level_per_round": _text("Whoever gains anything gains one level.", "无论多少，一轮只升一级。"),
    "hook_rule": _text("What sends declarers back.", "怎样使庄家退级。"),
}

#: Option -> value -> what it does. Options of true and false need none.
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
        "single": _text("One joker makes no trump suit.", "一张王即可亮无主。"),
        "all_decks": _text("All jokers of one kind that the game has.", "须亮出同种的所有王。"),
        "all_but_one_big": _text(
            "All little jokers, or all big ones but one.", "须亮出所有小王，或除一张外的所有大王。"
        ),
        "pair": _text("Two or more identical jokers make no trump suit.", "两张以上相同的王可亮无主。"),
    },
    "overcall": {
        "none": _text("Nothing: the first declaration is final.", "不能反主，先亮为准。"),
        "longer": _text("More identical cards.", "更多张相同的牌。"),
        "longer_or_jokers": _text(
            "More identical cards; or as many, little jokers over a rank and big ones over those.",
            "更多张相同的牌；张数相同时小王大过级牌，大王大过小王。",
        ),
        "longer_or_suit": _text(
            "The same; and as many of a higher suit, from two cards on: D, C, H, S.",
            "同上；两张以上张数相同时还可用更大的花色：方块、梅花、红桃、黑桃。",
        ),
        "jokers_first": _text(
            "Any jokers over any rank cards; else more cards, at equal length big jokers over little ones.",
            "王大过任何级牌；其余以张数多者为大，张数相同时大王大过小王。",
        ),
    },
    "overcall_by": {
        "anyone": _text("Anybody but the trump maker.", "亮主者以外的任何人。"),
        "other_team": _text("The other team only.", "只有对方。"),
    },
    "defence": {
        "none": _text("No; more cards are needed as for any overcall.", "不能；须用更多的牌再反。"),
        "immediate": _text("Yes, at once.", "可以，须立即。"),
        "any_time": _text("Yes, at any moment of the deal.", "可以，发牌中随时都行。"),
    },
    "no_declaration": {
        "redeal": _text("A new deal with the same starter.", "重发，先抓牌者不变。"),
        "flip_kitty": _text(
            "Kitty cards are turned until one of the trump rank; else the highest, without jokers, gives the suit.",
            "逐张翻底牌，遇到级牌即定主；没有则以最大的牌（王除外）定主，同大取先翻者。",
        ),
        "redeal_open": _text(
            "A new deal with the same starter, in which the trump maker declares.", "重发，先抓牌者不变，由定主者坐庄。"
        ),
        "random_suit": _text("A suit is chosen by lot.", "随机定一门主花色。"),
        "first_kitty_card": _text(
            "The first card of the kitty gives the suit, a joker none.", "以第一张底牌的花色为主，翻到王则无主。"
        ),
        "flip_kitty_or_joker": _text(
            "As `flip_kitty`, but a joker that is turned makes no trump suit.", "同 `flip_kitty`，但翻到王则无主。"
        ),
        "no_trump": _text("There is no trump suit.", "打无主。"),
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
        "by_lead_power": _text("Two to the power of that number.", "2 的（该牌型张数）次方。"),
        "table_248": _text(
            "Two; four with a tuple, eight with a tractor in the lead.", "单张两倍，有对子四倍，有拖拉机八倍。"
        ),
        "by_play_2n": _text("Twice the number of cards that each player plays.", "每人所出张数的两倍。"),
    },
    "chao_di_rule": {
        "pairs_by_suit": _text(
            "A pair: big jokers, little jokers, then the rank in S, H, C, D.",
            "对子：大王、小王，再按黑桃、红桃、梅花、方块。",
        ),
        "overcall": _text("What overcalls in the deal.", "与发牌时反主相同。"),
    },
    "kitty_unit_of": {
        "lead": _text("The lead.", "首家所出。"),
        "winning_play": _text("The play that won.", "赢得该墩的牌。"),
    },
    "kitty_side_suit": {
        "full": _text("It stays.", "不变。"),
        "half": _text("It is halved, rounded down.", "减半，向下取整。"),
    },
    "call_cards": {
        "no_trumps": _text("All but trumps.", "除主牌外都可以。"),
        "any": _text("All cards, trumps too.", "任何牌，包括主牌。"),
        "no_highest": _text("No trumps and no aces; at level A no kings.", "不能叫主牌和 A；打 A 时不能叫 K。"),
        "no_points": _text("No trumps, 5, T or K; at level A kings may be.", "不能叫主牌、5、10、K；打 A 时可叫 K。"),
    },
    "levels_cap": {"none": _text("No limit.", "不限。")},
    "short_team_gain": {
        "multiplied": _text("As much again for each one missing.", "每少一人再升同样的级数。"),
        "one_level": _text("One level, however many are missing.", "不论少几人都多升一级。"),
    },
    "last_level": {
        "A": _text("The ace.", "A。"),
        "NT": _text("No-trump, after the ace.", "A 之后的无将级。"),
    },
    "last_level_by": {
        "declarers_there": _text(
            "Those who began the round on it and won it as declarers.", "本轮开始时在该级且坐庄打赢的人。"
        ),
        "anyone": _text("Whoever gains a level there.", "在该级升级的任何人。"),
    },
    "after_last": {
        "end": _text("The game ends.", "整局结束。"),
        "wrap": _text("The first level again; the game goes on.", "回到第一级，继续打。"),
    },
    "hook_rule": {
        "trump_card": _text(
            "Attackers win the round, and its last trick with the trump-suit card of the trump rank.",
            "闲家获胜，且用主花色的级牌赢得最后一墩。",
        ),
        "lone_card": _text(
            "Attackers win the last trick with a single card of the rank played, whoever wins the round.",
            "闲家用一张级牌赢得最后一墩，不论本轮谁胜。",
        ),
    },
    "start_level": {
        "NT": _text("No-trump, after the ace.", "无将级，在 A 之后。"),
        "joker": _text("The joker level, after the ace.", "王级，在 A 之后。"),
    },
}
