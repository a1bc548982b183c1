/** Signing in on this device as a player who has played elsewhere: by a link code, or by the recovery code. */
import { html, useState } from "../../vendor/preact-htm.js";
import { CodeForm } from "./codeform.js";
import { useAccount, useLoaded } from "../ui/hooks.js";
import { PageBar } from "../ui/pagebar.js";
import { myTokens, RecoveryMaker } from "./recovery.js";
import { t } from "../texts/texts.js";

/** An address of this page. @param {string} [to] without `#/` */
const addressOf = (to = "") => `#/${to}`;

/**
 * With a code that another device shows, from the address or typed.
 * @param {{ code?: string, to?: string }} props `to`: the address to go on to
 */
export const LinkScreen = ({ code, to }) =>
  // The code is used up, so its address is not kept in the history.
  html`
    <${ComeBack}
      title=${t("link")}
      how=${t("link.how")}
      path="/links"
      code=${code}
      to=${to}
      onDone=${() => location.replace(addressOf(to))}
    />
  `;

/** With the recovery code. @param {{ to?: string }} props */
export function RecoverScreen({ to }) {
  const [done, setDone] = useState(false);
  const { name = "", unfinished } = useAccount();
  if (done)
    return html`
      <main class="page">
        <${PageBar} title=${t("recover")} />
        <p role="status">${t("recover.done", { name })}</p>
        <section class="box">
          <p>${t("recover.next")}</p>
          <${RecoveryMaker} />
        </section>
        <p><a class="button main" href=${addressOf(to)}>${t("name.button")}</a></p>
      </main>
    `;
  return html`
    <${ComeBack}
      title=${t("recover")}
      how=${t("recover.how")}
      path="/recoveries"
      code=${unfinished?.path === "/recoveries" ? unfinished.code : ""}
      to=${to}
      onDone=${() => setDone(true)}
    />
  `;
}

/**
 * @param {{
 *   title: string,
 *   how: string,
 *   path: "/links" | "/recoveries",
 *   code?: string,
 *   to?: string,
 *   onDone: () => void,
 * }} props
 */
function ComeBack({ title, how, path, code, to, onDone }) {
  const { token, name = "" } = useAccount();
  const [sure, setSure] = useState(!token);
  return html`
    <main class="page">
      <${PageBar} title=${title} from=${addressOf(to)} />
      ${
        token &&
        html`
          <${Instead} name=${name} onSure=${setSure} />
        `
      }
      <p>${how}</p>
      <${CodeForm} path=${path} code=${code} disabled=${!sure && Boolean(token)} onDone=${onDone} />
      ${
        token &&
        html`
          <p><a class="button" href="#/">${t("instead.stay", { name })}</a></p>
        `
      }
    </main>
  `;
}

/**
 * What happens to the account that this device has now: giving it up needs a confirmation.
 * @param {{ name: string, onSure: (sure: boolean) => void }} props
 */
export function Instead({ name, onSure }) {
  const { value: tokens } = useLoaded(async () => {
    const found = await myTokens();
    const elsewhere = found.has_recovery_code || found.items.length > 1 || Boolean(found.identities?.length);
    onSure(elsewhere);
    return { elsewhere };
  }, []);
  return html`
    <section class="box instead">
      <p>${t("instead", { name })}</p>
      ${
        tokens?.elsewhere &&
        html`
          <p>${t("instead.elsewhere", { name })}</p>
        `
      }
      ${
        tokens &&
        !tokens.elsewhere &&
        html`
          <p><b>${t("instead.only", { name })}</b></p>
          <${RecoveryMaker} onMade=${() => onSure(true)} />
          <label class="check">
            <input type="checkbox" onChange=${(/** @type {any} */ event) => onSure(event.target.checked)} />
            ${t("instead.give_up", { name })}
          </label>
        `
      }
    </section>
  `;
}
