/** In place of what is not there yet: why, if it was refused. */
import { html } from "../../vendor/preact-htm.js";
import { t } from "../texts/texts.js";
import { useOnline } from "./hooks.js";
import { Refusal } from "./refusal.js";

/** @param {{ error?: any }} props `error`: of `useLoaded` */
export function Loading({ error }) {
  const online = useOnline();
  if (error?.problem)
    return html`
      <${Refusal} problem=${error.problem} />
    `;
  return html`
    <p class="loading" role="status">${t(online ? "loading" : "offline.here")}</p>
  `;
}
