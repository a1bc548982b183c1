/** Texts of what players say of plays of AI players, in both languages, loaded with the replay. */
import { text } from "../texts/both.js";
import { language, said } from "../texts/texts.js";

const TEXTS = {
  silly: text("This play was silly", "这步出得不好"),
  stored: text(
    "Stored for those who improve the AI players. Tap again to take it back.",
    "已记下，供改进电脑参考。再点一次可收回。",
  ),
  better: text("What would you have played?", "您会怎么出？"),
  yours: text("You would have played:", "您会这样出："),
  send: text("I would have played this", "我会这样出"),
};

/** A text in the language of the page. @param {keyof typeof TEXTS} key */
export const say = (key) => said(TEXTS[key][language()]);
