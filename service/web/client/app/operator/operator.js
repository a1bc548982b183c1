/** For operators of the service: reports, players, and what operators did. */
import { html, useState } from "../../vendor/preact-htm.js";
import { call } from "../api/client.js";
import { asOperator, keepOperatorToken, onOperatorToken, theOperatorToken } from "../api/operator.js";
import { useAttempt, useFollowed } from "../ui/hooks.js";
import { Admission } from "./admission.js";
import { Deeds, Reports } from "./reports.js";
import { Judged, Lookup } from "./judged.js";
import { PageBar } from "../ui/pagebar.js";
import { Refusal } from "../ui/refusal.js";
import { t } from "../texts/texts.js";
import { Field } from "../ui/fields.js";

/** @param {import("../routes.js").Address} address it may ask for `status` or `name` */
export const operatorScreen = (address) => html`
  <${OperatorScreen} ...${address} />
`;

/** @param {Pick<import("../routes.js").Address, "rest" | "asked">} props */
function OperatorScreen({ rest: [what = "", id = ""], asked }) {
  const token = useFollowed(theOperatorToken, onOperatorToken);
  if (!token)
    return html`
      <main class="page">
        <${PageBar} title=${t("operator")} />
        <${TokenForm} />
      </main>
    `;
  const link = (/** @type {string} */ to, /** @type {import("../texts/texts.js").Key} */ text) => html`
    <a class="button" href=${`#/operator${to}`} aria-current=${to.slice(1) === what ? "page" : undefined}>${t(text)}</a>
  `;
  return html`
    <main class="page operator">
      <${PageBar} title=${t("operator")} />
      <nav class="buttons" aria-label=${t("operator")}>
        ${link("", "operator.reports")}${link("/players", "operator.players")}${link("/admission", "operator.admission")}${link("/deeds", "operator.deeds")}
        <button type="button" class="quiet" onClick=${() => keepOperatorToken("")}>${t("operator.forget")}</button>
      </nav>
      ${
        what === "" &&
        html`
          <${Reports} status=${asked.status ?? "open"} />
        `
      }
      ${
        what === "players" &&
        html`
          <${Lookup} key=${asked.name} name=${asked.name ?? ""} />
        `
      }
      ${
        what === "player" &&
        id &&
        html`
          <${Judged} key=${id} player=${id} />
        `
      }
      ${
        what === "admission" &&
        html`
          <${Admission} />
        `
      }
      ${
        what === "deeds" &&
        html`
          <${Deeds} />
        `
      }
    </main>
  `;
}

function TokenForm() {
  const [text, setText] = useState("");
  const { attempt, busy, problem } = useAttempt();
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    const token = text.trim();
    attempt(async () => {
      await call("GET", "/operator/deeds?limit=1", undefined, { once: true, ...asOperator(token) });
      keepOperatorToken(token);
    });
  };
  return html`
    <form class="name" onSubmit=${submit}>
      <${Field}
        label=${t("operator.token")}
        type="password"
        name="operator"
        required
        maxlength="300"
        autocomplete="off"
        value=${text}
        onChange=${setText}
      />
      <p class="hint">${t("operator.token.how")}</p>
      <button type="submit" class="main" disabled=${busy}>${t("name.button")}</button>
      <${Refusal} problem=${problem} />
    </form>
  `;
}
