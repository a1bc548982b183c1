/** Why no other game begins at a table. */
import { html } from "../../vendor/preact-htm.js";
import { t } from "../texts/texts.js";

/** @param {{ view: import("../types").View }} props `view`: of a table that has been closed */
export const Closed = ({ view }) => html`
  <p class="closed" role="status">${view.closed?.reason === "host" ? t("closed.host") : t("closed")}</p>
`;
