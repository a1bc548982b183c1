/**
 * How the games are played without options: what to know for a first round.
 *
 * @typedef {{ en: string, "zh-Hans": string }} Text
 * @typedef {{ title: Text, text: Text }} Section
 */

/** @param {[string, string]} title @param {[string, string]} text in English and Chinese @returns {Section} */
const section = ([en, zh], [text, textZh]) => ({ title: { en, "zh-Hans": zh }, text: { en: text, "zh-Hans": textZh } });

const AIM =
  "One side, the declarers, defends its level. The other side, the attackers, collects points: kings and tens count 10, fives count 5. With enough points the attackers take over; with too few, the declarers go up. All begin at level 2, and whoever passes the ace first has won.";
const AIM_ZH =
  "庄家一方守级，闲家一方抓分：K 和 10 各 10 分，5 是 5 分。闲家抓够分就上台，抓不够则庄家一方升级。大家都从 2 打起，先打过 A 的一方获胜。";

const WHAT = section(
  ["What the game is", "这是什么游戏"],
  [
    `Sheng Ji is played in tricks, like whist. Each player in turn plays a card; the highest takes the trick, and its player leads to the next one. Partners sit opposite each other, or every other seat with six players. ${AIM}`,
    `升级是一轮一轮出牌的扑克游戏：每人依次出牌，牌最大的一家赢得这一轮，并先出下一轮。对家是搭档；六人局隔位为伴。${AIM_ZH}`,
  ],
);

const WHAT_FRIENDS = section(
  ["What the game is", "这是什么游戏"],
  [
    `The game is played in tricks, like whist. Each player in turn plays a card; the highest takes the trick, and its player leads to the next one. Who plays with whom is decided anew in each round: the declarer looks for friends. ${AIM}`,
    `这是一轮一轮出牌的扑克游戏：每人依次出牌，牌最大的一家赢得这一轮，并先出下一轮。谁和谁一伙每局重新决定：庄家要找朋友。${AIM_ZH}`,
  ],
);

const TRUMPS = section(
  ["Trumps", "主牌"],
  [
    "In each round one suit is trumps. So are the jokers and all cards of the level: at level 2 every two, whatever its suit. All trumps count as one suit, and each of them beats every other card. From high to low: big joker, little joker, the two of the trump suit, the other twos, then ace, king, queen and so on down to three. In other suits the ace is the highest card.",
    "每局有一门花色是主。大小王和所有级牌也都是主牌：打 2 时，四种花色的 2 都算。主牌合为一门，任何一张都大过副牌。从大到小：大王、小王、主花色的 2、其他的 2，然后是主花色的 A、K、Q，一直到 3。副牌里 A 最大。",
  ],
);

const DECLARE = section(
  ["Trumps are declared", "亮主"],
  [
    "While the cards are dealt, whoever holds a card of the level may show it, and its suit is trumps. Two identical ones overrule one, and two jokers overrule these: then there is no trump suit. In the first round, whoever has made trumps is the declarer.",
    "摸牌时，谁有级牌就可以亮出来，它的花色就是主。一对级牌可以反单张，一对王可以反一对级牌，这时打无主。第一局由亮主的人坐庄。",
  ],
);

const DECLARE_FIRST = section(
  ["Trumps are declared", "亮主"],
  [
    "While the cards are dealt, whoever holds a card of the level may show it, and its suit is trumps: the first one counts. In the first round, whoever has made trumps is the declarer.",
    "摸牌时，谁有级牌就可以亮出来，它的花色就是主，先亮先得。第一局由亮主的人坐庄。",
  ],
);

const DECLARE_OWN = section(
  ["Trumps are declared", "亮主"],
  [
    "While the cards are dealt, whoever holds a card of their own level may show it: its suit is trumps, its rank is the level of the round, and who has shown it is the declarer. More identical cards overrule fewer.",
    "摸牌时，谁有自己级别的牌就可以亮出来：它的花色就是主，它的点数就是本局的级牌，亮牌的人坐庄。相同的牌多的可以反少的。",
  ],
);

const KITTY = section(
  ["The kitty", "底牌"],
  [
    "A few cards are left over: the kitty. The declarer takes them in, and buries as many cards of the hand, face down. If the attackers win the last trick, points that lie there count for them, doubled or more. So bury low cards, and no points that you cannot protect.",
    "发牌后剩下的几张是底牌。庄家拿起底牌，再埋下同样张数。如果最后一轮被闲家赢下，底牌里的分翻倍算给闲家，这叫抠底。所以多埋小牌，没有把握保底就别埋分。",
  ],
);

const FRIENDS = section(
  ["Friends", "找朋友"],
  [
    "Then the declarer calls cards, such as “the first ace of spades”. Whoever plays a called card becomes the declarer's friend, and from then on everybody knows it. All others are attackers. Until then nobody says what they hold. Each player has a level of their own.",
    "接着庄家叫牌，例如“第一张黑桃 A”。谁打出所叫的牌，谁就是庄家的朋友，从这时起大家都知道；其余的人是闲家。在此之前，手里有没有这张牌不能说。每人的级别各算各的。",
  ],
);

const FOLLOW = section(
  ["Follow suit", "跟牌"],
  [
    "Whoever leads may play any card. All others must follow suit: if clubs are led and you hold clubs, you must play one of them, high or low as you like. Only if you have none you may play anything: a trump, which wins unless somebody plays a higher one, or a card that you do not need. Of two equal cards, the one played first is higher.",
    "首家可以出任意一张牌。其他人必须跟同样的花色：领出梅花而您有梅花，就必须出梅花，大小随意。只有这门花色没有牌了，才可以随便出：用主牌毙掉，只要没有更大的主牌就赢；或者垫一张没用的牌。两张牌一样大，先出的大。",
  ],
);

const UNITS = section(
  ["Pairs, tractors and throws", "对子、拖拉机和甩牌"],
  [
    "With two decks or more, two identical cards are a pair, and pairs of neighbouring ranks are a tractor, such as 7-7-8-8. If a pair is led, follow with a pair of the suit if you hold one; otherwise with any two cards of it. It is the same with tractors. A throw is several of these at once, such as an ace and two kings: it holds if nobody has anything higher for any of its parts.",
    "两副牌以上时，两张相同的牌是对子，相连的对子是拖拉机，例如 7788。领出对子，您这门花色有对子就必须跟对子，没有对子就出这门花色的两张单张；拖拉机也一样。甩牌是一次出几手牌，例如一张 A 和一对 K：其中每一手都没有人能管，才能成功。",
  ],
);

const POINTS = section(
  ["Where points go", "抓分"],
  [
    "Only points in tricks of the attackers count. So give kings, tens and fives to a trick that your side wins, and low cards to one that the other side wins.",
    "只有闲家赢下的各轮里的分才算。自己一方赢的时候给分，对方赢的时候出小牌，别给分。",
  ],
);

const LEVELS = section(
  ["Levels", "升级"],
  [
    "When all cards are played, the round is over. The winners go up by a level or more, and the next round is dealt. Its trumps are the cards of the level of whoever declares then.",
    "手牌出完，一局结束。赢的一方升一级或几级，然后重新发牌；下一局打下一位庄家的级别。",
  ],
);

const ARMS = [
  section(
    ["What the game is", "这是什么游戏"],
    [
      "Two pairs of partners play 13 tricks with one deck, without jokers. In each trick everybody plays one card; the highest takes it, and its player leads to the next one. Of two partners, one takes the high road and tries to win many tricks, the other takes the low road and tries to win few. Four rounds are played, and the higher total wins.",
      "一副牌，没有王，对家为伴，每局打 13 轮。每轮每人出一张，最大的一家赢得这一轮，并先出下一轮。两个搭档里，一个走高路，要多赢几轮；一个走低路，要少赢几轮。共打四局，总分高的一方获胜。",
    ],
  ),
  section(
    ["The roads", "两条路"],
    [
      "Before the first lead, you and your partner say which road each of you takes, and nothing else: high, low, or either. With high cards take the high road.",
      "开始出牌前，您和对家各选一条路：高路、低路，或者都可以；除此之外不能交流。手里大牌多，就走高路。",
    ],
  ),
  section(
    ["Follow suit", "跟牌"],
    [
      "If you hold the suit that is led, you must play it, and you must beat the best card so far if you can. Without the suit you must beat the trumps that lie there if you can; otherwise play anything. At first there are no trumps: the first card that a player without the suit throws away makes its suit trumps for the round.",
      "有所领的花色就必须跟，而且能大必须大。没有这门花色，能用主牌管就必须管，否则随便出。开始时没有主：第一张垫出的牌是什么花色，那门花色就成为本局的主。",
    ],
  ),
  section(
    ["Points", "得分"],
    [
      "A side scores ten points for each trick that the high road has won more than the low road, and one for each trick of the high road. If the low road has won more, the side scores nothing.",
      "高路比低路每多赢一轮得 10 分，高路每赢一轮再得 1 分。低路赢得更多，则不得分。",
    ],
  ),
];

/** Games in which the declarer calls for friends. */
const OF_FRIENDS = new Set(["zhaopengyou", "zhaopengyou_80", "finding_friends"]);

/** How a game is played. @param {import("../types").Ruleset} rules @returns {Section[]} */
export function proseOf({ id, family }) {
  if (family === "arms_length") return ARMS;
  const friends = OF_FRIENDS.has(id);
  const oneDeck = id === "sishifen";
  const declare = friends && id !== "finding_friends" ? DECLARE_OWN : oneDeck ? DECLARE_FIRST : DECLARE;
  return [
    friends ? WHAT_FRIENDS : WHAT,
    TRUMPS,
    declare,
    KITTY,
    ...(friends ? [FRIENDS] : []),
    FOLLOW,
    ...(oneDeck ? [] : [UNITS]),
    POINTS,
    LEVELS,
  ];
}
