/** Texts of fair dealing, in both languages. */
import { text } from "../texts/both.js";
import { language, said } from "../texts/texts.js";

const TEXTS = {
  title: text("Was it dealt fairly?", "发牌公平吗？"),
  checking: text("Your browser shuffles the cards again …", "浏览器正在重新洗牌……"),
  right: text(
    "Dealt fairly: your browser shuffled all {count} cards again, and every card was where the shuffle put it. This page had seen the seal of the shuffle before the deal.",
    "发牌公平：浏览器重新洗了全部 {count} 张牌，每张牌都对得上；发牌之前，本页就已收到这次洗牌的封印。",
  ),
  "right.unseen": text(
    "Dealt fairly: your browser shuffled all {count} cards again, and every card was where the shuffle put it. This page was not open before the deal, so for the seal of the shuffle it trusts the service.",
    "发牌公平：浏览器重新洗了全部 {count} 张牌，每张牌都对得上；但发牌之前本页没有打开，封印只能以服务器所说为准。",
  ),
  by_hand: text(
    "This round was not shuffled: somebody had laid out its cards.",
    "这一局没有洗牌：牌是有人事先摆好的。",
  ),
  sealed: text(
    "This cannot be checked yet: the seed of the shuffle is published when the event is over.",
    "现在还不能核对：洗牌的种子要等比赛结束才公布。",
  ),
  seed: text(
    "Not dealt fairly: the seed of the shuffle does not fit its seal. Please report this.",
    "发牌有问题：洗牌的种子与封印不符。请举报。",
  ),
  seal: text(
    "Not dealt fairly: the seal of the shuffle is not the one that this page got with the deal. Please report this.",
    "发牌有问题：封印与发牌时收到的不同。请举报。",
  ),
  card: text(
    "Not dealt fairly: {who} showed {card}, which the shuffle had not dealt there. Please report this.",
    "发牌有问题：{who} 出示了{card}，而按洗牌结果这张牌不在他手里。请举报。",
  ),
  insecure: text(
    "This browser can check a shuffle only at an address that begins with https.",
    "浏览器只能在 https 开头的地址上核对洗牌。",
  ),
  all: text("All deals of this service", "全部发牌的统计"),
  "all.how": text(
    "Every first deal of a finished round, beside what chance gives exactly. Practice and house rules that change the cards are left out. Anybody can count again from records with check_deals.py.",
    "统计所有已打完牌局的首次发牌，并列出精确的概率期望；练习局和改变用牌的约定不计。任何人都可以用 check_deals.py 从记录重新统计。",
  ),
  none: text("No such game has been finished yet.", "还没有打完过这种牌局。"),
  pairs: text("Pairs in a hand", "一手牌里的对子数"),
  jokers: text("Jokers in a hand", "一手牌里的王数"),
  longest: text("Longest suit of a hand", "一手牌里最长花色的张数"),
  near: text("As chance would have it.", "与概率相符。"),
  far: text("Further from chance than one time in 400: {who}.", "偏离概率（偶然出现的机会不到 1/400）：{who}。"),
  hands: text("Hands", "手数"),
  mean: text("Mean", "平均"),
  off: text("Off by (sd)", "偏离（标准差）"),
  chance: text("By chance", "概率期望"),
  spread: text("How often each number came", "各数目出现的次数"),
  human: text("People", "真人"),
  bot: text("Programs", "程序"),
  ai: text("AI players", "电脑"),
  missing: text("This game has no finished round of that number.", "这场牌局没有这一局，或这一局还没打完。"),
  unknown: text(
    "This cannot be checked now: the service did not say which cards are in the game. Try again later.",
    "现在无法核对：服务器没有给出这种玩法用哪些牌。请稍后再试。",
  ),
};

/**
 * @param {keyof typeof TEXTS} key
 * @param {Record<string, string | number>} [values] for the `{names}` in the text
 */
export const say = (key, values) => said(TEXTS[key][language()], values);
