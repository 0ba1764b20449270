// The tables of the games: what lies in the middle, and a player's board.
import { gameId } from "./colors.js";
import * as azul from "./boards/azul.js";
import * as summerPavilion from "./boards/summer_pavilion.js";
import * as queensGarden from "./boards/queens_garden.js";

/** @typedef {{Market: (props: {state: any}) => any, Board: (props: {state: any, seat: Seat}) => any}} Boards */

/** @type {Record<string, Boards>} */
const BOARDS = { azul, "summer-pavilion": summerPavilion, "queens-garden": queensGarden };

/** @param {string} spec @returns {Boards} */
export const boardsOf = (spec) => BOARDS[gameId(spec)];
