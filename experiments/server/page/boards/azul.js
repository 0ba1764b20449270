// Azul's table: the factories with the center, and a player's board.
import { html } from "../html.js";
import { Target } from "../target.js";
import { Tile } from "../tile.js";
import { COLORS, tileName } from "../colors.js";
import { Factory, Pile, Piles } from "./market.js";

const PITCH = 40;
const WALL_X = 5 * PITCH + 18;
const LETTERS = Object.keys(COLORS.azul);
const PENALTIES = [-1, -1, -2, -2, -2, -3, -3];

/** The color whose place on the colored wall this is. @param {number} row @param {number} column */
const wallColor = (row, column) => LETTERS[(column - row + 5) % 5];

/** @param {{state: AzulState}} props */
export function Market({ state }) {
  return html`<div class="market">
    <div class="factories">
      ${state.factories.map((tiles, i) => html`<${Factory} key=${i} game=${state.game} number=${i + 1} tiles=${tiles} />`)}
    </div>
    <${Pile} game=${state.game} name="center" source="0" tiles=${state.center} marker=${state.marker === "center"} />
    <${Piles} game=${state.game} piles=${[["Bag", state.bag], ["Lid", state.lid]]} />
  </div>`;
}

/** @param {{state: AzulState, seat: Seat}} props */
export function Board({ state, seat }) {
  const board = state.boards[seat];
  return html`<svg class="board azul-board" viewBox="0 0 ${WALL_X + 5 * PITCH + 4} ${5 * PITCH + 64}" role="group" aria-label="Board of seat ${seat + 1}">
    ${board.lines.map((tiles, row) => html`<${Line} key=${row} game=${state.game} seat=${seat} row=${row} tiles=${tiles} />`)}
    ${board.wall.map((tiles, row) => html`<${WallRow} key=${row} state=${state} seat=${seat} row=${row} tiles=${tiles} />`)}
    <${Floor} game=${state.game} seat=${seat} floor=${board.floor} />
  </svg>`;
}

/** @param {{game: string, seat: Seat, row: number, tiles: string}} props */
function Line({ game, seat, row, tiles }) {
  const size = row + 1;
  const label = `line ${size}, ${tiles ? `${tiles.length} of ${size} ${tileName(game, tiles[0])}` : `empty, ${size} ${size === 1 ? "space" : "spaces"}`}`;
  const y = row * PITCH + PITCH / 2 + 2;
  return html`<${Target} id="to:${size}@${seat}" label=${label}>
    <rect class="hit" x=${(5 - size) * PITCH + 1} y=${y - 19} width=${size * PITCH} height="38" rx="7" />
    ${Array.from({ length: size }, (_, i) => {
      const x = (4 - i) * PITCH + PITCH / 2 + 1;
      return tiles[i]
        ? html`<${Tile} game=${game} tile=${tiles[i]} x=${x} y=${y} />`
        : html`<rect class="space" x=${x - 17} y=${y - 17} width="34" height="34" rx="5" />`;
    })}
  </${Target}>`;
}

/** @param {{state: AzulState, seat: Seat, row: number, tiles: string}} props */
function WallRow({ state, seat, row, tiles }) {
  const gray = /gray/.test(state.game);
  const y = row * PITCH + PITCH / 2 + 2;
  return html`<path class="into" d="M${5 * PITCH + 5} ${y - 5}l6 5l-6 5Z" />
    ${[...tiles].map((tile, column) => {
      const x = WALL_X + column * PITCH + PITCH / 2;
      const place = gray ? "" : wallColor(row, column);
      const label = `wall row ${row + 1} column ${column + 1}, ${tile !== "." ? tileName(state.game, tile) : place ? `free for ${tileName(state.game, place)}` : "free"}`;
      return html`<${Target} key=${column} id="wall:${row + 1}${column + 1}@${seat}" label=${label}>
        <rect class="hit space" x=${x - 17} y=${y - 17} width="34" height="34" rx="5" />
        ${tile !== "." ? html`<${Tile} game=${state.game} tile=${tile} x=${x} y=${y} />` : place && html`<${Tile} game=${state.game} tile=${place} x=${x} y=${y} faint />`}
      </${Target}>`;
    })}`;
}

/** @param {{game: string, seat: Seat, floor: string}} props */
function Floor({ game, seat, floor }) {
  const y = 5 * PITCH + 36;
  return html`<${Target} id="to:0@${seat}" label="floor, ${floor.length} of 7 spaces taken">
    <rect class="hit" x="1" y=${y - 23} width=${7 * PITCH} height="48" rx="7" />
    ${PENALTIES.map((points, i) => {
      const x = i * PITCH + PITCH / 2 + 1;
      return html`<rect class="space" x=${x - 17} y=${y - 11} width="34" height="34" rx="5" />
        <text class="cost" x=${x} y=${y - 13}>${String(points).replace("-", "−")}</text>
        ${floor[i] === "*" ? html`<${Marker} x=${x} y=${y + 6} />` : floor[i] && html`<${Tile} game=${game} tile=${floor[i]} x=${x} y=${y + 6} />`}`;
    })}
  </${Target}>`;
}

/** The starting player's marker. @param {{x: number, y: number}} props */
export function Marker({ x, y }) {
  return html`<g class="marker" transform="translate(${x} ${y})"><rect x="-16" y="-16" width="32" height="32" rx="9" /><text y="7">1</text></g>`;
}
