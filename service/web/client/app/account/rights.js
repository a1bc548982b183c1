/** What gives access to the account, to choose what stays when something ends. */
import { html } from "../../vendor/preact-htm.js";
import { text } from "../texts/both.js";
import { dayText, filled, ofCatalogue, t } from "../texts/texts.js";
import { Check } from "../ui/fields.js";

/** @typedef {import("../types").Right} Right */

const WORDS = {
  ends: text("This ends too. Tick what you know and want to keep:", "以下内容也会结束。请勾选您认得并想保留的："),
  token: text("Device or app: {name}", "设备或应用：{name}"),
  identity: text("Signing in with {name}", "用 {name} 登录"),
  recovery_code: text("The recovery code", "恢复码"),
  webhook: text("Notices to a server: {name}", "向服务器发送通知：{name}"),
  device: text("Notices to a device", "向设备发送通知"),
  since: text("since {day}", "自 {day}"),
};

/** @param {Right} right */
const nameOf = ({ kind, name }) =>
  filled(ofCatalogue(WORDS[/** @type {keyof typeof WORDS} */ (kind)] ?? WORDS.device), {
    name: name ?? t("device.unnamed"),
  });

/** What a right gave, and what that gave. @param {Right[]} rights @param {string} id @returns {Right[]} */
export function below(rights, id) {
  const given = rights.filter((each) => each.given_by === id && !each.current);
  return given.flatMap((each) => [each, ...below(rights, each.id)]);
}

/** @typedef {{ rights: Right[], kept: string[], onKeep: (kept: string[]) => void }} KeepProps `kept`: ids */

/** Lets the player tick what stays. @param {KeepProps} props */
export const Keep = ({ rights, kept, onKeep }) =>
  rights.length > 0 &&
  html`
    <fieldset class="keep">
      <legend>${ofCatalogue(WORDS.ends)}</legend>
      ${rights.map(
        (each) => html`
          <${Check}
            key=${each.id}
            text=${rightText(each)}
            checked=${kept.includes(each.id)}
            onChange=${(/** @type {boolean} */ on) =>
              onKeep(on ? [...kept, each.id] : kept.filter((id) => id !== each.id))}
          />
        `,
      )}
    </fieldset>
  `;

/** What a right is, and since when. @param {Right} right */
const rightText = (right) => html`
  ${nameOf(right)}${
    right.made_at &&
    html`
      ${" "}
      <span class="hint">${filled(ofCatalogue(WORDS.since), { day: dayText(right.made_at) })}</span>
    `
  }
`;
