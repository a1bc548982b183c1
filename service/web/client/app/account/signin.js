/** Who plays on this device: a new player, or one who has played elsewhere. */
import { html } from "../../vendor/preact-htm.js";
import { providers } from "../api/service.js";
import { t } from "../texts/texts.js";
import { useAccount } from "../ui/hooks.js";
import { NameForm } from "./name.js";
import { PageBar } from "../ui/pagebar.js";

/** @param {{ to: string }} props `to`: the query with the address to go on to */
export const Providers = ({ to }) =>
  providers.length > 0 &&
  html`
    <div class="buttons">
      ${providers.map(
        (provider) => html`
          <a class="button" href=${`#/ways/${provider}${to}`}>${t("ways.with", { provider })}</a>
        `,
      )}
    </div>
  `;

/** @param {{ onDone?: () => void }} props */
export function SignIn({ onDone }) {
  const { out, name = "" } = useAccount();
  const to = `?to=${encodeURIComponent(location.hash.replace(/^#\/?/, ""))}`;
  if (!out)
    return html`
      <${NameForm} onDone=${onDone} />
      <p class="ways">
        ${t("known")}${" "}
        <a href=${`#/link${to}`}>${t("link.open")}</a>
        ${" "}
        <a href=${`#/recover${to}`}>${t("recover.open")}</a>
      </p>
      <${Providers} to=${to} />
    `;
  return html`
    <section class="box signed-out">
      <p role="alert">${t("out", { name })}</p>
      <div class="buttons">
        <a class="button main" href=${`#/link${to}`}>${t("link.open")}</a>
        <a class="button" href=${`#/recover${to}`}>${t("recover.open.out")}</a>
      </div>
      <${Providers} to=${to} />
      <details>
        <summary>${t("out.anew")}</summary>
        <p class="hint">${t("out.anew.how", { name })}</p>
        <${NameForm} onDone=${onDone} />
      </details>
    </section>
  `;
}

/**
 * A page for players: visitors are asked to register or sign in.
 * @param {{ title: unknown, from?: string, children?: unknown }} props
 */
export function PlayersPage({ title, from, children }) {
  const { token } = useAccount();
  return html`
    <main class="page">
      <${PageBar} title=${title} from=${from} />
      ${
        token
          ? children
          : html`
              <${SignIn} />
            `
      }
    </main>
  `;
}

/**
 * The button that does something in somebody's name: who has none says it first, and who has signed out signs in.
 * @param {{ what: string, busy: boolean, onDo: () => Promise<unknown> }} props
 */
export function Named({ what, busy, onDo }) {
  const { token, out } = useAccount();
  if (out)
    return html`
      <${SignIn} />
    `;
  if (!token)
    return html`
      <${NameForm} button=${what} onDone=${onDo} />
    `;
  return html`
    <div class="buttons">
      <button type="button" class="main" disabled=${busy} onClick=${onDo}>${what}</button>
    </div>
  `;
}
