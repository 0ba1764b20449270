// What a click does to a position of Summer Pavilion that is being set up.
import { COLORS, sortLetters } from "../colors.js";
import { wildOrder } from "../boards/summer_pavilion.js";

const LETTERS = Object.keys(COLORS["summer-pavilion"]);

export const tools = () => [...LETTERS];

export const derived = ["bag", "depot"];

export const phases = ["acquire", "place"];

/** @param {SummerState} state @returns {SummerState} */
export const emptied = (state) => ({
  ...state,
  factories: state.factories.map(() => ""),
  center: "",
  supply: "",
  token: "center",
  boards: state.boards.map(() => ({ score: 5, hand: "", kept: "", passed: false, stars: Object.fromEntries([...LETTERS, "C"].map((star) => [star, "......"])) })),
});

/** @param {string} key */
export const editable = (key) => /^(factory|from|supply|hand|slot)[:@]|^supply$/.test(key);

/** @param {SummerState} state @param {string} key @param {string} tool */
export function edit(state, key, tool) {
  const [verb, place] = key.split(/[:@]/);
  const seat = Number(key.split("@")[1]);
  const change = (/** @type {string} */ tiles, /** @type {string | undefined} */ tile, /** @type {number} */ most) =>
    tool ? (tiles.length < most ? sortLetters(state.game, tiles + tool) : tiles) : tiles.replace(tile ?? tiles.at(-1) ?? "", "");
  if (verb === "supply") return { ...state, supply: change(state.supply, place, 10) };
  if ((verb === "factory" || verb === "from") && place[0] === "0") return { ...state, center: change(state.center, place[1], 99) };
  if (verb === "factory" || verb === "from") return { ...state, factories: state.factories.map((tiles, i) => (i + 1 === Number(place[0]) ? change(tiles, place[1], 4) : tiles)) };
  const boards = state.boards.map((board, i) => {
    if (i !== seat) return board;
    if (verb === "hand") return { ...board, hand: change(board.hand, key.includes(":") ? place : undefined, 99) };
    return { ...board, stars: { ...board.stars, [place[0]]: editStar(state.game, place[0], board.stars[place[0]], Number(place[1]), tool) } };
  });
  return { ...state, boards };
}

/** @param {string} game @param {string} star @param {string} tiles @param {number} slot @param {string} tool */
function editStar(game, star, tiles, slot, tool) {
  const own = star === "C" || /gray/.test(game) ? tool : star;
  return tiles.slice(0, slot - 1) + (tiles[slot - 1] === "." && tool ? own : ".") + tiles.slice(slot);
}

/** @param {SummerState} state */
export const holder = (state) => state.token;

/** @param {SummerState} state @param {Seat | "center"} token @returns {SummerState} */
export const withHolder = (state, token) => ({ ...state, token });

/** Each round has its wild color. @param {SummerState} state @param {number} round @returns {SummerState} */
export const withRound = (state, round) => ({ ...state, round, wild: wildOrder(state.game)[round - 1] ?? state.wild });
