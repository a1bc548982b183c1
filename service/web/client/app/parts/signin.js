/** Who plays on this device: somebody new, or a player who has played elsewhere. */
import { html } from "../../vendor/preact-htm.js";
import { t } from "../texts/texts.js";
import { useAccount } from "./hooks.js";
import { NameForm } from "./name.js";
import { PageBar } from "./pagebar.js";

/** @param {{ onDone?: () => void }} props */
export function SignIn({ onDone }) {
  const { out, name = "" } = useAccount();
  const to = `?to=${encodeURIComponent(location.hash.replace(/^#\/?/, ""))}`;
  if (!out)
    return html`<${NameForm} onDone=${onDone} />
      <p class="ways">${t("known")} <a href=${`#/link${to}`}>${t("link.open")}</a> <a href=${`#/recover${to}`}>${t("recover.open")}</a></p>`;
  return html`<section class="box signed-out">
    <p role="alert">${t("out", { name })}</p>
    <div class="buttons"><a class="button main" href=${`#/link${to}`}>${t("link.open")}</a><a class="button" href=${`#/recover${to}`}>${t("recover.open.out")}</a></div>
    <details><summary>${t("out.anew")}</summary><p class="hint">${t("out.anew.how", { name })}</p><${NameForm} onDone=${onDone} /></details>
  </section>`;
}

/** A page for players: whoever is none is asked who it is. @param {{ title: string, from?: string, children?: unknown }} props */
export function PlayersPage({ title, from, children }) {
  const { token } = useAccount();
  return html`<main class="page">
    <${PageBar} title=${title} from=${from} />
    ${token ? children : html`<${SignIn} />`}
  </main>`;
}
