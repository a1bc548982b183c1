/** The form for a name, which is all that a new player must give. */
import { html, useState } from "../../vendor/preact-htm.js";
import { signIn } from "../api/account.js";
import { call, Refused } from "../api/client.js";
import { languageTag, t } from "../texts/texts.js";
import { useLoaded } from "../ui/hooks.js";
import { Refusal } from "../ui/refusal.js";
import { Field } from "../ui/fields.js";

/**
 * Register under a name, and keep the token.
 * @param {string} name
 * @param {string} [code] a registration code, where one is needed
 */
export async function register(name, code) {
  signIn(await call("POST", "/players", { name, kind: "human", locale: languageTag(), ...(code && { code }) }));
}

/** Register under a made-up name, which can be changed. */
export const registerGuest = () => register(t("guest", { number: 100 + Math.floor(Math.random() * 900) }));

/** @param {{ onDone?: () => void, button?: string }} props `button`: its text */
export function NameForm({ onDone, button = t("name.button") }) {
  const [name, setName] = useState("");
  const [code, setCode] = useState("");
  // Unknown means open: the service says itself what is missing.
  const { value: registration, again } = useLoaded(
    async () => /** @type {string} */ ((await call("GET", "", undefined, { once: true })).registration ?? "open"),
    [],
  );
  const [problem, setProblem] = useState(/** @type {import("../types").Problem | null} */ (null));
  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    try {
      await register(name.trim(), registration === "invited" ? code.trim() : undefined);
      onDone?.();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      setProblem(error.problem);
      if (error.problem.code === "registration-closed") again();
    }
  };
  if (registration === "closed")
    return html`
      <p class="box" role="status">${t("name.closed")}</p>
    `;
  return html`
    <form class="name" onSubmit=${submit}>
      <${Field}
        label=${t("name.ask")}
        name="name"
        required
        maxlength="40"
        autocomplete="nickname"
        value=${name}
        onChange=${setName}
      />
      ${
        registration === "invited" &&
        html`
          <${CodeField} code=${code} onChange=${setCode} />
        `
      }
      <button type="submit" class="main">${button}</button>
      <${Refusal} problem=${problem} />
    </form>
  `;
}

/** The registration code. @param {{ code: string, onChange: (code: string) => void }} props */
const CodeField = ({ code, onChange }) => html`
  <${Field}
    label=${t("name.code")}
    name="code"
    required
    maxlength="60"
    autocomplete="off"
    autocapitalize="characters"
    spellcheck="false"
    value=${code}
    onChange=${onChange}
  />
  <p class="hint">${t("name.code.how")}</p>
`;
