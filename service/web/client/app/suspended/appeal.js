/** Appealing against a suspension, or against a name that an operator has given. */
import { html, useState } from "../../vendor/preact-htm.js";
import { call } from "../api/client.js";
import { text } from "../texts/both.js";
import { language, momentText, said } from "../texts/texts.js";
import { useAttempt, useLoaded } from "../ui/hooks.js";
import { Refusal } from "../ui/refusal.js";
import { PlayersPage } from "../account/signin.js";

/** @typedef {import("../types").Appeal} Sent */

const TEXTS = {
  title: text("Appeal", "申诉"),
  about: text(
    "If this is wrong, say why. The operators of this service read it, and their answer appears here.",
    "如果您认为对您账号的处理有误，请说明理由。运维人员会查看，答复将显示在这里。",
  ),
  why: text("Why it is wrong", "申诉理由"),
  send: text("Send the appeal", "提交申诉"),
  sent: text("Sent {at}. Nobody has decided yet.", "已于 {at} 提交，尚未处理。"),
  nothing: text("There is nothing to appeal against.", "没有可申诉的事项。"),
  decided: text("Decided {at}.", "已于 {at} 处理。"),
};

/** Like `t`. @param {keyof typeof TEXTS} key @param {Record<string, string | number>} [values] */
const say = (key, values) => said(TEXTS[key][language()], values);

const read = async () => /** @type {Sent} */ (await call("GET", "/me/appeal", undefined, { once: true }));

/** What was sent and answered, and a form. */
export function Appeal() {
  const { value, error, again } = useLoaded(read, []);
  return html`
    <section class="box">
      <h2>${say("title")}</h2>
      <p>${say("about")}</p>
      <${Refusal} problem=${error?.problem} />
      ${
        value &&
        html`
          <${State} sent=${value} />
        `
      }
      ${
        value?.possible &&
        html`
          <${Form} key=${value.at} first=${value.decided_at ? "" : (value.text ?? "")} onSent=${again} />
        `
      }
    </section>
  `;
}

/** What has become of the latest appeal. @param {{ sent: Sent }} props */
const State = ({ sent: { at, decided_at, answer, possible } }) => html`
  ${
    at &&
    html`
      <p role="status">
        ${decided_at ? say("decided", { at: momentText(decided_at) }) : say("sent", { at: momentText(at) })}
      </p>
    `
  }
  ${
    answer &&
    html`
      <blockquote>${answer}</blockquote>
    `
  }
  ${
    !possible &&
    !at &&
    html`
      <p>${say("nothing")}</p>
    `
  }
`;

/** @param {{ first: string, onSent: () => void }} props `first`: the text that was sent before */
function Form({ first, onSent }) {
  const { attempt, busy, problem } = useAttempt();
  const [why, setWhy] = useState(first);
  const send = (/** @type {Event} */ event) => {
    event.preventDefault();
    attempt(async () => {
      await call("PUT", "/me/appeal", { text: why.trim() });
      onSent();
    });
  };
  return html`
    <form onSubmit=${send}>
      <label>
        ${say("why")}
        <input
          type="text"
          maxlength="500"
          value=${why}
          onInput=${(/** @type {any} */ event) => setWhy(event.target.value)}
        />
      </label>
      <${Refusal} problem=${problem} />
      <div class="buttons"><button disabled=${busy || !why.trim()}>${say("send")}</button></div>
    </form>
  `;
}

/** The page of an appeal against a name. */
export const AppealScreen = () => html`
  <${PlayersPage} title=${say("title")}>
    <${Appeal} />
  <//>
`;
