// What a click does to a position of Azul that is being set up.
import { COLORS, sortLetters } from "../colors.js";

const LETTERS = Object.keys(COLORS.azul);

/** What can be laid: tiles and the starting marker. */
export const tools = () => [...LETTERS];

/** What follows from the rest. */
export const derived = ["bag", "lid"];

/** Phases that can be set up. */
export const phases = ["draft"];

/** @param {AzulState} state */
export const emptied = (state) => ({ ...state, factories: state.factories.map(() => ""), center: "", marker: /** @type {"center"} */ ("center"), boards: state.boards.map(emptyBoard) });

/** @returns {AzulBoard} */
const emptyBoard = () => ({ score: 0, lines: ["", "", "", "", ""], wall: Array(5).fill("....."), floor: "" });

/** @param {string} key */
export const editable = (key) => /^(factory|from|to|wall):/.test(key);

/** @param {AzulState} state @param {string} key @param {string} tool a tile, or "" to take away */
export function edit(state, key, tool) {
  const [verb, place] = key.split(/[:@]/);
  const seat = Number(key.split("@")[1]);
  if (verb === "factory" || verb === "from") return editOffer(state, Number(place[0]), tool, place[1]);
  const boards = state.boards.map((board, i) => (i !== seat ? board : verb === "wall" ? editWall(state, board, place, tool) : editLine(board, Number(place), tool)));
  return { ...state, boards };
}

/** @param {AzulState} state @param {number} source @param {string} tool @param {string | undefined} tile */
function editOffer(state, source, tool, tile) {
  const change = (/** @type {string} */ tiles) => (tool ? sortLetters("azul", tiles + tool) : tiles.replace(tile ?? tiles.at(-1) ?? "", ""));
  if (source === 0) return { ...state, center: change(state.center) };
  return { ...state, factories: state.factories.map((tiles, i) => (i + 1 !== source || (tool && tiles.length >= 4) ? tiles : change(tiles))) };
}

/** @param {AzulBoard} board @param {number} line @param {string} tool @returns {AzulBoard} */
function editLine(board, line, tool) {
  if (line === 0) return { ...board, floor: tool ? (board.floor + tool).slice(0, 7) : board.floor.slice(0, -1) };
  const lines = board.lines.map((tiles, i) => {
    if (i + 1 !== line) return tiles;
    if (!tool) return tiles.slice(0, -1);
    return tiles[0] === tool && tiles.length < line ? tiles + tool : tool;
  });
  return { ...board, lines };
}

/** @param {AzulState} state @param {AzulBoard} board @param {string} place @param {string} tool @returns {AzulBoard} */
function editWall(state, board, place, tool) {
  const [row, column] = [Number(place[0]) - 1, Number(place[1]) - 1];
  const own = /gray/.test(state.game) ? tool : LETTERS[(column - row + 5) % 5];
  const wall = board.wall.map((tiles, i) => (i !== row ? tiles : tiles.slice(0, column) + (tiles[column] === "." && tool ? own : ".") + tiles.slice(column + 1)));
  return { ...board, wall };
}

/** @param {AzulState} state */
export const holder = (state) => state.marker;

/**
 * Gives the marker to a seat, or lays it back to the center.
 * @param {AzulState} state
 * @param {Seat | "center"} marker
 */
export function withHolder(state, marker) {
  const boards = state.boards.map((board, seat) => {
    const floor = board.floor.replace("*", "");
    return { ...board, floor: seat === marker && floor.length < 7 ? `*${floor}` : floor };
  });
  return { ...state, marker, boards };
}

/** @param {AzulState} state @param {number} round @returns {AzulState} */
export const withRound = (state, round) => ({ ...state, round });
