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

/**
 * Where seats are drawn in two columns, as on a page that a phone scrolls: by seat, its row and column of a grid.
 * One's own seat is below the others; with an even number of players the seat opposite is above them.
 * @param {number} players
 * @param {number} mine the seat at the bottom
 * @param {"anticlockwise" | "clockwise"} direction
 * @returns {{ area: string, alone: boolean }[]} `alone`: whether it has a row to itself
 */
export function columns(players, mine, direction) {
  const side = Math.floor((players - 1) / 2);
  const first = players % 2 ? 1 : 2;
  return Array.from({ length: players }, (_, seat) => {
    const at = (seat - mine + players) % players;
    if (at === 0) return { area: `${first + side} / 1 / auto / span 2`, alone: true };
    if (at === side + 1 && first === 2) return { area: "1 / 1 / auto / span 2", alone: true };
    const isFirst = at <= side;
    const row = isFirst ? first + side - at : first + at - (players - side);
    return { area: `${row} / ${isFirst === (direction === "anticlockwise") ? 2 : 1}`, alone: false };
  });
}

/** @param {Place} place @returns {Place} */
function mirrored(place) {
  if (place.edge === "top") return { ...place, at: place.of - 1 - place.at };
  return { ...place, edge: place.edge === "left" ? "right" : "left" };
}
