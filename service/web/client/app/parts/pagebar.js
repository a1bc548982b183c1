/** The head of a page: the way back, and its title. */
import { html } from "../../vendor/preact-htm.js";
import { t } from "../texts/texts.js";
import { Icon } from "./icon.js";

/** @param {{ title: string }} props */
export const PageBar = ({ title }) =>
  html`<header class="bar"><a class="plain" href="#/" aria-label=${t("home")}><${Icon} name="back" /></a><h1>${title}</h1></header>`;
