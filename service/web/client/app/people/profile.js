/** A public profile: results, rating, and the latest games that anybody could watch. */
import { html, useState } from "../../vendor/preact-htm.js";
import { call } from "../api/client.js";
import { Course } from "./course.js";
import { COUNT, faceOf, PersonFace } from "./face.js";
import { useAccount, useAttempt, useLoaded } from "../ui/hooks.js";
import { useGameNames } from "../games/hooks.js";
import { PastGames } from "./pastgames.js";
import { PersonActions } from "./person.js";
import { Player } from "./player.js";
import { Refusal } from "../ui/refusal.js";
import { PlayersPage } from "../account/signin.js";
import { ratingText, t } from "../texts/texts.js";

const SHOWN = 5;

/** @param {{ player: string, from?: string }} props `from`: the address to go back to */
export function PlayerScreen({ player, from = "" }) {
  const { token, player: me } = useAccount();
  const { value, error } = useLoaded(
    async () =>
      token ? /** @type {import("../types").PublicPlayer} */ (await call("GET", `/players/${player}`)) : undefined,
    [player, token],
  );
  return html`
    <${PlayersPage} title=${value ? titleOf(value, me) : t("player")} from=${`#/${from}`}>
      <${Refusal} problem=${error?.problem} />
      ${
        !value &&
        !error &&
        html`
          <p class="loading" role="status">${t("loading")}</p>
        `
      }
      ${
        value &&
        html`
          ${
            value.kind === "bot" &&
            html`
              <p class="hint">${t("player.bot")}</p>
            `
          }
          ${
            player === me
              ? html`
                  <${FaceChoice} player=${player} face=${value.face} />
                `
              : html`
                  <section class="box"><${PersonActions} player=${player} name=${value.name} /></section>
                `
          }
          <${Results} player=${value} />
          <section class="list">
            <h2>${t("player.games")}</h2>
            <div class="buttons">
              <a class="button" href=${player === me ? "#/games" : `#/games?with=${player}`}>
                ${t(player === me ? "games" : "player.with")}
              </a>
            </div>
            <${PastGames} path=${`/players/${player}/games?limit=${SHOWN}`} empty=${t("player.games.none")} />
          </section>
        `
      }
    <//>
  `;
}

/**
 * The player; without the face, which is among those to choose from, in one's own profile.
 * @param {import("../types").PublicPlayer} player
 * @param {string | undefined} me
 */
const titleOf = ({ id, name, face }, me) => html`
  <${Player} plain player=${id} name=${name} face=${id === me ? undefined : (face ?? null)} />
`;

/** The faces from which the player chooses. @param {{ player: string, face: number | null }} props */
function FaceChoice({ player, face }) {
  const [chosen, setChosen] = useState(faceOf(player, face));
  const { attempt, busy, problem } = useAttempt();
  const choose = (/** @type {number} */ number) =>
    attempt(async () => {
      await call("PATCH", "/me", { face: number }, { once: true });
      setChosen(number);
    });
  return html`
    <fieldset class="faces">
      <legend>${t("face")}</legend>
      ${Array.from({ length: COUNT }, (_, at) => at + 1).map(
        (number) => html`
          <label title=${t("face.number", { number })}>
            <input
              class="visually-hidden"
              type="radio"
              name="face"
              aria-label=${t("face.number", { number })}
              disabled=${busy}
              checked=${number === chosen}
              onChange=${() => choose(number)}
            />
            <${PersonFace} number=${number} />
          </label>
        `,
      )}
      <p class="hint">${t("face.where")}</p>
      <${Refusal} problem=${problem} />
    </fieldset>
  `;
}

/** @param {{ player: import("../types").PublicPlayer }} props */
function Results({ player }) {
  const nameOf = useGameNames();
  const rows = Object.entries(player.results);
  if (!rows.length)
    return html`
      <p class="hint">${t("player.none")}</p>
    `;
  const isInactive = rows.some(([, { inactive }]) => inactive);
  const isProvisional = rows.some(([, { rating, provisional }]) => rating !== null && provisional);
  return html`
    <table class="results">
      <caption>${t("player.results")}</caption>
      <thead>
        <tr>
          <th scope="col">${t("lobby.game")}</th>
          <th scope="col" class="number">${t("results.games")}</th>
          <th scope="col" class="number">${t("results.wins")}</th>
          <th scope="col" class="number">${t("rating")}</th>
          <th scope="col" class="number">${t("leaderboard.place")}</th>
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ([id, result]) => html`
            <tr>
              <th scope="row"><a href=${`#/leaderboard/${id}`}>${nameOf(id)}</a></th>
              <td class="number">${result.games}</td>
              <td class="number">${result.wins}</td>
              <td class="number"><${Rating} result=${result} /></td>
              <td class="number">${player.places[id] ?? "–"}</td>
            </tr>
          `,
        )}
      </tbody>
    </table>
    ${
      isProvisional &&
      html`
        <p class="hint">${t("rating.provisional.how")}</p>
      `
    }
    ${
      isInactive &&
      html`
        <p class="hint">${t("rating.absence")}</p>
      `
    }
    ${rows.map(
      ([id, { rated_games: count }]) =>
        count > 1 &&
        html`
          <${Course} key=${id} player=${player.id} ruleset=${id} game=${nameOf(id)} />
        `,
    )}
  `;
}

/** A rating, and what qualifies it. @param {{ result: import("../types").PublicPlayer["results"][string] }} props */
const Rating = ({ result: { rating, provisional, inactive } }) => html`
  ${ratingText(rating)}${
    rating !== null &&
    provisional &&
    html`
      <span class="hint">${t("rating.provisional")}</span>
    `
  }${
    inactive &&
    html`
      <span class="hint">${t("rating.inactive")}</span>
    `
  }
`;
