/**
 * Where seats are drawn: one's own at the bottom, the others along the edges in the order of play, to the right or to
 * the left depending on the ruleset.
 */

/**
 * @typedef {{ seat: number, edge: "left" | "top" | "right", at: number, of: number }} Place
 *   `at` of `of` along its edge, from the left or from the top
 */

/**
 * @param {number} players
 * @param {number} mine the seat at the bottom
 * @param {"anticlockwise" | "clockwise"} direction
 * @param {boolean} wide more room above than at the sides
 * @returns {Place[]}
 */
export function places(players, mine, direction, wide) {
  const others = players - 1;
  const most = others <= 3 ? 1 : wide ? Math.ceil(others / 2) : 3;
  // Both sides have the same length.
  const top = (others - most) % 2 ? most - 1 : most;
  const side = (others - top) / 2;
  return Array.from({ length: others }, (_, number) => {
    const seat = (mine + 1 + number) % players;
    /** @type {Place} */
    const place =
      number < side
        ? { seat, edge: "right", at: side - 1 - number, of: side }
        : number < side + top
          ? { seat, edge: "top", at: top - 1 - (number - side), of: top }
          : { seat, edge: "left", at: number - side - top, of: side };
    return direction === "anticlockwise" ? place : mirrored(place);
  });
}

/** @param {Place} place @returns {Place} */
function mirrored(place) {
  if (place.edge === "top") return { ...place, at: place.of - 1 - place.at };
  return { ...place, edge: place.edge === "left" ? "right" : "left" };
}
