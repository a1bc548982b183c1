/** Talking at the table of a room: beginning and ending it, and the button that is held while one talks. */
import { html, useEffect, useRef, useState } from "../../vendor/preact-htm.js";
import { VoiceCall } from "../live/voice.js";
import { text } from "../texts/both.js";
import { enumerated, language, said } from "../texts/texts.js";
import { Icon } from "../ui/icon.js";

const TEXTS = {
  voice: text("Voices", "语音"),
  join: text("Join by voice", "加入语音"),
  joining: text("Joining …", "正在加入…"),
  hold: text("Hold to talk", "按住说话"),
  talks: text("Others hear you", "正在说话"),
  how: text(
    "Hold the button or its key while you talk; a short tap leaves it on.",
    "按住按钮或按键说话；轻点一下则保持开启。",
  ),
  leave: text("Leave the voices", "退出语音"),
  alone: text("Nobody else is connected yet.", "还没有其他人加入。"),
  together: text("Connected: {names}", "已连接：{names}"),
  refused: text("The browser does not let this page use a microphone.", "浏览器不允许本页面使用麦克风。"),
};
/** @param {keyof typeof TEXTS} key @param {Record<string, string | number>} [values] */
const say = (key, values) => said(TEXTS[key][language()], values);

/** A press that is shorter leaves the microphone on until the next one, ms. */
const SHORT_MS = 300;

/**
 * @typedef {object} VoiceProps
 * @property {import("../live/session.js").Session} session
 * @property {import("../types").View} view
 */

/** @param {VoiceProps} props */
export function Voices({ session, view }) {
  const [voice, setVoice] = useState(/** @type {VoiceCall | null} */ (null));
  const [state, setState] = useState(/** @type {import("../live/voice.js").State | null} */ (null));
  const [refused, setRefused] = useState(false);
  useEffect(() => () => voice?.close(), [voice]);
  const heard = state?.heard ?? [];
  useEffect(() => {
    const seats = view.seats.filter(({ occupant }) => occupant?.player && heard.includes(occupant.player));
    session.change({ talking: seats.map(({ seat }) => seat) });
  }, [heard.join()]);
  const join = async () => {
    setRefused(false);
    const made = new VoiceCall(view.id, setState);
    setVoice(made);
    try {
      await made.open();
    } catch (error) {
      made.close();
      if (!(error instanceof DOMException || error instanceof TypeError)) throw error;
      setRefused(true);
    }
  };
  const isOn = state?.phase === "on" && voice;
  const names = view.seats.flatMap(({ occupant }) =>
    occupant?.player && state?.partners.includes(occupant.player) ? [occupant.name] : [],
  );
  return html`
    <section class="voices" aria-label=${say("voice")}>
      ${
        isOn
          ? html`
              <${Talk} voice=${voice} talks=${state.talks} />
              <p role="status">${names.length ? say("together", { names: enumerated(names) }) : say("alone")}</p>
              <button type="button" class="plain" aria-label=${say("leave")} onClick=${() => voice.close()}>
                <${Icon} name="close" />
              </button>
            `
          : html`
              <button type="button" disabled=${state?.phase === "joining"} onClick=${join}>
                <${Icon} name="voice" />
                ${say(state?.phase === "joining" ? "joining" : "join")}
              </button>
              <p role="status">${refused ? say("refused") : (state?.problem?.detail ?? "")}</p>
            `
      }
    </section>
  `;
}

/** @param {{ voice: VoiceCall, talks: boolean }} props */
function Talk({ voice, talks }) {
  /** When the press began; 0: it only ends what a short one has begun. */
  const since = useRef(0);
  const begin = () => {
    since.current = talks ? 0 : performance.now();
    voice.talk(true);
  };
  const end = (/** @type {boolean} */ anyway) => {
    const isShort = since.current && performance.now() - since.current < SHORT_MS;
    if (anyway || !isShort) voice.talk(false);
  };
  useEffect(() => {
    // Nobody talks from a page that is out of sight without knowing it.
    const hidden = () => void (document.visibilityState === "hidden" && voice.talk(false));
    document.addEventListener("visibilitychange", hidden);
    return () => document.removeEventListener("visibilitychange", hidden);
  }, [voice]);
  /** Whether the click that comes is the end of a press: what reads the screen may click alone. */
  const isPress = useRef(false);
  const isKey = (/** @type {KeyboardEvent} */ event) => event.key === " " || event.key === "Enter";
  return html`
    <button
      type="button"
      class=${talks ? "talk danger" : "talk main"}
      aria-pressed=${talks ? "true" : "false"}
      title=${say("how")}
      onPointerDown=${(/** @type {PointerEvent} */ event) => {
        if (event.button) return;
        isPress.current = true;
        /** @type {HTMLElement} */ (event.currentTarget).setPointerCapture(event.pointerId);
        begin();
      }}
      onPointerUp=${() => end(false)}
      onPointerCancel=${() => end(true)}
      onContextMenu=${(/** @type {Event} */ event) => event.preventDefault()}
      onKeyDown=${(/** @type {KeyboardEvent} */ event) => {
        if (!isKey(event)) return;
        event.preventDefault();
        if (!event.repeat) begin();
      }}
      onKeyUp=${(/** @type {KeyboardEvent} */ event) => void (isKey(event) && end(false))}
      onBlur=${() => end(true)}
      onClick=${() => {
        if (!isPress.current) voice.talk(!talks);
        isPress.current = false;
      }}
    >
      <${Icon} name="voice" />
      ${say(talks ? "talks" : "hold")}
    </button>
  `;
}
