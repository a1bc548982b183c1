/** What hangs on the wall of an event, and what is printed for it. This file is loaded when one of these is opened. */
import { html } from "../../vendor/preact-htm.js";
import { PlayersPage } from "../account/signin.js";
import { useAccount } from "../ui/hooks.js";
import { Sheet } from "../ui/pagebar.js";
import { BoardsScreen, SlipsScreen } from "./sheets.js";
import { Wall } from "./wall.js";
import { WatchScreen } from "./watch.js";
import { say } from "./words.js";

/**
 * The screen of `#/hall/<event>`, `…/slips`, `…/boards` and `…/watch`.
 * @param {import("../routes.js").Address} address
 */
export const hallScreen = ({ rest: [event, part] }) =>
  event &&
  html`
    <${Sheet} name="hall" />
    <${SCREENS[part] ?? WallScreen} key=${event} id=${event} />
  `;

/** The wall; a new device is asked who it is for. @param {{ id: string }} props */
function WallScreen({ id }) {
  const { token } = useAccount();
  return token
    ? html`
        <${Wall} id=${id} />
      `
    : html`
        <${PlayersPage} title=${say("wall")} from=${`#/teams/${id}`} />
      `;
}

/** @type {Record<string, (props: { id: string }) => unknown>} */
const SCREENS = { slips: SlipsScreen, boards: BoardsScreen, watch: WatchScreen };
