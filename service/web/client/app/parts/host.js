/** Which service this page talks to, where the address of the page does not tell. */
import { html } from "../../vendor/preact-htm.js";
import { API, HOST, isElsewhere, SERVICES } from "../api/service.js";
import { t } from "../texts/texts.js";

/** The service of a page that is hosted elsewhere. */
export const TheService = () => isElsewhere && html`<p class="service">${t("service", { host: HOST })}</p>`;

/** The other services that the host of this page lists. */
export const OtherServices = () =>
  SERVICES.length > 1 &&
  html`<nav class="buttons" aria-label=${t("service.others")}>
    ${SERVICES.filter(({ origin }) => origin !== API).map(({ origin }) => html`<a class="button quiet" key=${origin} href=${`?${new URLSearchParams({ api: origin })}`}>${t("service.go", { host: new URL(origin).host })}</a>`)}
  </nav>`;

/** In place of every screen: the address names a service to which this page does not talk. It is not named here, since whoever made the link chose its name. */
export const RefusedService = () => html`<main class="page">
  <h1>${t("service.refused")}</h1>
  <p role="alert">${t("service.refused.why", { host: HOST })}</p>
  <p>${t("service.refused.care")}</p>
  <p><a class="button main" href=${location.pathname}>${t("service.refused.go", { host: HOST })}</a></p>
</main>`;
