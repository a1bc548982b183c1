/** The result of a board, in words. */
import { named, t } from "../texts/texts.js";

/** A sentence. @param {{ side?: string | null, points?: number | null, scores?: number[] | null }} result */
export const resultText = ({ side, points, scores }) =>
  scores ? scores.join(" : ") : side ? named("event.result", side, { points: points ?? 0 }) : t("event.broken");

/** Number and level of a board. @param {{ number: number, level: string | null }} board */
export const boardText = ({ number, level }) =>
  `${t("event.board", { number })}${level ? ` · ${t("event.level", { level })}` : ""}`;
