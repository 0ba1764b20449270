// How Queen's Garden's actions are pointed at: a tile shown and then its color or pattern; a tile of the storage, a place, and its payment.
import { COLORS, KINDS, tileName } from "../colors.js";

/**
 * The keys of shown items that an `acq:` takes.
 * @param {GardenState} state
 * @param {string} what a color's letter or a value
 */
function shown(state, what) {
  return state.display.flatMap((expansion, slot) => {
    return offered(expansion).filter((kind) => kind.includes(what)).map((kind) => `shown:${slot + 1}.${kind}`);
  });
}

/** What an expansion of the display offers. @param {{tiles: string[], kind: string | null}} expansion */
const offered = (expansion) => (expansion.kind ? [expansion.kind] : expansion.tiles);

/**
 * The kind that a `take:` chooses among: of those that are taken and shown at several places, in order, the next one.
 * @param {GardenState} state
 */
function askedKind(state) {
  const what = state.pending[0]?.split(":")[1] ?? "";
  const several = KINDS.filter((kind) => kind.includes(what) && state.display.filter((expansion) => offered(expansion).includes(kind)).length > 1);
  return several[state.pending.filter((token) => token.startsWith("take:")).length];
}

/** The key of what a `take:` takes. @param {GardenState} state @param {string} slot */
function takenKey(state, slot) {
  const kind = askedKind(state);
  const there = kind && state.display[Number(slot) - 1] && offered(state.display[Number(slot) - 1]).includes(kind);
  return there ? `shown:${slot}.${kind}` : `display:${slot}`;
}

/** @param {string} action @param {Seat} seat @param {GardenState} state @returns {string[][]} */
export function paths(action, seat, state) {
  const [verb, what] = action.split(":");
  if (verb === "acq") return [[`acquire:${what}`], ...shown(state, what).map((key) => [key, `acquire:${what}`])];
  if (verb === "take") return [[takenKey(state, what)]];
  if (verb === "tile" || verb === "pay" || verb === "drop") return [[`storage:${what}@${seat}`]];
  if (verb === "exp" || verb === "payx" || verb === "dropx") return [[`storagex:${what}@${seat}`]];
  if (verb === "at") return [[`place:${what}@${seat}`]];
  if (verb === "buy") return [[`area:${what}@${seat}`]];
  return [[action]];
}

/** @param {string} move @param {Seat} seat @param {GardenState} state @returns {Trip | null} */
export function trip(move, seat, state) {
  const [verb, what] = move.split(":");
  if (verb === "tile" || verb === "exp") return { from: "", to: `${verb === "exp" ? "storagex" : "storage"}:${what}@${seat}`, tile: "" };
  if (verb === "acq") {
    const key = shown(state, what)[0];
    return key ? { from: key, to: `storage@${seat}`, tile: key.slice(-2) } : null;
  }
  if (verb === "at") {
    const placed = state.pending[0]?.split(":");
    const store = placed?.[0] === "exp" ? "storagex" : "storage";
    return { from: placed ? `${store}:${placed[1]}@${seat}` : "", to: `place:${what}@${seat}`, tile: placed?.[1] ?? "" };
  }
  if (verb === "take") return { from: takenKey(state, what), to: `storage@${seat}`, tile: askedKind(state) ?? "" };
  if (verb === "buy") return { from: "supply", to: `area:${what}@${seat}`, tile: "" };
  return null;
}

/** A piece of the storage is chosen first, then its place. @param {string} action */
export const opens = (action) => /^(tile|exp):/.test(action);

const PLURALS = ["", "trees", "birds", "butterflies", "flowers", "plants", "lilies"];

/** @param {string} key */
export function keyName(key) {
  const [verb, what] = key.split(":");
  if (verb === "acquire") return COLORS["queens-garden"][what] ? `all ${COLORS["queens-garden"][what]}` : `all ${PLURALS[Number(what)]} (${what})`;
  if (key === "joker") return "Pay the rest with jokers";
  if (key === "pass") return "Pass for this round";
  if (key === "done") return "Discard no more";
  return what ? tileName("queens-garden", what) : key;
}

/** @type {Record<string, string>} */
const PROMPTS = {
  turn: "Take tiles, place, buy an expansion, or pass",
  take: "Shown more than once: choose the one that you take",
  place: "Choose the place",
  pay: "Choose what you pay with",
  discard: "Discard what you do not want to keep",
};

/** @param {string} phase @param {boolean} begun */
export const prompt = (phase, begun) => (begun ? "All of its color, or of its pattern?" : (PROMPTS[phase] ?? ""));
