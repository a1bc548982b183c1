/** Chat at the table: short texts, and presets that everybody reads in their own language. */
import { html, useEffect, useRef, useState } from "../../vendor/preact-htm.js";
import { Player } from "../people/player.js";
import { named, t } from "../texts/texts.js";
import { Dialog } from "../ui/dialog.js";

const PRESETS = ["hello", "good_luck", "well_played", "sorry", "thanks", "hurry", "one_moment", "good_game"];

/**
 * @param {{
 *   session: import("../live/session.js").Session,
 *   view: import("../types").View,
 *   messages: import("../live/session.js").Message[],
 *   onClose: () => void,
 * }} props
 */
export const Chat = ({ session, view, messages, onClose }) => html`
  <${Dialog} title=${t("chat")} onClose=${onClose} kind="chat">
    <${Talk} session=${session} view=${view} messages=${messages} />
  <//>
`;

/**
 * The picture that a player has at the table.
 * @param {import("../types").View} view
 * @param {string | undefined} player
 */
const faceAt = ({ seats }, player) => seats.find(({ occupant }) => occupant?.player === player)?.occupant?.face ?? null;

/**
 * @typedef {object} TalkProps
 * @property {import("../live/session.js").Session} session
 * @property {import("../types").View} view
 * @property {import("../live/session.js").Message[]} messages
 */

/** The messages, and the form to send one. @param {TalkProps} props */
export function Talk({ session, view, messages }) {
  const [text, setText] = useState("");
  const list = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => list.current?.scrollTo(0, list.current.scrollHeight), [messages.length]);
  const say = (/** @type {{ text?: string, preset?: string }} */ message) =>
    session.send("POST", "/chat", message, "chat");
  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    if (text.trim() && (await say({ text: text.trim() }))) setText("");
  };
  return html`
    <ol class="messages" ref=${list} aria-live="polite" tabindex="0" aria-label=${t("chat.messages")}>
      ${messages.map(
        (each) => html`
          <li key=${each.seq} class=${each.seat === view.my?.seat ? "mine" : ""}>
            <b><${Player} player=${each.player} name=${each.name} face=${faceAt(view, each.player)} /></b>
            ${" "}${each.preset ? named("preset", each.preset) : each.text}
          </li>
        `,
      )}
      ${
        !messages.length &&
        html`
          <li class="hint">${t(view.settings.chat ? "chat.empty" : "chat.off")}</li>
        `
      }
    </ol>
    ${
      view.settings.chat &&
      !view.closed &&
      html`
        <div class="presets">
          ${PRESETS.map(
            (preset) => html`
              <button type="button" onClick=${() => say({ preset })}>${named("preset", preset)}</button>
            `,
          )}
        </div>
        <form onSubmit=${submit}>
          <input
            type="text"
            maxlength="200"
            aria-label=${t("chat.text")}
            placeholder=${t("chat.text")}
            value=${text}
            onInput=${(/** @type {any} */ event) => setText(event.target.value)}
          />
          <button type="submit" class="main">${t("chat.send")}</button>
        </form>
      `
    }
  `;
}
