/** Registration codes of the player, with which others may come in while that takes one. */
import { html, useState } from "../../vendor/preact-htm.js";
import { call } from "../api/client.js";
import { text } from "../texts/both.js";
import { dayText, filled, ofCatalogue } from "../texts/texts.js";
import { Code } from "../ui/copy.js";
import { useAttempt, useLoaded } from "../ui/hooks.js";
import { Refusal } from "../ui/refusal.js";

/** @typedef {import("../types").RegistrationCode} RegistrationCode */
/** @typedef {{ items: RegistrationCode[], most: number }} Codes */

const WORDS = {
  title: text("Letting others in", "邀请他人注册"),
  how: text(
    "New players need a registration code here. Each code is for one person and works for 30 days. Operators see who has let whom in.",
    "这里的新玩家需要注册码。每个注册码供一人使用，30 天内有效。运维人员可以看到谁邀请了谁。",
  ),
  make: text("Make a code", "生成注册码"),
  made: text("Pass it on to one person. It is shown only now:", "请将注册码交给一个人。注册码仅在此显示一次："),
  code: text("Registration code", "注册码"),
  unused: text("Not used yet · until {until}", "尚未使用 · 至 {until}"),
  used: text("Used · counts until {until}", "已使用 · 计入名额至 {until}"),
  of: text("Code of {at}", "{at} 生成的注册码"),
  back: text("Take back", "收回"),
  back_of: text("Take back the code of {at}", "收回 {at} 生成的注册码"),
  most: text("You can make {most} in 30 days.", "30 天内最多可生成 {most} 个。"),
};

/** @param {keyof typeof WORDS} name @param {Record<string, string | number>} [values] */
const say = (name, values = {}) => filled(ofCatalogue(WORDS[name]), values);

/** Nothing, unless others can register only with a code. */
export function LettingIn() {
  const { value, again } = useLoaded(async () => {
    const { registration } = await call("GET", "");
    return registration === "invited" ? /** @type {Codes} */ (await call("GET", "/me/registration-codes")) : null;
  }, []);
  const [made, setMade] = useState(/** @type {{ id: string, code: string } | null} */ (null));
  const { attempt, busy, problem } = useAttempt();
  if (!value) return null;
  const make = () =>
    attempt(async () => {
      setMade(await call("POST", "/me/registration-codes", undefined, { once: true }));
      again();
    });
  const takeBack = (/** @type {string} */ id) =>
    attempt(async () => {
      await call("DELETE", `/me/registration-codes/${id}`, undefined, { once: true });
      if (made?.id === id) setMade(null);
    }).finally(again);
  return html`
    <section class="box letting-in">
      <h2>${say("title")}</h2>
      <p>${say("how")}</p>
      <${List} codes=${value} busy=${busy} takeBack=${takeBack} />
      ${
        made &&
        html`
          <div class="made" role="status">
            <p>${say("made")}</p>
            <${Code} key=${made.id} code=${made.code.replaceAll("-", "")} label=${say("code")} />
          </div>
        `
      }
      <${Refusal} problem=${problem} />
      ${
        value.items.length < value.most
          ? html`
              <div class="buttons"><button type="button" disabled=${busy} onClick=${make}>${say("make")}</button></div>
            `
          : html`
              <p class="hint">${say("most", { most: value.most })}</p>
            `
      }
    </section>
  `;
}

/**
 * @typedef {object} ListProps
 * @property {Codes} codes
 * @property {boolean} busy
 * @property {(id: string) => unknown} takeBack
 */

/** The codes that the player has made. @param {ListProps} props */
const List = ({ codes, busy, takeBack }) =>
  codes.items.length > 0 &&
  html`
    <ul class="devices" aria-label=${say("title")}>
      ${codes.items.map(({ id, at, until, left }) => {
        const day = dayText(at);
        return html`
          <li key=${id}>
            <div class="device">
              <b>${say("of", { at: day })}</b>
              <p class="hint">${say(left ? "unused" : "used", { until: dayText(until) })}</p>
            </div>
            ${
              left > 0 &&
              html`
                <div class="buttons">
                  <button
                    type="button"
                    disabled=${busy}
                    aria-label=${say("back_of", { at: day })}
                    onClick=${() => takeBack(id)}
                  >
                    ${say("back")}
                  </button>
                </div>
              `
            }
          </li>
        `;
      })}
    </ul>
  `;
