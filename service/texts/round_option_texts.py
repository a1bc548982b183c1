"""Meanings of options and effects of their values, except for options of tricks."""

from typing import Final

from service.texts import Text, text

#: Option -> its meaning.
MEANINGS: Final[dict[str, Text]] = {
    "joker_policy": text(
        "Which jokers are in the game; the size of the kitty depends on it.", "使用哪些王牌，底牌张数随之而定。"
    ),
    "direction": text(
        "The direction in which players take their turns.",
        "轮流出牌的方向。",
    ),
    "deal_pace": text("How cards are dealt.", "发牌的方式。"),
    "first_starter": text("How the seat that draws first in a game is chosen.", "整局第一位抓牌者的选法。"),
    "first_draw": text("Who draws first in later rounds.", "以后各局由谁先抓牌。"),
    "declare_rank": text("Which rank a player may declare with.", "可以用哪个点数亮主。"),
    "declarer_by": text("How the declarer of a round is chosen.", "每局庄家的产生方式。"),
    "predetermined_declarer": text(
        "After the first round the last result decides who declares. Anybody may make trumps with the declarer's rank; "
        "the declarer takes the kitty.",
        "第一局之后庄家由上一局结果决定；任何人都可以用庄家的级牌定主，底牌归庄家。",
    ),
    "first_declarer": text("Who declares in the first round where the declarer rotates.", "轮庄时第一局由谁坐庄。"),
    "joker_declaration": text(
        "Whether jokers may be declared, for a round without a trump suit, and how many it takes.",
        "能否用王亮无主，需要几张。",
    ),
    "little_joker_declaration": text("Whether little jokers may be declared too.", "小王是否也可以亮无主。"),
    "joker_beside": text(
        "Whether a joker must lie beside the level cards of a declaration. It does not add to their number.",
        "用级牌亮主、反主时是否必须带一张王；这张王不计入张数。",
    ),
    "overcall": text("Which cards overcall the declaration that stands.", "什么牌可以反主。"),
    "overcall_by": text("Who may overcall.", "谁可以反主。"),
    "suit_order": text(
        "The order of the suits where a higher suit overcalls, in the deal or for the kitty.",
        "反主、炒底比花色时的大小次序。",
    ),
    "self_overcall": text(
        "Whether the trump maker may change the suit with a higher set.", "亮主者能否用更大的牌改换自己的主花色。"
    ),
    "reinforce": text(
        "Whether the trump maker may add identical cards to the declaration before being overcalled.",
        "亮主者在被反之前能否加同样的牌加固。",
    ),
    "defence": text(
        "Whether an overcalled player may add cards to match the length of the overcall, which cancels it.",
        "被反主的玩家能否补足同样张数的同样的牌，使反主无效。",
    ),
    "no_declaration": text("What happens when nobody declares.", "无人亮主时怎么办。"),
    "turned_joker": text("What a joker means that is turned up in the kitty.", "翻底牌翻到王时怎么办。"),
    "misdeal": text(
        "Which hands may ask for a new deal before the kitty is taken: without points or with few, without "
        "trumps or with few; and how often a round. Empty: none.",
        "拿底牌之前谁可以要求重发：没有分或分数很少的，没有主牌或主牌很少的；以及每局至多几次。空：无人。",
    ),
    "misdeal_starter": text("Who draws first after a misdeal.", "这样重发之后由谁先抓牌。"),
    "chao_di": text(
        "After each discard, other players may overcall for the kitty.", "每次埋底之后，其他玩家可以炒底。"
    ),
    "twos_always_trump": text("Twos are trumps in every round, below the trump rank.", "2 是常主，低于级牌。"),
    "red_fives": text(
        "The fives of hearts and of diamonds are trumps in every round, above the jokers, and hearts above diamonds.",
        "红心 5 和方块 5 是常主，且大过大小王；红心 5 大过方块 5。",
    ),
    "next_declarer": text("Who declares in the next round.", "下一局由谁坐庄。"),
    "kitty_shown": text("All players see the kitty before the declarer takes it.", "庄家拿底牌之前先亮给所有人看。"),
    "last_trick_to_gain": text(
        "The side that wins the round gains levels only if it wins the last trick too.", "赢方须赢得最后一轮才能升级。"
    ),
    "kitty_factor": text(
        "By what the points in the kitty are multiplied if the attackers win the last trick.",
        "闲家抠底时底牌分数的倍数。",
    ),
    "kitty_reveal": text(
        "The declarer may show the kitty before the first lead; its points are then not multiplied.",
        "庄家可以在首次出牌前亮出底牌，其分数便只算一倍。",
    ),
    "call_other_copy": text(
        "A declarer who holds one copy of a card may call 'the other one', whichever copy is played first.",
        "手中有一张的玩家可以叫“另一张”，不论哪张先出。",
    ),
    "start_level": text("The level at which everybody starts.", "所有人的起始级别。"),
    "points_per_level": text(
        "Points per level, counted up and down from the threshold, which need not be a multiple of them.",
        "从上台分数起每升一级所需的分数，不必能整除上台分数。",
    ),
    "short_team_bonus": text(
        "Declarers who win with fewer friends than possible gain a bonus.",
        "庄家一方少于最多人数而获胜时有奖励。",
    ),
    "auto_level": text(
        "With an even number of players, attackers who win gain an extra level.", "人数为偶数时，闲家获胜多升一级。"
    ),
    "must_play": text(
        "Levels that players pass only by winning them as declarers.", "必打级别：必须坐庄打赢才能过去。"
    ),
    "must_play_attempt_enough": text(
        "To pass a must-play level, one round as declarers is enough, won or lost.",
        "必打级别只需坐庄打过一次，不论输赢。",
    ),
    "hooks": text(
        "Levels at which the attackers can send the declarers back in the last trick, and the levels they fall to.",
        "最后一轮可使庄家退级的级别，以及退到的级别。",
    ),
    "laps": text(
        "After the ace come the joker level, then 2+, 3+ and so on; the game does not end by level.",
        "过 A 之后是王级，再从 2+、3+ 打起，整局不因级别而结束。",
    ),
    "short_laps": text("Later laps leave out 2 to 9.", "以后各圈省去 2 到 9。"),
    "active_passive": text(
        "Winners become active, losers passive; only active players make trumps. A passive winner's first point only "
        "makes the player active. Points are counted by a different table.",
        "赢家为主动，输家为被动；只有主动者可以亮主，被动的赢家第一分只转为主动，计分另有一表。",
    ),
    "decks": text("Number of full decks, including jokers.", "使用几副完整的牌（含王）。"),
    "special_decks": text(
        "Decks that are not full, one entry each: the lowest rank, and whether it has each joker.",
        "不完整的牌，每副一项：从哪个点数起，是否有大小王。",
    ),
    "kitty_size": text(
        "Number of cards in the kitty; low cards are removed if the rest cannot be dealt evenly.",
        "底牌张数；余牌不能均分时去掉个别小牌。",
    ),
    "chao_di_rule": text("Which cards overcall for the kitty.", "用什么牌可以炒底。"),
    "kitty_unit_of": text("Which play of the last trick sets the kitty factor.", "底牌倍数按最后一轮的哪手牌计算。"),
    "kitty_side_suit": text(
        "The kitty factor if the last trick is not won with trumps.", "最后一轮不是用主牌赢得时底牌的倍数。"
    ),
    "friend_calls": text("How many friends are called.", "叫几个朋友。"),
    "call_cards": text("Which cards may be called.", "可以叫哪些牌。"),
    "double_join": text(
        "Whether a player who is already on the declarer's side can fill another call.",
        "已在庄家一方的人再出所叫的牌是否算数。",
    ),
    "steps_to_win": text(
        "How many steps the attackers need to win; a step is the points per level.",
        "闲家上台需要几个级差；一个级差即每级分数。",
    ),
    "dead_zone": text(
        "Number of steps from the threshold on that win the attackers the round but no level.",
        "闲家过线后不升级的级差数。",
    ),
    "shut_out_level": text(
        "Declarers gain an extra level if the attackers have no points.", "闲家一分未得时庄家多升一级。"
    ),
    "negative_points": text("Throw penalties can bring the attackers below zero.", "罚分可使闲家得分为负。"),
    "levels_cap": text("The most levels that a side can gain in a round.", "一局最多升几级。"),
    "short_team_gain": text("The bonus for a smaller side of declarers.", "庄家一方人少时的奖励方式。"),
    "level_ladder": text(
        "The levels that are played: two or more, in ascending order. Empty: every rank.",
        "要打的级别，至少两级，从低到高。空：每一级都打。",
    ),
    "last_level": text("The last level.", "最后一级。"),
    "last_level_by": text("Who passes the last level.", "怎样才能过最后一级。"),
    "last_level_played": text(
        "The last level can be passed only in a round played at that level.", "只有所打的级别是最后一级时才能过。"
    ),
    "after_last": text("What comes after the last level.", "过了最后一级之后怎样。"),
    "one_level_per_round": text("Any gain is one level.", "无论多少，一局只升一级。"),
    "hook_rule": text("When declarers are sent back.", "怎样使庄家退级。"),
}

#: Option -> value -> its effect. True and false are not listed.
VALUES: Final[dict[str, dict[str, Text]]] = {
    "joker_policy": {
        "table": text("As in the ruleset's table.", "按本规则的表。"),
        "all_jokers": text(
            "Both jokers of every deck; the kitty has the number of cards nearest to six that allows an even deal.",
            "每副牌都用两张王；底牌取最接近六张、能平均发牌的张数。",
        ),
        "kitty_six": text("For five players: no little jokers, and a kitty of six.", "五人不用小王，底牌六张。"),
    },
    "direction": {
        "anticlockwise": text("Anticlockwise, to the right.", "逆时针。"),
        "clockwise": text("Clockwise, to the left.", "顺时针。"),
    },
    "deal_pace": {
        "timed": text(
            "Card by card at fixed intervals; players may declare at any moment, and for a while after the last card.",
            "每隔一段时间给每人一张；随时可以亮主，发完之后还有一段时间。",
        ),
        "instant": text(
            "Whole hands at once; then the seats are asked in turn until all have passed since the last declaration.",
            "一次发完；然后依次询问，直到自上次亮主后所有人都不亮、不反。",
        ),
    },
    "first_starter": {
        "draw_high_card": text("Everybody draws a card; the highest starts.", "每人抽一张，最大者先抓。"),
        "cut_and_count": text(
            "A card is cut, and its rank is counted off around the table.", "切一张牌，按点数数座位。"
        ),
    },
    "first_draw": {
        "by_result": text("Decided by the last round's result.", "由上一局的结果决定。"),
        "pass_right": text("The seat after the one that drew first in the last round.", "上一局先抓牌者的下一位。"),
    },
    "declare_rank": {
        "own_level": text("The player's own level.", "玩家自己的级别。"),
        "round_level": text("The round's level, known before the deal.", "本局开始前已定的级别。"),
        "any_active_level": text("The level of any active player.", "任何一位主动玩家的级别。"),
    },
    "declarer_by": {
        "trump_maker": text("The trump maker, in every round.", "每局都由定主者坐庄。"),
        "rotation": text(
            "The trump maker in the first round; later the last result decides.", "第一局定主者坐庄，以后由结果决定。"
        ),
    },
    "first_declarer": {
        "last": text("The last player to declare or overcall.", "最后亮主或反主的人。"),
        "first": text("The first player to declare.", "最先亮牌的人。"),
    },
    "next_declarer": {
        "by_result": text(
            "Decided by the result: the declarers keep the place, or the attackers get it.",
            "由结果决定：庄家一方连庄，或由闲家坐庄。",
        ),
        "next_seat": text(
            "The seat after the declarer, whoever wins; it also draws first.", "无论输赢都由庄家的下一位坐庄并先抓牌。"
        ),
    },
    "joker_beside": {
        "none": text("No, level cards are declared alone.", "不带王，只用级牌。"),
        "matching": text(
            "Yes, one of the colour: a big joker with hearts or diamonds, a little one with spades or clubs.",
            "必须带一张同色的王：红桃、方块带大王，黑桃、梅花带小王。",
        ),
        "any": text("Yes, any one joker.", "必须带一张王，大小王均可。"),
    },
    "joker_declaration": {
        "none": text("Jokers cannot be declared.", "王不能亮主。"),
        "single": text("It takes one joker.", "一张王即可亮无主。"),
        "all_decks": text("It takes all little jokers or all big jokers of the game.", "须亮出同种的所有王。"),
        "all_but_one_big": text(
            "It takes all little jokers, or all big jokers but one.", "须亮出所有小王，或除一张外的所有大王。"
        ),
        "pair": text("It takes two identical jokers.", "两张以上相同的王可亮无主。"),
    },
    "overcall": {
        "none": text("Nothing: the first declaration is final.", "不能反主，先亮为准。"),
        "longer": text("More identical cards.", "更多张相同的牌。"),
        "longer_or_jokers": text(
            "More identical cards. At equal length, little jokers beat rank cards, and big jokers beat both.",
            "更多张相同的牌；张数相同时小王大过级牌，大王大过小王。",
        ),
        "longer_or_suit": text(
            "More identical cards. At equal length, jokers as above, and with two or more cards a higher suit. Low to "
            "high: D, C, H, S.",
            "更多张相同的牌；张数相同时小王大过级牌，大王大过小王；两张以上还可用更大的花色，从小到大：方块、梅花、红心、黑桃。",
        ),
        "jokers_first": text(
            "Jokers beat any rank cards. Otherwise more cards win; at equal length big jokers beat little ones.",
            "王大过任何级牌；其余以张数多者为大，张数相同时大王大过小王。",
        ),
    },
    "overcall_by": {
        "anyone": text("Anybody but the trump maker.", "亮主者以外的任何人。"),
        "other_team": text("Only the other team.", "只有对方。"),
    },
    "defence": {
        "none": text("No; it takes an overcall with more cards.", "不能；须用更多的牌再反。"),
        "immediate": text("Yes, right after the overcall.", "可以，须立即。"),
        "any_time": text("Yes, at any moment of the deal.", "可以，发牌中随时都行。"),
    },
    "no_declaration": {
        "redeal": text("A new deal in which the same seat draws first.", "重发，先抓牌者不变。"),
        "flip_kitty": text(
            "Kitty cards are turned up one by one; the first card of the trump rank sets the suit. If there is none, "
            "the highest card does, ignoring jokers; of equal cards the one turned first.",
            "逐张翻底牌，遇到级牌即定主；没有则以最大的牌（王除外）定主，同大取先翻者。",
        ),
        "redeal_open": text(
            "A new deal in which the same seat draws first and the trump maker becomes declarer.",
            "重发，先抓牌者不变，由定主者坐庄。",
        ),
        "random_suit": text("A suit is chosen at random.", "随机定一门主花色。"),
        "first_kitty_card": text(
            "The first card of the kitty sets the suit; a joker makes no trump suit, unless jokers name suits.",
            "以第一张底牌的花色为主；翻到王则无主，除非王也定花色。",
        ),
        "fourth_kitty_card": text(
            "The fourth card of the kitty sets the suit; a joker makes no trump suit, unless jokers name suits.",
            "以第四张底牌的花色为主；翻到王则无主，除非王也定花色。",
        ),
        "flip_kitty_or_joker": text(
            "Kitty cards are turned up one by one as well, but if a joker comes first, there is no trump suit, unless "
            "jokers name suits.",
            "同样逐张翻底牌，但先翻到王则无主，除非王也定花色。",
        ),
        "no_trump": text("There is no trump suit.", "打无主。"),
    },
    "misdeal_starter": {
        "same": text("The same seat as before.", "与之前相同。"),
        "caller": text("The player who asked for the new deal.", "要求重发的人。"),
    },
    "kitty_factor": {
        "fixed": text("Two.", "两倍。"),
        "by_lead": text(
            "Twice the width of the largest unit led to the last trick, doubled for each tuple after its first.",
            "最后一轮所出最大牌型的宽度的两倍，每多连一组再加倍。",
        ),
        "by_lead_2n": text("Twice the number of cards in that unit.", "该牌型张数的两倍。"),
        "by_lead_power": text("Two to the power of the number of cards in that unit.", "2 的（该牌型张数）次方。"),
        "table_248": text(
            "Eight if the lead has a tractor, four if it has a tuple, otherwise two.",
            "单张两倍，有对子四倍，有拖拉机八倍。",
        ),
        "by_play_2n": text(
            "Twice the number of cards that each player plays to the last trick.", "每人所出张数的两倍。"
        ),
    },
    "chao_di_rule": {
        "pairs_by_suit": text(
            "A higher pair, from high to low: big jokers, little jokers, then the rank in S, H, C, D.",
            "对子：大王、小王，再按黑桃、红心、梅花、方块。",
        ),
        "overcall": text("The same cards as overcall in the deal.", "与发牌时反主相同。"),
    },
    "kitty_unit_of": {
        "lead": text("The lead.", "首家所出。"),
        "winning_play": text("The winning play.", "赢得该轮的牌。"),
    },
    "kitty_side_suit": {
        "full": text("Unchanged.", "不变。"),
        "half": text("Halved, rounded down.", "减半，向下取整。"),
    },
    "suit_order": {
        "clubs_over_diamonds": text("Spades, hearts, clubs, diamonds.", "黑桃、红桃、梅花、方块。"),
        "diamonds_over_clubs": text("Spades, hearts, diamonds, clubs.", "黑桃、红桃、方块、梅花。"),
    },
    "turned_joker": {
        "no_suit": text("There is no trump suit.", "打无主。"),
        "names_suit": text(
            "The big joker makes hearts trumps, the little one spades.", "大王以红桃为主，小王以黑桃为主。"
        ),
    },
    "call_cards": {
        "no_trumps": text("All cards but trumps.", "除主牌外都可以。"),
        "any": text("All cards, including trumps.", "任何牌，包括主牌。"),
        "no_highest": text(
            "All cards but trumps and aces; if aces are the trump rank, no kings.", "主牌和 A 不能叫；打 A 时不能叫 K。"
        ),
        "no_points": text(
            "All cards but trumps, 5, T and K; if aces are the trump rank, kings may be called.",
            "主牌、5、10、K 不能叫；打 A 时可叫 K。",
        ),
    },
    "levels_cap": {"none": text("No limit.", "不限。")},
    "short_team_gain": {
        "multiplied": text("The full gain again for each missing friend.", "每少一人再升同样的级数。"),
        "one_level": text("One level, however many friends are missing.", "不论少几人都多升一级。"),
    },
    "last_level": {
        "A": text("The ace, or the last of the levels that are played.", "A，或所打级别的最后一级。"),
        "NT": text("No-trump, after the ace.", "A 之后的无主级。"),
    },
    "last_level_by": {
        "declarers_there": text(
            "Players who are at it when the round begins and win the round as declarers.",
            "本局开始时在该级且坐庄打赢的人。",
        ),
        "anyone": text("Any player at it who gains a level.", "在该级升级的任何人。"),
    },
    "after_last": {
        "end": text("The game ends.", "整局结束。"),
        "wrap": text("The first level follows, and the game goes on.", "回到第一级，继续打。"),
    },
    "hook_rule": {
        "trump_card": text(
            "If the attackers win the round, and win its last trick with the trump-suit card of the trump rank.",
            "闲家获胜，且用主花色的级牌赢得最后一轮。",
        ),
        "lone_card": text(
            "If the attackers win the last trick with a single card of the level's rank, whoever wins the round.",
            "闲家用一张级牌赢得最后一轮，不论本局谁胜。",
        ),
    },
    "start_level": {
        "NT": text("No-trump, after the ace.", "无主级，在 A 之后。"),
        "joker": text("The joker level, after the ace.", "王级，在 A 之后。"),
    },
}
