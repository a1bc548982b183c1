/**
 * Words of the game that a beginner may not know, with a picture of cards and a sentence. In texts for beginners the
 * first of each leads there (`ui/terms.js`).
 *
 * @typedef {{ en: string, "zh-Hans": string }} Text
 * @typedef {object} Term
 * @property {Text} name
 * @property {Text} words what stands for it in texts, as a regular expression
 * @property {string[][]} cards groups of cards that show it; hearts are trumps, and 2 is the level
 * @property {Text} about
 */
import { text } from "./both.js";

/** @type {Term[]} */
export const TERMS = [
  {
    name: text("Kitty", "底牌"),
    words: text("\\bkitty\\b", "底牌"),
    cards: [["3S", "6S", "4C", "7C", "3D", "4D", "6D", "8D"]],
    about: text(
      "Cards that are left after the deal. The declarer takes them in and buries as many.",
      "发牌后剩下的几张牌。庄家拿起来，再埋下同样张数。",
    ),
  },
  {
    name: text("Card of the level", "级牌"),
    words: text("\\bcards? of (?:the|your|their own) level\\b|\\blevel cards?\\b", "级牌"),
    cards: [["2H", "2S", "2C", "2D"]],
    about: text(
      "At level 2 every two, whatever its suit: all of them are trumps.",
      "打 2 时就是四种花色的 2，都算主牌。",
    ),
  },
  {
    name: text("Pair", "对子"),
    words: text("\\bpairs?\\b", "对子"),
    cards: [["KS", "KS"]],
    about: text("Two identical cards, from two decks.", "两张完全相同的牌，来自两副牌。"),
  },
  {
    name: text("Tractor", "拖拉机"),
    words: text("\\btractors?\\b", "拖拉机"),
    cards: [["9C", "9C", "8C", "8C"]],
    about: text(
      "Pairs of neighbouring ranks in one suit, played together. Only a higher tractor beats it.",
      "同一门花色相连的对子，一起打出。只有更大的拖拉机才管得住。",
    ),
  },
  {
    name: text("Throw", "甩牌"),
    words: text("\\bthrow(?:s|n|ing)?\\b(?! away| the| it)", "甩牌?"),
    cards: [["AD", "KD", "KD"]],
    about: text(
      "Several leads of one suit at once. It holds if nobody has anything higher for any part.",
      "同一门花色一次出几手牌，每一手都没有人能管才成功。",
    ),
  },
  {
    name: text("Ruff", "毙牌"),
    words: text("\\b(?:over)?ruff(?:s|ed|ing)?\\b", "盖?毙牌?"),
    cards: [["AC"], ["3H"]],
    about: text(
      "Clubs are led, and you have none: a low trump, here a heart, takes the trick.",
      "领出梅花，您没有梅花了：出一张小主（这里是红心）就赢下这一轮。",
    ),
  },
];
