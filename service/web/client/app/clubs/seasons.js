/** The seasons of a club: the list, and a new one. */
import { html } from "../../vendor/preact-htm.js";
import { call } from "../api/client.js";
import { dateText } from "../texts/texts.js";
import { useLoaded } from "../ui/hooks.js";
import { SeasonForm } from "./seasonform.js";
import { say } from "./words.js";

/** @typedef {import("../types").ClubSeason} ClubSeason */

/** From when to when a season lasts. @param {ClubSeason} season */
export const spanText = ({ starts_at, ends_at }) =>
  say("season_span", { first: dateText(starts_at), last: dateText(ends_at) });

/** @param {import("./club.js").ClubProps} props */
export function Seasons({ club: { club, role } }) {
  const { value, again } = useLoaded(
    async () => /** @type {ClubSeason[]} */ ((await call("GET", `/clubs/${club}/seasons`)).items),
    [club],
  );
  const make = async (/** @type {object} */ about) => {
    const { season } = await call("POST", `/clubs/${club}/seasons`, about, { once: true });
    again();
    location.hash = `#/club/${club}/season/${season}`;
  };
  return html`
    <section aria-label=${say("seasons")}>
      <h2>${say("seasons")}</h2>
      ${
        value?.length
          ? html`
              <ul class="events" aria-label=${say("seasons")}>
                ${value.map(
                  (each) => html`
                    <li key=${each.season}>
                      <a href=${`#/club/${club}/season/${each.season}`}>
                        <b>${each.name}</b>
                        <span>${spanText(each)}</span>
                        ${
                          each.over &&
                          html`
                            <span class="badge">${say("over")}</span>
                          `
                        }
                      </a>
                    </li>
                  `,
                )}
              </ul>
            `
          : html`
              <p class="hint">${say("seasons_none")}</p>
            `
      }
      <div class="buttons"><a class="button" href=${`#/club/${club}/ranking`}>${say("ranking")}</a></div>
      ${
        role !== "member" &&
        html`
          <details>
            <summary>${say("season_make")}</summary>
            <${SeasonForm} club=${club} button=${say("season_make")} save=${make} />
          </details>
        `
      }
    </section>
  `;
}
