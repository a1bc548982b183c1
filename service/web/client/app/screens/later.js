/** All screens but the start page and the table: they are loaded while one of these two is shown. */
import { html } from "../../vendor/preact-htm.js";
import { PersonDialog } from "../dialogs/person.js";
import { LinkScreen, RecoverScreen } from "./comeback.js";
import { CreateScreen } from "./create.js";
import { EventScreen } from "./event.js";
import { FriendsScreen } from "./friends.js";
import { GamesScreen } from "./games.js";
import { LeaderboardScreen } from "./leaderboard.js";
import { LobbyScreen } from "./lobby.js";
import { PlayerScreen } from "./player.js";
import { ReplayScreen } from "./replay.js";
import { RulesScreen } from "./rules.js";

/**
 * The screen of an address, with the menu of a player whose name was tapped; null: no such screen.
 * @param {import("../main.js").Address} address
 */
export function laterScreen(address) {
  const screen = screenOf(address);
  return (
    screen &&
    html`
      ${screen}
      <${PersonDialog} />
    `
  );
}

/** @param {import("../main.js").Address} address */
function screenOf({ path, name, rest, asked }) {
  if (name === "lobby")
    return html`
      <${LobbyScreen} />
    `;
  if (name === "new")
    return html`
      <${CreateScreen} key=${asked.ruleset} ruleset=${asked.ruleset} />
    `;
  if (name === "rules")
    return html`
      <${RulesScreen} ruleset=${rest[0]} asked=${asked} />
    `;
  if (name === "friends")
    return html`
      <${FriendsScreen} code=${rest[0]} />
    `;
  if (name === "games")
    return html`
      <${GamesScreen} asked=${asked} />
    `;
  if (name === "player" && rest[0])
    return html`
      <${PlayerScreen} key=${rest[0]} player=${rest[0]} from=${asked.from} />
    `;
  if (name === "leaderboard")
    return html`
      <${LeaderboardScreen} ruleset=${rest[0]} />
    `;
  if (name === "event" && rest[0])
    return html`
      <${EventScreen} key=${rest[0]} event=${rest[0]} />
    `;
  if (name === "link")
    return html`
      <${LinkScreen} key=${path} code=${rest[0]} to=${asked.to} />
    `;
  if (name === "recover")
    return html`
      <${RecoverScreen} to=${asked.to} />
    `;
  if (name === "replay" && rest[1])
    return html`
      <${ReplayScreen} key=${path} game=${rest[0]} round=${Number(rest[1])} asked=${asked} />
    `;
  return null;
}
