/** How a rating has changed, as a line. */
import { html } from "../../vendor/preact-htm.js";
import { call } from "../api/client.js";
import { momentText, named, ratingText, t } from "../texts/texts.js";
import { useLoaded } from "../ui/hooks.js";

const [WIDTH, HEIGHT, EDGE] = [300, 90, 6];

/** @param {{ player: string, ruleset: string, game: string }} props `game`: its name */
export function Course({ player, ruleset, game }) {
  const { value } = useLoaded(
    async () =>
      /** @type {import("../types").Ratings} */ (await call("GET", `/players/${player}/ratings?ruleset=${ruleset}`)),
    [player, ruleset],
  );
  if (!value || value.items.length < 2) return null;
  const points = value.items;
  const ratings = points.map(({ rating }) => rating);
  const [least, most] = [Math.min(...ratings), Math.max(...ratings)];
  const x = (/** @type {number} */ at) => EDGE + ((WIDTH - 2 * EDGE) * at) / (points.length - 1);
  const y = (/** @type {number} */ rating) =>
    HEIGHT - EDGE - ((HEIGHT - 2 * EDGE) * (rating - least)) / (most - least || 1);
  const [first, last] = [points[0], points[points.length - 1]];
  // An older service has none.
  const levels = Object.entries(value.ai_ratings ?? {}).filter(([, rating]) => rating >= least && rating <= most);
  const equal = Object.entries(value.ai_ratings ?? {})
    .filter(([, rating]) => rating <= last.rating)
    .sort(([, a], [, b]) => b - a)[0];
  const about = t("course", {
    game,
    count: points.length,
    from: ratingText(first.rating),
    to: ratingText(last.rating),
    least: ratingText(least),
    most: ratingText(most),
  });
  return html`
    <figure class="course">
      <figcaption>${about}${equal && ` ${t("course.level", { level: named("level.of", equal[0]) })}`}</figcaption>
      <svg viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label=${about}>
        ${levels.map(
          ([level, rating]) => html`
            <g key=${level} class="level">
              <line x1=${EDGE} x2=${WIDTH - EDGE} y1=${y(rating)} y2=${y(rating)} />
              <text x=${EDGE} y=${y(rating) - 2}>${named("level.of", level)}</text>
            </g>
          `,
        )}
        <path d=${`M${points.map(({ rating }, at) => `${x(at).toFixed(1)} ${y(rating).toFixed(1)}`).join("L")}`} />
        <circle cx=${x(points.length - 1)} cy=${y(last.rating)} r="4" />
      </svg>
      <p class="hint ends">
        <span>${momentText(first.at)}</span>
        <span>${momentText(last.at)}</span>
      </p>
    </figure>
  `;
}
