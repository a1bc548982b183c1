/** The head of a page: the way back, the title, and the service if it is another host. */
import { html } from "../../vendor/preact-htm.js";
import { t } from "../texts/texts.js";
import { TheService } from "./host.js";
import { Icon } from "./icon.js";

/** @param {{ title: unknown, from?: string }} props `from`: the address to go back to */
export const PageBar = ({ title, from = "#/" }) => html`
  <header class="bar">
    <a class="plain" href=${from} aria-label=${t(from === "#/" ? "home" : "back")}><${Icon} name="back" /></a>
    <h1>${title}</h1>
  </header>
  <${TheService} />
`;

/**
 * Styles that only some screens need: loaded with them.
 * @param {{ name: string }} props `name`: of a file in `style`, without its ending
 */
export const Sheet = ({ name }) => html`
  <link rel="stylesheet" href=${`style/${name}.css`} />
`;
