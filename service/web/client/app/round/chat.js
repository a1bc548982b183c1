/** Chat at the table: short texts, faces, and phrases that everybody reads in their own language. */
import { html, useEffect, useRef, useState } from "../../vendor/preact-htm.js";
import { Expression, EXPRESSIONS, PHRASES, saidWords } from "../live/said.js";
import { Player } from "../people/player.js";
import { named, t } from "../texts/texts.js";
import { Dialog } from "../ui/dialog.js";

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
 * @param {import("../live/session.js").Session} session
 * @param {{ text?: string, preset?: string }} message
 */
const sent = (session, message) => session.send("POST", "/chat", message, "chat");

/** Faces and phrases: one tap sends one. @param {{ onSay: (preset: string) => void }} props */
const Phrases = ({ onSay }) => html`
  <div class="expressions" role="group" aria-label=${t("say.faces")}>
    ${EXPRESSIONS.map(
      (name) => html`
        <button type="button" class="plain" title=${named("preset", name)} onClick=${() => onSay(name)}>
          <${Expression} name=${name} />
        </button>
      `,
    )}
  </div>
  <div class="presets" role="group" aria-label=${t("say.phrases")}>
    ${PHRASES.map(
      (name) => html`
        <button type="button" onClick=${() => onSay(name)}>${named("preset", name)}</button>
      `,
    )}
  </div>
`;

/**
 * What is said with one tap from one's own seat.
 * @param {{ session: import("../live/session.js").Session, onClose: () => void }} props
 */
export function Say({ session, onClose }) {
  const say = (/** @type {string} */ preset) => {
    onClose();
    sent(session, { preset });
  };
  return html`
    <${Dialog} title=${t("say")} onClose=${onClose} kind="chat"><${Phrases} onSay=${say} /><//>
  `;
}

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
  const say = (/** @type {{ text?: string, preset?: string }} */ message) => sent(session, message);
  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    if (text.trim() && (await say({ text: text.trim() }))) setText("");
  };
  return html`
    <ol class="messages" ref=${list} tabindex="0" aria-label=${t("chat.messages")}>
      ${messages.map(
        (each) => html`
          <li key=${each.seq} class=${each.seat === view.my?.seat ? "mine" : ""}>
            <b><${Player} player=${each.player} name=${each.name} face=${faceAt(view, each.player)} /></b>
            ${" "}${saidWords(each)}
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
        <${Phrases} onSay=${(/** @type {string} */ preset) => say({ preset })} />
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
