// How a game's actions are pointed at: an action is a path of keys, and a choice is made key by key until one action is left.
import { gameId } from "./colors.js";
import * as azul from "./grammar/azul.js";
import * as summerPavilion from "./grammar/summer_pavilion.js";
import * as queensGarden from "./grammar/queens_garden.js";

/**
 * @typedef {{
 *   paths: (action: string, seat: Seat, state: any) => string[][],
 *   trip: (move: string, seat: Seat, state: any) => Trip | null,
 *   keyName: (key: string) => string,
 *   prompt: (phase: string, begun: boolean) => string,
 *   opens?: (action: string) => boolean,
 * }} Grammar `opens` says whether an action chooses a piece whose place is chosen after it
 */

/** @type {Record<string, Grammar>} */
const GRAMMARS = { azul, "summer-pavilion": summerPavilion, "queens-garden": queensGarden };

/** @param {string} spec @returns {Grammar} */
export const grammarOf = (spec) => GRAMMARS[gameId(spec)];

/** Keys that no board draws: they are buttons beside it. @param {string} key */
export const isButton = (key) => /^(pass|done|joker)$|^(pay|acquire):/.test(key);

/**
 * What can be chosen after `chosen`: keys with what a screen reader says of them, and the action where the choice is finished.
 * @param {Position} position
 * @param {string[]} chosen
 */
export function choices(position, chosen) {
  const seat = Number(position.turn);
  const grammar = grammarOf(position.state.game);
  /** @type {Map<string, string[]>} */
  const next = new Map();
  let finished = null;
  for (const { action } of position.legal) {
    for (const path of grammar.paths(action, seat, position.state)) {
      if (!chosen.every((key, i) => path[i] === key)) continue;
      if (path.length === chosen.length) finished = action;
      else next.set(path[chosen.length], [...(next.get(path[chosen.length]) ?? []), action]);
    }
  }
  return { next, finished: finished ?? loneRest(chosen, next) };
}

/**
 * The action where a payment, the last step, leaves no choice.
 * @param {string[]} chosen
 * @param {Map<string, string[]>} next
 */
function loneRest(chosen, next) {
  if (chosen.length === 0 || next.size !== 1) return null;
  const [[key, actions]] = next;
  return isButton(key) && actions.length === 1 ? actions[0] : null;
}

/**
 * Where a move begins and ends on the table.
 * @param {State} state before the move
 * @param {string} move
 * @param {Seat} seat
 */
export const tripOf = (state, move, seat) => grammarOf(state.game).trip(move, seat, state);

/**
 * Where a part of the table can be dragged: for each key what this may mean, as courses of actions.
 * @param {Position} position
 * @param {string} key
 */
export function dropsOf(position, key) {
  const seat = Number(position.turn);
  const grammar = grammarOf(position.state.game);
  /** @type {Map<string, string[][]>} */
  const drops = new Map();
  for (const { action } of position.legal) {
    const paths = grammar.paths(action, seat, position.state);
    const trip = grammar.trip(action, seat, position.state);
    const begins = paths.some((path) => path[0] === key);
    if (trip && trip.to !== key && (begins || trip.from === key)) drops.set(trip.to, [...(drops.get(trip.to) ?? []), [action]]);
  }
  return drops;
}

/** The action by which a piece is chosen whose place is chosen after it. @param {Position} position @param {string} key */
export function opening(position, key) {
  const grammar = grammarOf(position.state.game);
  const begins = (/** @type {string} */ action) => grammar.paths(action, Number(position.turn), position.state).some((path) => path.length === 1 && path[0] === key);
  return position.legal.find(({ action }) => grammar.opens?.(action) && begins(action))?.action ?? null;
}

/**
 * How a choice begins that a drag has left open.
 * @param {Position} position
 * @param {string} key what was dragged
 * @param {string} action one of the actions that it may mean
 */
export function prefixOf(position, key, action) {
  const paths = grammarOf(position.state.game).paths(action, Number(position.turn), position.state);
  return (paths.find((path) => path[0] === key) ?? paths[0]).slice(0, 1);
}

/**
 * Where the moves since the same player's last turn have ended, to be marked.
 * @param {Position} position
 */
export function landings(position) {
  /** @type {Map<string, string>} */
  const marks = new Map();
  for (const { seat, move } of position.last) {
    const trip = typeof seat === "number" ? tripOf(position.state, move, seat) : null;
    if (trip) marks.set(trip.to, "last");
  }
  return marks;
}
