/**
 * The lessons, in their order. Each deal was chosen so that the AI players of level `easy`, who decide by the deal and
 * the plays alone, play as its steps say; `tests/web/lessons/test_lessons.py` plays all of them.
 */
import { text } from "../texts/both.js";

/**
 * A table where all cards are dealt at once.
 * @param {string} ruleset
 * @param {number} players
 * @param {number} number of the deal
 * @param {number} starter
 * @param {number} [declarer] left out: whoever makes trumps
 * @param {object} [more]
 */
const table = (ruleset, players, number, starter, declarer, more = {}) => ({
  ruleset: /** @type {any} */ (ruleset),
  players,
  options: { deal_pace: "instant" },
  deal: { server_seed: number.toString(16).padStart(64, "0"), starter, ...(declarer !== undefined && { declarer }) },
  ...more,
});

/** @type {import("./coach.js").Lesson[]} */
export const LESSONS = [
  {
    id: "points",
    title: text("Points", "分"),
    intro: text(
      "Sheng Ji is about points: kings and tens count 10 each, fives count 5, all other cards nothing. Whoever plays the highest card of a trick takes all the points in it for their side. The player across from you is your partner. In this lesson, with one deck, you collect points.",
      "升级打的是分：K 和 10 各 10 分，5 是 5 分，别的牌没有分。一轮里谁的牌最大，这一轮的分就归谁那一方。坐在您对面的是您的搭档。这一课用一副牌，您来抓分。",
    ),
    end: text(
      "Done: you have given points to your partner, and taken some yourself. The number at the top counts those of the attackers.",
      "完成！您给搭档送了分，自己也拿了分。上面的数字是闲家的总分。",
    ),
    table: table("sishifen", 4, 986, 1, 1),
    steps: [
      { do: "play", say: "give", rule: "tens", cards: ["TS"] },
      { do: "play", say: "give", rule: "tens", cards: ["TC"], quiz: true },
      { do: "play", say: "take", rule: "wins", cards: ["AH"] },
    ],
  },
  {
    id: "trumps",
    title: text("Trumps and their order", "主牌的大小"),
    intro: text(
      "Trumps beat all other cards. They are, from high to low: the big joker, the little joker, the cards of the level (here the twos, the one in the trump suit first), and the rest of the trump suit from the ace down. In this lesson you see that order at work; the trumps are shown at the top.",
      "主牌大过其他所有的牌。从大到小是：大王、小王、级牌（这里是 2，主花色的 2 最大），然后是主花色的其他牌，从 A 往下排。这一课看看主牌怎么比大小；本局的主写在上面。",
    ),
    end: text(
      "Done: a two was higher than the jack of trumps, the joker was higher than everything, and an ace is the highest in its own suit, unless somebody ruffs.",
      "完成！一张 2 大过了主牌 J，大王谁也管不住，副牌的 A 在自己那门里最大，除非有人用主毙掉。",
    ),
    table: table("sishifen", 4, 149, 2, 2),
    steps: [
      { do: "play", say: "order", rule: "level", cards: ["2H"] },
      { do: "play", say: "boss", rule: "boss", cards: ["BJ"] },
      { do: "play", say: "ace", rule: "ace", cards: ["AS"] },
    ],
  },
  {
    id: "following",
    title: text("Following suit", "跟牌"),
    intro: text(
      "Whoever leads decides which suit is played, and all others must follow it as long as they hold a card of it. All trumps count as one suit. Cards that you may not play now are grey; tap one, and the page says why. Without the suit you may play anything: a trump wins, any other card is thrown away.",
      "首家出什么花色，其他人只要有这门花色就必须跟。所有主牌算一门花色。现在不能出的牌是灰的，点一下会说明原因。这门花色没有了，就可以随便出：主牌能毙，别的牌只是垫牌。",
    ),
    end: text(
      "Done: you have followed where you had to, and ruffed as soon as you could.",
      "完成！该跟的跟了，没有了马上就毙。",
    ),
    table: table("sishifen", 4, 2241, 1, 1),
    steps: [
      { do: "play", say: "level", rule: "follows", cards: ["8C"] },
      { do: "play", say: "ruff", rule: "wins", cards: ["6H"] },
    ],
  },
  {
    id: "pairs",
    title: text("Pairs", "对子"),
    intro: text(
      "With two decks there are two of each card. Two identical ones are a pair, and can be led together. All others then play two cards as well: a pair of the suit if they have one. From here on you play with two decks, and 25 cards.",
      "两副牌里每张牌都有两张。两张相同的牌是对子，可以一起打出去。其他人也要出两张：这门花色有对子的必须跟对子。从这一课起用两副牌，每人 25 张。",
    ),
    end: text(
      "Done: without a pair you gave little, and with the higher pair you won. A pair that you lead takes two cards of everybody.",
      "完成！没有对子就出小牌，对子更大就赢。您领出对子时，每家都要出两张。",
    ),
    table: table("shengji", 4, 28, 3, 3),
    steps: [
      { do: "play", say: "nopair", rule: "spares", cards: ["3C", "7C"] },
      { do: "play", say: "pairwin", rule: "wins", cards: ["QS", "QS"] },
    ],
  },
  {
    id: "tractors",
    title: text("Tractors", "拖拉机"),
    intro: text(
      "Pairs of neighbouring ranks in one suit are a tractor, such as 9-9-10-10. It is led in one go, and only a higher tractor of the suit, or one of trumps, beats it. You declare in this round: trumps have been made, and the kitty is buried.",
      "同一门花色里相连的对子叫拖拉机，例如 991010。拖拉机一次打出去，只有这门花色更大的拖拉机，或者主牌的拖拉机才管得住。这一局您坐庄：主已经亮好，底也埋好了。",
    ),
    end: text(
      "Done: eight cards in two plays, and nobody could do anything about it.",
      "完成！两手打出八张牌，谁也管不住。",
    ),
    table: table("shengji", 4, 76, 1, 0),
    bury: ["3S", "3C", "4C", "6H", "6C", "6C", "7S", "8S"],
    steps: [
      { do: "play", say: "tractor", rule: "tractor", cards: ["TS", "TS", "9S", "9S"] },
      { do: "play", say: "tractor", rule: "tractor", cards: ["KS", "KS", "QS", "QS"], quiz: true },
    ],
  },
  {
    id: "throws",
    title: text("Throws", "甩牌"),
    intro: text(
      "Who leads may play several units of one suit at once: a throw. It holds only if no other hand beats any of its parts; otherwise the weakest part that can be beaten is led alone. You declare in this round: trumps have been made, and the kitty is buried.",
      "领出时可以把同一门花色的几手牌一次打出去，这叫甩牌。只有每一手都没有别家能管才算成功，否则只能出其中管得住的最小一手。这一局您坐庄：主已经亮好，底也埋好了。",
    ),
    end: text(
      "Done: the first throw held, since you had both aces. The second did not, and only the queen was led. Throw when you are sure.",
      "完成！第一次甩牌成功，因为两张 A 都在您手里；第二次失败，只能出 Q。有把握再甩。",
    ),
    table: table("shengji", 4, 31, 1, 0),
    bury: ["3H", "3H", "4S", "4C", "6S", "6C", "7H", "8H"],
    steps: [
      { do: "play", say: "throwing", rule: "sure", cards: ["AC", "AC", "KC"] },
      { do: "play", say: "failing", rule: "unsure", cards: ["AH", "QH"] },
    ],
  },
  {
    id: "declaring",
    title: text("Declaring and the kitty", "亮主和底牌"),
    intro: text(
      "Before play somebody makes trumps: by showing a card of the level, here a two. Its suit is trumps, and in the first round whoever has shown it is the declarer. The declarer takes the kitty of eight cards, and buries eight others. Show the two of the suit in which you hold most cards.",
      "出牌前先要定主：亮出一张级牌，这里是 2，它的花色就是主；第一局由亮主的人坐庄。庄家拿起八张底牌，再埋下八张。哪门花色牌最多，就亮哪门的 2。",
    ),
    end: text(
      "Done: your suit is trumps, low cards lie in the kitty, and you have the lead.",
      "完成！您的长门成了主，小牌埋在底里，出牌权也在您手里。",
    ),
    table: table("shengji", 4, 13, 0),
    steps: [
      { do: "declare", say: "declare", rule: "longest", cards: ["2D"] },
      { do: "discard", say: "bury", rule: "spares" },
      { do: "play", say: "ace", rule: "ace", cards: ["AS"] },
    ],
  },
  {
    id: "friends",
    title: text("Levels and friends", "级别和朋友"),
    intro: text(
      "Everybody has a level, which is shown at the seat: yours is 5, so for you the fives are trumps. Whoever wins a round goes up. In this game of five, nobody knows at first who plays with whom: the declarer calls a card, and whoever plays it is the friend. Two play against three.",
      "每个人都有级别，写在座位上：您打 5，所以您的级牌是 5。赢了一局就升级。这是五个人的找朋友，开始时谁也不知道谁和谁一伙：庄家叫一张牌，谁打出来谁就是朋友，两个人对三个人。",
    ),
    end: text(
      "Done: you have found your friend. If you two keep the others below the number at the top, both of you go up a level. That was the last lesson: have fun!",
      "完成！朋友找到了。只要您这一方守住上面的分数线，两人都能升级。课程到此全部学完，祝您玩得开心！",
    ),
    table: table("zhaopengyou", 5, 30, 0, undefined, { start_levels: ["5", "2", "2", "2", "2"] }),
    steps: [
      { do: "declare", say: "declare", rule: "longest", cards: ["5D"] },
      { do: "discard", say: "burying", rule: "sparesButLure", cards: ["2C", "3H", "7H", "9C", "8S", "6S", "4S", "QC"] },
      { do: "call", say: "call", rule: "friend", cards: ["AS"] },
      { do: "play", say: "lure", rule: "lure", cards: ["2S"] },
      { do: "play", say: "friend", rule: "tens", cards: ["KH"] },
    ],
  },
];
