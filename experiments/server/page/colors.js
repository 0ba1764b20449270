// The colors and patterns of the games' tiles: letters, names, and the shapes that tell them apart without color.

/** The id of a game, without the options of its spec. @param {string} spec */
export const gameId = (spec) => spec.split(":")[0];

/** @type {Record<string, Record<string, string>>} letters of each game in the color order, with names */
export const COLORS = {
  azul: { B: "blue", Y: "yellow", R: "red", K: "black", W: "white" },
  "summer-pavilion": { O: "orange", R: "red", B: "blue", Y: "yellow", G: "green", P: "purple" },
  "queens-garden": { Y: "yellow", B: "light blue", L: "light green", G: "dark green", P: "light purple", V: "dark purple" },
};

/** Patterns of Queen's Garden by value. */
export const PATTERNS = ["", "tree", "bird", "butterfly", "flower", "plant", "lily"];

/** All kinds of Queen's Garden in order. */
export const KINDS = Object.keys(COLORS["queens-garden"]).flatMap((color) => [1, 2, 3, 4, 5, 6].map((value) => `${color}${value}`));

/**
 * "red", "light blue flower (4)".
 * @param {string} game
 * @param {string} tile
 */
export function tileName(game, tile) {
  const color = COLORS[gameId(game)][tile[0]];
  return tile.length > 1 ? `${color} ${PATTERNS[Number(tile[1])]} (${tile[1]})` : color;
}

/**
 * How many of each letter, in the order of first appearance.
 * @param {string} letters
 * @returns {[string, number][]}
 */
export function countLetters(letters) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const letter of letters) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  return [...counts];
}

/**
 * The letters in the game's color order.
 * @param {string} game
 * @param {string} letters
 */
export function sortLetters(game, letters) {
  const order = Object.keys(COLORS[gameId(game)]).join("");
  return [...letters].sort((a, b) => order.indexOf(a) - order.indexOf(b)).join("");
}

/** @param {number} x @param {number} y @param {number} r */
const circle = (x, y, r) => `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`;

/** @param {number} count @param {number} distance @param {number} r */
const ringOfCircles = (count, distance, r) =>
  Array.from({ length: count }, (_, i) => {
    const angle = (2 * Math.PI * i) / count - Math.PI / 2;
    return circle(+(distance * Math.cos(angle)).toFixed(2), +(distance * Math.sin(angle)).toFixed(2), r);
  }).join("");

/** @param {number} points @param {number} outer @param {number} inner */
const starPath = (points, outer, inner) =>
  `M${Array.from({ length: 2 * points }, (_, i) => {
    const angle = (Math.PI * i) / points - Math.PI / 2;
    const r = i % 2 ? inner : outer;
    return `${(r * Math.cos(angle)).toFixed(2)} ${(r * Math.sin(angle)).toFixed(2)}`;
  }).join("L")}Z`;

const PETALS = "M0-9Q6-4.5 0 0Q-6-4.5 0-9ZM0 9Q6 4.5 0 0Q-6 4.5 0 9ZM-9 0Q-4.5 6 0 0Q-4.5-6-9 0ZM9 0Q4.5 6 0 0Q4.5-6 9 0Z";
const DIAMONDS = "M0-9L9 0L0 9L-9 0ZM0-4.5L-4.5 0L0 4.5L4.5 0Z";
const RINGS = circle(0, 0, 8) + circle(0, 0, 5.4) + circle(0, 0, 2.6);

/** @type {Record<string, Record<string, string>>} a glyph for each color, or for each value in Queen's Garden; in a box from -10 to 10 */
export const GLYPHS = {
  azul: { B: PETALS, Y: DIAMONDS, R: RINGS, K: starPath(4, 9, 2.6), W: starPath(6, 9, 3.6) },
  "summer-pavilion": {
    O: RINGS,
    R: DIAMONDS,
    B: PETALS,
    Y: starPath(8, 8.5, 4),
    G: "M0-9L8.5 7H-8.5ZM0-2L-3 4H3Z",
    P: ringOfCircles(3, 4.8, 3.6),
  },
  "queens-garden": {
    1: "M0-9L5-2H2.8L7 4H1.6V9H-1.6V4H-7L-2.8-2H-5Z",
    2: "M-9 1Q-4-5 1-3Q3-8 6-6L9.4-4.6L6.4-3.4Q6.6 3 0 4.4L-3.4 8L-3.4 4.4Q-8 5-9 1Z",
    3: "M0-2Q3-9 8-7Q10-2 2.4 0Q9 1 7 6Q3.4 9 0 2.4Q-3.4 9-7 6Q-9 1-2.4 0Q-10-2-8-7Q-3-9 0-2Z",
    4: ringOfCircles(5, 5, 3.1) + circle(0, 0, 2),
    5: "M0 9Q-1 3.4-8 3.4Q-7-2.4-1.2 1Q-6-6 0-9.4Q6-6 1.2 1Q7-2.4 8 3.4Q1 3.4 0 9Z",
    6: "M0 8.4Q-5 4-8.6-6Q-4-5-2.4-1Q-2.4-6 0-9.4Q2.4-6 2.4-1Q4-5 8.6-6Q5 4 0 8.4Z",
  },
};
