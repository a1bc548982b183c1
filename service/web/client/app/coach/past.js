/** What the player has played: rounds, and whole games. */
import { html } from "../../vendor/preact-htm.js";
import { PlayersPage } from "../account/signin.js";
import { Games } from "../people/pastgamespage.js";
import { t } from "../texts/texts.js";
import { Mistakes } from "./mistakes.js";
import { Rounds } from "./rounds.js";
import { say } from "./words.js";

/** @param {import("../routes.js").Address} address asked: see `Games` */
export const pastScreen = ({ asked }) => html`
  <${PlayersPage} title=${t("games")}>
    <${Rounds} />
    <${Mistakes} />
    <h2>${say("games")}</h2>
    <${Games} asked=${asked} />
  <//>
`;
