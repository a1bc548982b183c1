/** The attackers' points over a round as a curve, with the thresholds, and mistakes marked. */
import { html } from "../../vendor/preact-htm.js";
import { t } from "../texts/texts.js";

/**
 * @param {{
 *   points: number[],
 *   marks: number[],
 *   mistakes: number[],
 *   step: number,
 *   go: (step: number) => void,
 * }} props `points` after each step; `marks`: thresholds; `mistakes`: steps
 */
export function Curve({ points, marks, mistakes, step, go }) {
  const last = Math.max(1, points.length - 1);
  const most = Math.max(points.at(-1) ?? 0, 1);
  // The next threshold is shown too, to show how far away it was.
  const top = Math.max(most, marks.find((mark) => mark > most) ?? 0) * 1.08;
  const x = (/** @type {number} */ at) => (100 * at) / last;
  const y = (/** @type {number} */ value) => 40 - (40 * value) / top;
  const path = points.map((value, at) => `${at ? `H${x(at)}V` : `M0 `}${y(value)}`).join("");
  const press = (/** @type {MouseEvent} */ event) => {
    const { left, width } = /** @type {Element} */ (event.currentTarget).getBoundingClientRect();
    go(Math.round((last * (event.clientX - left)) / width));
  };
  return html`
    <svg
      class="curve"
      viewBox="0 0 100 40"
      preserveAspectRatio="none"
      role="img"
      aria-label=${t("curve.label", { points: points.at(-1) ?? 0 })}
      onClick=${press}
    >
      ${marks
        .filter((mark) => mark <= top)
        .map(
          (mark) => html`
            <path class="mark" d=${`M0 ${y(mark)}H100`} />
          `,
        )}
      <path class="area" d=${`${path}V40H0Z`} />
      <path class="points" d=${path} />
      ${mistakes.map(
        (at) => html`
          <path class="mistake" d=${`M${x(at)} 0V40`} />
        `,
      )}
      <path class="now" d=${`M${x(step)} 0V40`} />
    </svg>
  `;
}
