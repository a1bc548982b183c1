/** Explanations of the icons and numbers at a table. */
import { text } from "./both.js";

export const ABOUT = {
  trumps: text(
    "Trumps of this round: all cards of this rank, the whole suit, and the jokers.",
    "本局的主牌：这个点数的所有牌、这门花色的所有牌，以及大小王。",
  ),
  attackers: text(
    "The points of the attackers, and after the stroke the number from which a round is worth something else.",
    "闲家已得的分；斜线后是下一个分数线。",
  ),
  level: text(
    "The level of this player. Cards of the declarer's level are trumps.",
    "这位玩家的级别。庄家的级牌都是主牌。",
  ),
  declarer: text("The declarer, who took the kitty and led first.", "庄家：拿起底牌，并且先出牌。"),
  friend: text("Plays on the declarer's side.", "与庄家一方。"),
  partner: text("Your partner: plays on your side.", "您的搭档，与您一方。"),
  count: text("How many cards are left in this hand.", "手里还剩几张牌。"),
  points: text(
    "Points in the tricks that this player has won. Those of attackers count.",
    "这位玩家赢得的分，闲家的才算数。",
  ),
  road: text("The road of this player, and how many tricks it has won.", "这位玩家走的路，以及赢了几轮。"),
  away: text("Is not looking at the table just now.", "现在没有看牌桌。"),
  robot: text(
    "An AI player. One bar is easy, two are normal, three hard, four expert.",
    "电脑玩家。一格为简单，两格为普通，三格为困难，四格为专家。",
  ),
  led: text("Has led to this trick; the others follow.", "这一轮的首家，其他人跟牌。"),
  winning: text("A gold frame: the highest play so far.", "金框：目前最大的一手牌。"),
  called: text(
    "Cards that the declarer has called. Who plays the copy that counts is a friend.",
    "庄家叫的牌。谁打出指定的那一张，谁就是朋友。",
  ),
};
