/**
 * What the coach says. Cards that are named follow the words. `{who}` is winning the trick so far, with `{points}`
 * points in it.
 *
 * @typedef {import("./coach.js").Text} Text
 */
import { text } from "../texts/both.js";

/**
 * @param {Text} ask
 * @param {Text} miss said after an action that is legal but misses the point
 * @param {Text} [quiz] said if the cards are not named
 */
const step = (ask, miss, quiz = ask) => ({ ask, miss, quiz });

export const WORDS = {
  watch: text("Watch what the others do: it is your turn in a moment.", "先看别家出牌，马上轮到您。"),
  right: text("Right! Now watch what the others play.", "对！看看别家怎么出。"),
  off: text(
    "The others have played otherwise than planned, so this lesson does not fit any more.",
    "别家没有照预想的出牌，这一课接不上了。",
  ),
};

export const STEPS = {
  give: step(
    text(
      "Kings and tens are 10 points, fives are 5. {who} across from you is your partner and is winning: give points to your side.",
      "K 和 10 各 10 分，5 是 5 分。对面的 {who} 是您的搭档，现在最大：把分给自己一方。",
    ),
    text(
      "Allowed, but your partner is winning: points are safe here. Play",
      "可以这么出，不过现在搭档最大，给分正合适。请出",
    ),
    text("Your partner {who} is winning. Which card do you give?", "搭档 {who} 最大。您出哪张？"),
  ),
  take: step(
    text(
      "There are {points} points in this trick, and you hold the highest card. Take them for your side.",
      "这一轮里有 {points} 分，您的牌最大。把分拿下。",
    ),
    text(
      "Allowed, but then {who} takes the {points} points. Win the trick with",
      "可以这么出，不过这样 {points} 分就归 {who} 了。用这张赢下来：",
    ),
  ),
  order: step(
    text(
      "Trumps were led. The highest are the jokers, then the cards of the level, whatever their suit; only then comes the suit of trumps from the ace down. So yours beats them all.",
      "领出的是主牌。主牌里大小王最大，其次是级牌，不论花色；然后才是主花色，从 A 往下排。所以您这张最大。",
    ),
    text(
      "Allowed, but a card of the level is enough here: it is higher than the ace of trumps. Win the trick with",
      "可以这么出，不过级牌比主花色的 A 还大，用它就够了。请出",
    ),
  ),
  ruff: step(
    text(
      "You hold no card of the suit that was led, so you may play anything. A low trump already beats all other suits, and wins the points.",
      "领出的花色您没有了，可以随便出。一张小主就大过所有副牌：毙掉，把分拿下。",
    ),
    text(
      "Allowed, but then {who} wins the trick. Even a low trump beats it:",
      "可以这么出，不过这样 {who} 就赢了。一张小主就能毙：",
    ),
  ),
  boss: step(
    text(
      "You have won, so you lead. Nothing beats the big joker: lead it, and all others must play trumps.",
      "您赢了，由您先出。大王谁也管不住：打出来，别家都得跟主。",
    ),
    text(
      "Allowed. But first see how the highest card of all takes a trick:",
      "可以这么出。不过先看看最大的一张牌怎样赢一轮：",
    ),
  ),
  ace: step(
    text(
      "You lead. In a suit that is not trumps the ace is the highest card: lead one, as long as everybody can follow.",
      "由您先出。副牌里 A 最大，趁大家都还有这门花色，先打 A。",
    ),
    text("Allowed, but others may win that. An ace is surest now:", "可以这么出，不过可能被别家管住。现在打 A 最稳："),
  ),
  level: step(
    text(
      "One of your grey cards looks like the suit that was led, but a card of the level is always a trump. So you do not have to play it here, and may not. Play",
      "灰色的牌里有一张看起来就是这门花色，但它是级牌，级牌永远算主牌，所以现在不用出，也不能出。请出",
    ),
    text("Allowed, but a lower card does as well here. Play", "可以这么出，不过这里出小一点的就够了。请出"),
  ),
  pairwin: step(
    text(
      "A pair was led: two identical cards. Whoever has a pair of the suit must play one. Yours is higher, and wins.",
      "领出的是对子，也就是两张相同的牌。这门花色有对子就必须跟对子。您的更大，能赢。",
    ),
    text("Allowed, but only a higher pair wins. Play", "可以这么出，不过要更大的对子才能赢。请出"),
  ),
  nopair: step(
    text(
      "A pair was led, and you have none in this suit. Then any two cards of the suit will do; they cannot win. Give the lowest, without points.",
      "领出的是对子，而您这门花色没有对子，那就出这门花色的任意两张，但赢不了。出最小的、没有分的。",
    ),
    text(
      "Allowed, but two single cards never beat a pair. Keep what is high or has points, and play",
      "可以这么出，不过两张单张大不过对子。大牌和分留着，请出",
    ),
  ),
  tractor: step(
    text(
      "Two pairs of neighbouring ranks are a tractor, and can be led as one. Only a higher tractor beats it, so even low cards win. Lead it:",
      "两个相连的对子就是拖拉机，可以一起打出去。只有更大的拖拉机才管得住，所以小牌也能赢。请出",
    ),
    text("Allowed, but these four cards together are much stronger:", "可以这么出，不过这四张一起打厉害得多："),
    text("Find another tractor in your hand, and lead it.", "手里还有一条拖拉机，找出来打出去。"),
  ),
  throwing: step(
    text(
      "You may lead several at once, if nobody can beat any part: that is a throw. You hold both aces of this suit, so nobody has anything higher than your king. Lead all three:",
      "一次出几手牌叫甩牌，条件是每一手都没有人能管。这门花色的两张 A 都在您手里，所以您的 K 也最大。三张一起甩：",
    ),
    text("Allowed, but you can have more at once. Throw", "可以这么出，不过可以一次甩得更多："),
  ),
  failing: step(
    text(
      "Now see a throw that fails: somebody has a higher card for a part of it. Throw these two:",
      "再看看甩牌失败是什么样：其中一手有人能管。把这两张一起甩：",
    ),
    text(
      "Allowed. But see once what happens to a throw that does not hold:",
      "可以这么出。不过先看一次甩牌失败会怎样：",
    ),
  ),
  declare: step(
    text(
      "The cards are dealt. You hold a card of your level: show it, and its suit becomes trumps, and you declare.",
      "牌发好了。您手里有级牌：亮出来，它的花色就是主，由您坐庄。",
    ),
    text("Allowed, but then somebody else decides about trumps. Show", "可以不亮，不过那样就由别家定主了。请亮"),
  ),
  bury: step(
    text(
      "The kitty is in your hand now. Bury as many cards as the button asks for, but no trumps, no points (kings, tens, fives) and no aces: what lies there may be won by the others.",
      "底牌到了您手里。请按按钮上的张数埋底，别埋主牌、分牌（K、10、5）和 A：对方抠底时，底牌里的分归对方。",
    ),
    text(
      "Allowed, but better bury no trumps, no kings, tens or fives, and no aces. Choose others.",
      "可以这么埋，不过最好别埋主牌、K、10、5 和 A。换几张吧。",
    ),
  ),
  burying: step(
    text(
      "The kitty is in your hand now. Bury eight cards: low ones without points, but keep a low card of the suit in which you hold no ace. Here are eight:",
      "底牌到了您手里。埋八张没有分的小牌，但没有 A 的那门花色要留一张小的。就埋这八张：",
    ),
    text("Allowed. For this lesson bury these:", "可以这么埋。这一课请埋这八张："),
  ),
  friend: step(
    text(
      "{who} has played the ace, and is your friend: only now do you both know it. Your friend is winning again, so give points:",
      "{who} 打出了 A，就是您的朋友，现在大家都知道了。朋友又是最大，送分：",
    ),
    text(
      "Allowed, but your friend is winning, and you hold a king. Play",
      "可以这么出，不过朋友最大，您有 K 可以送。请出",
    ),
  ),
  call: step(
    text(
      "You need a friend. Call an ace that you do not hold: whoever plays the first one joins your side. Choose suit, rank and “1st”, and call",
      "您要找一位朋友。叫一张您没有的 A：谁先打出来，谁就是您的朋友。选好花色、点数和“第 1 张”，叫",
    ),
    text("Allowed. For this lesson call the first copy of this card:", "可以这么叫。这一课请叫第 1 张："),
  ),
  lure: step(
    text(
      "Lead a low card of the suit that you have called. Whoever holds the ace may play it now, and is your friend from then on: a heart at the seat shows it.",
      "打一张所叫花色的小牌。有 A 的人就可以打出来，从这时起他就是您的朋友，座位上会出现一颗心。",
    ),
    text("Allowed, but your friend waits for the suit of the ace. Lead", "可以这么出，不过朋友在等那门花色。请出"),
  ),
};
