// How Summer Pavilion's actions are pointed at: a source; a slot and then, where there is a choice, its payment; a bonus tile; a tile to keep.
import { COLORS } from "../colors.js";

/** @param {string} action @param {Seat} seat @returns {string[][]} */
export function paths(action, seat) {
  if (/^\d/.test(action)) return [[`from:${action}`]];
  if (action[0] === "+") return [[`supply:${action[1]}`]];
  if (action.startsWith("keep:")) return [[`hand:${action[5]}@${seat}`]];
  if (action === "pass" || action === "done") return [[action]];
  return [[`slot:${action.slice(0, 2)}@${seat}`, `pay:${action.slice(2)}`]];
}

/** @param {string} move @param {Seat} seat @returns {Trip | null} */
export function trip(move, seat) {
  if (/^\d/.test(move)) return { from: `from:${move}`, to: `hand@${seat}`, tile: move[1] };
  if (move[0] === "+") return { from: `supply:${move[1]}`, to: `hand@${seat}`, tile: move[1] };
  if (/^[A-Z]\d[A-Z]\d$/.test(move)) return { from: `hand:${move[2]}@${seat}`, to: `slot:${move.slice(0, 2)}@${seat}`, tile: move[2] };
  return null;
}

/** @param {string} key */
export function keyName(key) {
  if (key === "pass") return "Pass for this round";
  if (key === "done") return "Keep no more";
  const [, color, wilds] = /^pay:(.)(\d)$/.exec(key) ?? [];
  const name = COLORS["summer-pavilion"][color];
  return wilds === "0" ? `${name}, no other wild tiles` : `${name}, ${wilds} wild`;
}

/** @type {Record<string, string>} */
const PROMPTS = {
  acquire: "Choose tiles of one color to take",
  place: "Choose a slot for a tile, or pass",
  bonus: "Choose a bonus tile from the supply",
  keep: "Choose up to four tiles to keep",
};

/** @param {string} phase @param {boolean} begun */
export const prompt = (phase, begun) => (begun ? "Choose what you pay with" : (PROMPTS[phase] ?? ""));
