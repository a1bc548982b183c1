"""Options from the cards to the friends: titles, meanings, and effects of values."""

from typing import Final

from service.texts import OptionText, text

#: Option -> its texts.
OPTIONS: Final[dict[str, OptionText]] = {
    "joker_policy": OptionText(
        text("Jokers in the cards", "王牌"),
        text("Which jokers are in the game; the size of the kitty depends on it.", "使用哪些王牌，底牌张数随之而定。"),
        {
            "table": text("As in the ruleset's table.", "按本规则的表。"),
            "all_jokers": text(
                "Both jokers of every deck; the kitty has the number of cards nearest to six that allows an even deal.",
                "每副牌都用两张王；底牌取最接近六张、能平均发牌的张数。",
            ),
            "kitty_six": text("For five players: no little jokers, and a kitty of six.", "五人不用小王，底牌六张。"),
        },
    ),
    "direction": OptionText(
        text("Direction of play", "出牌方向"),
        text(
            "The direction in which players take their turns.",
            "轮流出牌的方向。",
        ),
        {
            "anticlockwise": text("Anticlockwise, to the right.", "逆时针。"),
            "clockwise": text("Clockwise, to the left.", "顺时针。"),
        },
    ),
    "deal_pace": OptionText(
        text("Pace of the deal", "发牌速度"),
        text("How cards are dealt.", "发牌的方式。"),
        {
            "timed": text(
                "Card by card at fixed intervals; players may declare at any moment, and for a while after the last "
                "card.",
                "每隔一段时间给每人一张；随时可以亮主，发完之后还有一段时间。",
            ),
            "instant": text(
                "Whole hands at once; then the seats are asked in turn until all have passed since the last "
                "declaration.",
                "一次发完；然后依次询问，直到自上次亮主后所有人都不亮、不反。",
            ),
        },
    ),
    "first_starter": OptionText(
        text("First to draw in round one", "首局先抓"),
        text("How the seat that draws first in a game is chosen.", "整局第一位抓牌者的选法。"),
        {
            "draw_high_card": text("Everybody draws a card; the highest starts.", "每人抽一张，最大者先抓。"),
            "cut_and_count": text(
                "A card is cut, and its rank is counted off around the table.", "切一张牌，按点数数座位。"
            ),
        },
    ),
    "first_draw": OptionText(
        text("First to draw in later rounds", "以后先抓"),
        text("Who draws first in later rounds.", "以后各局由谁先抓牌。"),
        {
            "by_result": text("Decided by the last round's result.", "由上一局的结果决定。"),
            "pass_right": text("The seat after the one that drew first in the last round.", "上一局先抓牌者的下一位。"),
        },
    ),
    "declare_rank": OptionText(
        text("Rank to declare with", "亮主点数"),
        text("Which rank a player may declare with.", "可以用哪个点数亮主。"),
        {
            "own_level": text("The player's own level.", "玩家自己的级别。"),
            "round_level": text("The round's level, known before the deal.", "本局开始前已定的级别。"),
            "any_active_level": text("The level of any active player.", "任何一位主动玩家的级别。"),
        },
    ),
    "declarer_by": OptionText(
        text("Choice of the declarer", "庄家产生方式"),
        text("How the declarer of a round is chosen.", "每局庄家的产生方式。"),
        {
            "trump_maker": text("The trump maker, in every round.", "每局都由定主者坐庄。"),
            "rotation": text(
                "The trump maker in the first round; later the last result decides.",
                "第一局定主者坐庄，以后由结果决定。",
            ),
        },
    ),
    "predetermined_declarer": OptionText(
        text("Last round decides the declarer", "庄家由上局决定"),
        text(
            "After the first round the last result decides who declares. Anybody may make trumps with the declarer's "
            "rank; the declarer takes the kitty.",
            "第一局之后庄家由上一局结果决定；任何人都可以用庄家的级牌定主，底牌归庄家。",
        ),
    ),
    "first_declarer": OptionText(
        text("Declarer of the first round", "首局庄家"),
        text("Who declares in the first round where the declarer rotates.", "轮庄时第一局由谁坐庄。"),
        {
            "last": text("The last player to declare or overcall.", "最后亮主或反主的人。"),
            "first": text("The first player to declare.", "最先亮牌的人。"),
        },
    ),
    "joker_declaration": OptionText(
        text("Declaring with jokers", "用王亮主"),
        text(
            "Whether jokers may be declared, for a round without a trump suit, and how many it takes.",
            "能否用王亮无主，需要几张。",
        ),
        {
            "none": text("Jokers cannot be declared.", "王不能亮主。"),
            "single": text("It takes one joker.", "一张王即可亮无主。"),
            "all_decks": text("It takes all little jokers or all big jokers of the game.", "须亮出同种的所有王。"),
            "all_but_one_big": text(
                "It takes all little jokers, or all big jokers but one.", "须亮出所有小王，或除一张外的所有大王。"
            ),
            "pair": text("It takes two identical jokers.", "两张以上相同的王可亮无主。"),
        },
    ),
    "little_joker_declaration": OptionText(
        text("Declaring with little jokers", "小王亮主"),
        text("Whether little jokers may be declared too.", "小王是否也可以亮无主。"),
    ),
    "joker_beside": OptionText(
        text("A joker beside the level card", "带王亮主"),
        text(
            "Whether a joker must lie beside the level cards of a declaration. It does not add to their number.",
            "用级牌亮主、反主时是否必须带一张王；这张王不计入张数。",
        ),
        {
            "none": text("No, level cards are declared alone.", "不带王，只用级牌。"),
            "matching": text(
                "Yes, one of the colour: a big joker with hearts or diamonds, a little one with spades or clubs.",
                "必须带一张同色的王：红心、方块带大王，黑桃、梅花带小王。",
            ),
            "any": text("Yes, any one joker.", "必须带一张王，大小王均可。"),
        },
    ),
    "jokers_open": OptionText(
        text("Jokers declare first", "无主首亮"),
        text(
            "Whether jokers alone may be the first declaration, or only overcall one.",
            "王能否首亮无主，还是只能用于反主。",
        ),
    ),
    "overcall": OptionText(
        text("Overcalling", "反主"),
        text("Which cards overcall the declaration that stands.", "什么牌可以反主。"),
        {
            "none": text("Nothing: the first declaration is final.", "不能反主，先亮为准。"),
            "longer": text("More identical cards.", "更多张相同的牌。"),
            "longer_or_jokers": text(
                "More identical cards. At equal length, little jokers beat rank cards, and big jokers beat both.",
                "更多张相同的牌；张数相同时小王大过级牌，大王大过小王。",
            ),
            "longer_or_suit": text(
                "More identical cards. At equal length, jokers as above, and with two or more cards a higher suit. "
                "Low to high: D, C, H, S.",
                "更多张相同的牌；张数相同时小王大过级牌，大王大过小王；两张以上还可用更大的花色，从小到大：方块、梅花、红心、黑桃。",
            ),
            "jokers_first": text(
                "Jokers beat any rank cards. Otherwise more cards win; at equal length big jokers beat little ones.",
                "王大过任何级牌；其余以张数多者为大，张数相同时大王大过小王。",
            ),
        },
    ),
    "overcall_rank": OptionText(
        text("Rank to overcall with", "反主点数"),
        text("Which rank overcalls, and whether that changes the declarer.", "用哪个点数反主，反主后是否换庄。"),
        {
            "own": text("The player's own level; who overcalls becomes declarer.", "用自己的级牌反主，反主者坐庄。"),
            "first": text(
                "The level of the first to declare, who stays declarer; overcalls change only the suit.",
                "用最先亮主者的级牌反主，只改花色，庄家不变。",
            ),
        },
    ),
    "overcall_by": OptionText(
        text("Who may overcall", "谁可反主"),
        text("Who may overcall.", "谁可以反主。"),
        {
            "anyone": text("Anybody but the trump maker.", "亮主者以外的任何人。"),
            "other_team": text("Only the other team.", "只有对方。"),
        },
    ),
    "suit_order": OptionText(
        text("Order of the suits", "花色大小"),
        text(
            "The order of the suits where a higher suit overcalls, in the deal or for the kitty.",
            "反主、炒底比花色时的大小次序。",
        ),
        {
            "clubs_over_diamonds": text("Spades, hearts, clubs, diamonds.", "黑桃、红心、梅花、方块。"),
            "diamonds_over_clubs": text("Spades, hearts, diamonds, clubs.", "黑桃、红心、方块、梅花。"),
        },
    ),
    "self_overcall": OptionText(
        text("Overcalling oneself", "自反"),
        text(
            "Whether the trump maker may change the suit with a higher set.", "亮主者能否用更大的牌改换自己的主花色。"
        ),
    ),
    "reinforce": OptionText(
        text("Reinforcing", "加固"),
        text(
            "Whether the trump maker may add identical cards to the declaration before being overcalled.",
            "亮主者在被反之前能否加同样的牌加固。",
        ),
    ),
    "defence": OptionText(
        text("Defending", "保主"),
        text(
            "Whether an overcalled player may add cards to match the length of the overcall, which cancels it.",
            "被反主的玩家能否补足同样张数的同样的牌，使反主无效。",
        ),
        {
            "none": text("No; it takes an overcall with more cards.", "不能；须用更多的牌再反。"),
            "immediate": text("Yes, right after the overcall.", "可以，须立即。"),
            "any_time": text("Yes, at any moment of the deal.", "可以，发牌中随时都行。"),
        },
    ),
    "no_declaration": OptionText(
        text("If nobody declares", "无人亮主"),
        text("What happens when nobody declares.", "无人亮主时怎么办。"),
        {
            "redeal": text("A new deal in which the same seat draws first.", "重发，先抓牌者不变。"),
            "flip_kitty": text(
                "Kitty cards are turned up one by one; the first card of the trump rank sets the suit. If there is "
                "none, the highest card does, ignoring jokers; of equal cards the one turned first.",
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
                "Kitty cards are turned up one by one as well, but if a joker comes first, there is no trump suit, "
                "unless jokers name suits.",
                "同样逐张翻底牌，但先翻到王则无主，除非王也定花色。",
            ),
            "no_trump": text("There is no trump suit.", "打无主。"),
        },
    ),
    "turned_joker": OptionText(
        text("If a joker is turned up", "翻到王"),
        text("What a joker means that is turned up in the kitty.", "翻底牌翻到王时怎么办。"),
        {
            "no_suit": text("There is no trump suit.", "打无主。"),
            "names_suit": text(
                "The big joker makes hearts trumps, the little one spades.", "大王以红心为主，小王以黑桃为主。"
            ),
        },
    ),
    "misdeal": OptionText(
        text("Asking for a new deal", "要求重发"),
        text(
            "Which hands may ask for a new deal before the kitty is taken: without points or with few, without "
            "trumps or with few; and how often a round. Empty: none.",
            "拿底牌之前谁可以要求重发：没有分或分数很少的，没有主牌或主牌很少的；以及每局至多几次。空：无人。",
        ),
    ),
    "misdeal_starter": OptionText(
        text("First to draw after a misdeal", "重发先抓"),
        text("Who draws first after a misdeal.", "这样重发之后由谁先抓牌。"),
        {
            "same": text("The same seat as before.", "与之前相同。"),
            "caller": text("The player who asked for the new deal.", "要求重发的人。"),
        },
    ),
    "chao_di": OptionText(
        text("Overcalling for the kitty", "炒底"),
        text("After each discard, other players may overcall for the kitty.", "每次埋底之后，其他玩家可以炒底。"),
    ),
    "twos_always_trump": OptionText(
        text("Twos always trumps", "常主 2"),
        text("Twos are trumps in every round, below the trump rank.", "2 是常主，低于级牌。"),
    ),
    "red_fives": OptionText(
        text("Red fives highest", "红五最大"),
        text(
            "The fives of hearts and of diamonds are trumps in every round, above the jokers, and hearts above "
            "diamonds.",
            "红心 5 和方块 5 是常主，且大过大小王；红心 5 大过方块 5。",
        ),
    ),
    "next_declarer": OptionText(
        text("Next declarer", "轮庄"),
        text("Who declares in the next round.", "下一局由谁坐庄。"),
        {
            "by_result": text(
                "Decided by the result: the declarers keep the place, or the attackers get it.",
                "由结果决定：庄家一方连庄，或由闲家坐庄。",
            ),
            "next_seat": text(
                "The seat after the declarer, whoever wins; it also draws first.",
                "无论输赢都由庄家的下一位坐庄并先抓牌。",
            ),
        },
    ),
    "kitty_shown": OptionText(
        text("Kitty seen by all", "底牌公开"),
        text("All players see the kitty before the declarer takes it.", "庄家拿底牌之前先亮给所有人看。"),
    ),
    "kitty_factor": OptionText(
        text("Kitty factor", "底牌倍数"),
        text(
            "By what the points in the kitty are multiplied if the attackers win the last trick.",
            "闲家抠底时底牌分数的倍数。",
        ),
        {
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
    ),
    "kitty_reveal": OptionText(
        text("Showing the kitty", "亮出底牌"),
        text(
            "The declarer may show the kitty before the first lead; its points are then not multiplied.",
            "庄家可以在首次出牌前亮出底牌，其分数便只算一倍。",
        ),
    ),
    "call_other_copy": OptionText(
        text("Calling the other copy", "叫另一张"),
        text(
            "A declarer who holds one copy of a card may call 'the other one', whichever copy is played first.",
            "手中有一张的玩家可以叫“另一张”，不论哪张先出。",
        ),
    ),
    "decks": OptionText(
        text("Number of decks", "几副牌"), text("Number of full decks, including jokers.", "使用几副完整的牌（含王）。")
    ),
    "special_decks": OptionText(
        text("Short decks", "不完整的牌"),
        text(
            "Decks that are not full, one entry each: the lowest rank, and whether it has each joker.",
            "不完整的牌，每副一项：从哪个点数起，是否有大小王。",
        ),
    ),
    "kitty_size": OptionText(
        text("Size of the kitty", "底牌张数"),
        text(
            "Number of cards in the kitty; low cards are removed if the rest cannot be dealt evenly.",
            "底牌张数；余牌不能均分时去掉个别小牌。",
        ),
    ),
    "chao_di_rule": OptionText(
        text("What overcalls for the kitty", "炒底用牌"),
        text("Which cards overcall for the kitty.", "用什么牌可以炒底。"),
        {
            "pairs_by_suit": text(
                "A higher pair, from high to low: big jokers, little jokers, then the rank in S, H, C, D.",
                "对子：大王、小王，再按黑桃、红心、梅花、方块。",
            ),
            "overcall": text("The same cards as overcall in the deal.", "与发牌时反主相同。"),
        },
    ),
    "kitty_unit_of": OptionText(
        text("Play that sets the factor", "定倍数的牌"),
        text("Which play of the last trick sets the kitty factor.", "底牌倍数按最后一轮的哪手牌计算。"),
        {
            "lead": text("The lead.", "首家所出。"),
            "winning_play": text("The winning play.", "赢得该轮的牌。"),
        },
    ),
    "kitty_side_suit": OptionText(
        text("Kitty won in a side suit", "副牌抠底"),
        text("The kitty factor if the last trick is not won with trumps.", "最后一轮不是用主牌赢得时底牌的倍数。"),
        {
            "full": text("Unchanged.", "不变。"),
            "half": text("Halved, rounded down.", "减半，向下取整。"),
        },
    ),
    "friend_by": OptionText(
        text("How a friend is found", "朋友的产生"),
        text(
            "Whether the declarer calls a card, or the card declared with does.", "由庄家叫牌，还是由所亮的牌定朋友。"
        ),
        {
            "call": text("The declarer calls a card.", "庄家叫一张牌。"),
            "shown_card": text(
                "A declarer who declared with a single level card has the holder of its other copy as friend. "
                "Otherwise the declarer calls a card.",
                "庄家亮一张级牌定主时，持有另一张同样级牌的人是朋友；否则由庄家叫牌。",
            ),
        },
    ),
    "friend_calls": OptionText(
        text("Number of friends", "朋友人数"), text("How many friends are called.", "叫几个朋友。")
    ),
    "call_cards": OptionText(
        text("Cards that may be called", "可叫的牌"),
        text("Which cards may be called.", "可以叫哪些牌。"),
        {
            "no_trumps": text("All cards but trumps.", "除主牌外都可以。"),
            "any": text("All cards, including trumps.", "任何牌，包括主牌。"),
            "no_highest": text(
                "All cards but trumps and aces; if aces are the trump rank, no kings.",
                "主牌和 A 不能叫；打 A 时不能叫 K。",
            ),
            "no_points": text(
                "All cards but trumps, 5, T and K; if aces are the trump rank, kings may be called.",
                "主牌、5、10、K 不能叫；打 A 时可叫 K。",
            ),
        },
    ),
    "double_join": OptionText(
        text("Joining twice", "重复入队"),
        text(
            "Whether a player who is already on the declarer's side can fill another call.",
            "已在庄家一方的人再出所叫的牌是否算数。",
        ),
    ),
}
