// How Azul's actions are pointed at: first the tiles, then the line.

/** @param {string} action @param {Seat} seat @returns {string[][]} */
export function paths(action, seat) {
  if (action[0] === "T") return [[`wall:${action.slice(1)}@${seat}`]];
  return [[`from:${action.slice(0, 2)}`, `to:${action[2]}@${seat}`]];
}

/** @param {string} move @param {Seat} seat @returns {Trip | null} */
export function trip(move, seat) {
  if (move[0] === "D") return null;
  if (move[0] === "T") return { from: `to:${move[1]}@${seat}`, to: `wall:${move.slice(1)}@${seat}`, tile: "" };
  return { from: `from:${move.slice(0, 2)}`, to: `to:${move[2]}@${seat}`, tile: move[1] };
}

/** What a key that is no part of the board is called. @param {string} key */
export const keyName = (key) => key;

/** @param {string} phase @param {boolean} begun */
export function prompt(phase, begun) {
  if (begun) return "Choose the line where they go";
  return phase === "tile" ? "Choose the column of your next tile" : "Choose tiles, then the line where they go";
}
