/** Par: what the cards of a round were worth, as AI players have replayed it. */
import { html, useEffect, useState } from "../../vendor/preact-htm.js";
import { call, Refused } from "../api/client.js";
import { t } from "../texts/texts.js";

const LOOK_MS = 2000;

/**
 * The par of a round, requested at once and followed until it is known; null until then, and if it is not available.
 * @param {string} path below `/v1`
 */
function usePar(path) {
  const [told, set] = useState(/** @type {import("../types").RoundPar | null} */ (null));
  useEffect(() => {
    let timer = 0;
    let current = true;
    const read = async (/** @type {"GET" | "POST"} */ method) => {
      try {
        const answer = await call(method, path, undefined, method === "POST" ? { once: true } : {});
        if (!current) return;
        set(answer);
        if (answer.status === "working") timer = setTimeout(() => read("GET"), LOOK_MS);
      } catch (error) {
        // It is an extra: if it is not available, nothing is shown.
        if (!(error instanceof Refused)) throw error;
      }
    };
    read("POST");
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [path]);
  return told;
}

/**
 * @param {{ game: string, round: number, side: string | null | undefined }} props `side`: of the reader in that round
 */
export function Par({ game, round, side }) {
  const told = usePar(`/games/${game}/rounds/${round}/par`);
  const par = told?.par;
  if (!par) return null;
  if (par.scores)
    return html`
      <p class="par">
        ${t("par.scores", { par: par.scores.map(Math.round).join(" : "), scores: told.scores?.join(" : ") ?? "" })}
      </p>
    `;
  const [worth, least, most] = [par.points, par.least, par.most].map((points) => Math.round(points ?? 0));
  const who = side === "attackers" || side === "declarers" ? side : "others";
  return html`
    <p class="par">${t(`par.${who}`, { par: worth, least, most, points: told.points ?? 0 })}</p>
  `;
}
