/**
 * Which service this page talks to, where the address of the page does not tell, and the others that its host lists.
 */
import { html } from "../../vendor/preact-htm.js";
import { API, HOST, isElsewhere, SERVICES } from "../api/service.js";
import { t } from "../texts/texts.js";

export const TheService = () =>
  isElsewhere &&
  html`
    <p class="service">
      ${t("service", { host: HOST })}${SERVICES.map(
        ({ origin }) =>
          origin !== API &&
          html`
            ${" · "}
            <a key=${origin} href=${`?${new URLSearchParams({ api: origin })}`}>${new URL(origin).host}</a>
          `,
      )}
    </p>
  `;
