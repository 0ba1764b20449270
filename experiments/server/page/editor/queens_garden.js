// What a click does to a position of Queen's Garden that is being set up.
import { KINDS } from "../colors.js";

export const tools = () => [...KINDS];

export const derived = ["bag", "tower", "unseen", "supply"];

export const phases = ["turn"];

/** @param {GardenState} state @returns {GardenState} */
export const emptied = (state) => ({
  ...state,
  pending: [],
  display: state.display.map(() => ({ tiles: [], kind: null })),
  marker: "center",
  boards: state.boards.map(() => ({ score: 15, passed: false, jokers: 3, tiles: [], expansions: [], areas: [null, null, null, null, null, null], hexagons: {} })),
});

/** An area without an expansion is one target, unless one is to be laid face up: then each place is. @param {string} key @param {GardenState} state @param {string} tool */
export function editable(key, state, tool) {
  const [, verb, area, seat] = /^(place|area):(\d)\d?@(\d)$/.exec(key) ?? [];
  if (!verb) return /^(display|shown|storage|storagex)[:@]/.test(key);
  const bare = area !== "0" && state.boards[Number(seat)].areas[Number(area) - 1] === null;
  return verb === "area" ? bare && tool[0] !== "x" : !bare || tool[0] === "x";
}

/** @param {GardenState} state @param {string} key @param {string} tool a kind, "x" and a kind for an expansion, or "" */
export function edit(state, key, tool) {
  const [verb, place] = key.split(/[:@]/);
  const seat = Number(key.split("@")[1]);
  if (verb === "display" || verb === "shown") return editDisplay(state, place, tool);
  const change = { storage: editStorage, storagex: editStorage, area: editArea, place: editPlace }[verb];
  if (!change) return state;
  return { ...state, boards: state.boards.map((board, i) => (i === seat ? change(board, place, tool, verb) : board)) };
}

/** @param {string[]} list @param {string} item */
const without = (list, item) => list.filter((_, i) => i !== list.indexOf(item));

/** @param {string[]} kinds */
const sorted = (kinds) => [...kinds].sort((a, b) => KINDS.indexOf(a) - KINDS.indexOf(b));

/** @param {GardenState} state @param {string} place @param {string} tool @returns {GardenState} */
function editDisplay(state, place, tool) {
  const [slot, kind] = place.split(".");
  const display = state.display.map((expansion, i) => {
    if (i + 1 !== Number(slot)) return expansion;
    if (!tool) return expansion.kind ? { tiles: [], kind: null } : { ...expansion, tiles: kind ? without(expansion.tiles, kind) : expansion.tiles.slice(0, -1) };
    if (tool[0] === "x") return { tiles: [], kind: tool.slice(1) };
    return { kind: null, tiles: sorted([...expansion.tiles, tool].slice(0, 4)) };
  });
  return { ...state, display };
}

/** @param {GardenBoard} board @param {string} place @param {string} tool @param {string} verb @returns {GardenBoard} */
function editStorage(board, place, tool, verb) {
  if (tool[0] === "x") return { ...board, expansions: sorted([...board.expansions, tool.slice(1)].slice(0, 2)) };
  if (tool) return { ...board, tiles: sorted([...board.tiles, tool].slice(0, 12)) };
  return verb === "storagex" ? { ...board, expansions: without(board.expansions, place) } : { ...board, tiles: without(board.tiles, place) };
}

/** An area without an expansion gets one face down; an area with one loses it. @param {GardenBoard} board @param {string} place @returns {GardenBoard} */
function editArea(board, place) {
  const hexagons = Object.fromEntries(Object.entries(board.hexagons).filter(([at]) => at[0] !== place));
  return { ...board, hexagons, areas: board.areas.map((area, i) => (i + 1 !== Number(place) ? area : area ? null : "down")) };
}

/** @param {GardenBoard} board @param {string} place @param {string} tool @returns {GardenBoard} */
function editPlace(board, place, tool) {
  const area = Number(place[0]);
  const hexagons = { ...board.hexagons };
  if (tool[0] === "x" && area > 0 && place[1] !== "0") {
    const laid = { kind: tool.slice(1), rotation: Number(place[1]) };
    return { ...editArea(board, place[0]), areas: board.areas.map((old, i) => (i + 1 === area ? laid : old)), hexagons: { ...editArea(board, place[0]).hexagons, [place]: laid.kind } };
  }
  if (area > 0 && !board.areas[area - 1]) return editArea(board, place[0]);
  if (!tool && !hexagons[place] && area > 0) return editArea(board, place[0]);
  if (tool && tool[0] !== "x") hexagons[place] = tool;
  else delete hexagons[place];
  return { ...board, hexagons };
}

/** @param {GardenState} state */
export const holder = (state) => state.marker;

/** @param {GardenState} state @param {Seat | "center"} marker @returns {GardenState} */
export const withHolder = (state, marker) => ({ ...state, marker });

/** @param {GardenState} state @param {number} round @returns {GardenState} */
export const withRound = (state, round) => ({ ...state, round });
