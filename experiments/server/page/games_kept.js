// The games that are played here: kept in the browser after every move, and on disk by the server.
import { call } from "./server.js";

const PREFIX = "azulejo-game-";
/** So many games a browser keeps; what is older lies on disk. */
const MOST = 60;

/** @returns {SavedGame[]} the latest first */
export function keptGames() {
  const games = [];
  for (let i = 0; i < localStorage.length; i++) {
    const key = localStorage.key(i) ?? "";
    const game = key.startsWith(PREFIX) ? read(key) : null;
    if (game) games.push(game);
  }
  return games.sort((a, b) => b.changed - a.changed);
}

/** @param {string} key @returns {SavedGame | null} */
function read(key) {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "null");
  } catch {
    return null;
  }
}

/** @param {string} id */
export const keptGame = (id) => read(PREFIX + id);

/** @param {string} id */
export const forget = (id) => localStorage.removeItem(PREFIX + id);

/**
 * Keeps a game in the browser and, where it has moves, on disk.
 * @param {SavedGame} game
 * @returns {Promise<string>} what to tell the person where it could not be kept, or nothing
 */
export async function keep(game) {
  let fault = "";
  try {
    localStorage.setItem(PREFIX + game.id, JSON.stringify(game));
    for (const { id } of keptGames().slice(MOST)) forget(id);
  } catch {
    fault = "The browser keeps no games: its storage is full or switched off.";
  }
  // A record begins at a game's first state: a game that goes on from a position is kept in the browser alone.
  if (game.course.moves.length === 0 || game.course.start) return fault;
  const names = game.seats.map((seat) => seat.name);
  return call("save", { id: game.id, record: { course: game.course, names, agents: game.seats.map((seat) => seat.spec || "person"), seed: game.seed } }).then(
    () => fault,
    (error) => `Not saved on disk: ${error.message}`,
  );
}

/** A new name for a game: when it began, and four letters against doubles. */
export function newId() {
  const now = new Date().toISOString().slice(0, 16).toLowerCase().replace(/[^0-9a-z]+/g, "-");
  return `${now}-${Math.random().toString(36).slice(2, 6)}`;
}
