// Queen's Garden's table: the display with its wheel, and a player's garden with the storage.
import { html } from "../html.js";
import { Target } from "../target.js";
import { Tile, hexagon } from "../tile.js";
import { COLORS, GLYPHS, KINDS, PATTERNS, tileName } from "../colors.js";

const R = 20;
const DIRECTIONS = [[0, 0], [1, 0], [0, 1], [-1, 1], [-1, 0], [0, -1], [1, -1]];
const STATUES = [[2, -1], [-1, 2], [-1, -1]];
const BENCHES = [[1, 1], [-2, 1], [1, -2]];
const EDGE_X = R * Math.sqrt(3) * 4.5 + 4;
const EDGE_Y = R * 7 + 4;

/** @type {[string, number][][]} what the wheel pays in each round */
const WHEEL = [
  [["G", 1], ["B", 1], ["1", 1]],
  [["V", 1], ["2", 1], ["3", 2]],
  [["Y", 1], ["P", 1], ["4", 2]],
  [["L", 1], ["5", 3], ["6", 3]],
];

/** The middle of a hex. @param {number} q @param {number} r @param {number} [size] */
const hexAt = (q, r, size = R) => [size * Math.sqrt(3) * (q + r / 2), size * 1.5 * r];

/** The hex of a place. @param {number} area @param {number} place */
const placeHex = (area, place) => [3 * DIRECTIONS[area][0] + DIRECTIONS[place][0], 3 * DIRECTIONS[area][1] + DIRECTIONS[place][1]];

/** @param {{state: GardenState}} props */
export function Market({ state }) {
  return html`<div class="market">
    <${Wheel} state=${state} />
    <div class="factories">
      ${state.display.map((expansion, i) => html`<${Shown} key=${i} game=${state.game} slot=${i + 1} expansion=${expansion} top=${state.stack > 0 && i === state.display.length - 1} stack=${state.stack} />`)}
    </div>
    <${Hidden} state=${state} />
  </div>`;
}

/** What the wheel pays, round by round. @param {{state: GardenState}} props */
function Wheel({ state }) {
  const points = (/** @type {string} */ what, /** @type {number} */ usual) => (/variant/.test(state.game) && /\d/.test(what) ? Number(what) : usual);
  const name = (/** @type {string} */ what) => (/\d/.test(what) ? PATTERNS[Number(what)] : COLORS["queens-garden"][what]);
  return html`<div class="wheel">
    ${WHEEL.map(
      (items, i) => html`<span class="wheel-round ${i + 1 === state.round ? "now" : i + 1 < state.round ? "past" : ""}" title="Round ${i + 1} scores">
        <span class="name">${i + 1}</span>
        ${items.map(([what, usual]) => html`<span class="wheel-item" title="${name(what)}: ${points(what, usual)} each">
          <${Sign} what=${what} label=${name(what)} />${points(what, usual)}</span>`)}
      </span>`,
    )}
  </div>`;
}

/** A color without a pattern, or a pattern without a color. @param {{what: string, label?: string}} props */
export function Sign({ what, label }) {
  const color = /\D/.test(what);
  return html`<svg class="sign" viewBox="-18 -18 36 36" role="img" aria-label=${label} aria-hidden=${!label}><g class="tile ${color ? `queens-garden-${what}` : "pattern"}">
    <polygon class="body" points=${hexagon(16)} />
    ${color ? html`<polygon class="texture texture-${what}" points=${hexagon(15)} />` : html`<path class="glyph" fill-rule="evenodd" d=${GLYPHS["queens-garden"][what]} />`}</g></svg>`;
}

/** One expansion of the display. @param {{game: string, slot: number, expansion: {tiles: string[], kind: string | null}, top: boolean, stack: number}} props */
function Shown({ game, slot, expansion, top, stack }) {
  const places = [[-17, -17], [17, -17], [17, 17], [-17, 17]];
  const label = `expansion ${slot}${top ? `, top of the stack of ${stack}` : ""}`;
  return html`<svg class="factory garden-factory" viewBox="-56 -56 112 112" role="group" aria-label=${label}>
    <${Target} id="display:${slot}" label=${label}><polygon class="plate hit ${top ? "top" : ""}" points=${hexagon(54)} /></${Target}>
    <text class="number" x="0" y="-39">${slot}</text>${top && html`<text class="number" x="0" y="45">stack ${stack}</text>`}
    ${expansion.kind
      ? html`<${ShownItem} game=${game} slot=${slot} kind=${expansion.kind} x=${0} y=${2} size=${44} what="expansion" />`
      : expansion.tiles.map((kind, i) => html`<${ShownItem} key=${i} game=${game} slot=${slot} kind=${kind} x=${places[i][0]} y=${places[i][1] + 2} size=${35} what="tile" />`)}
  </svg>`;
}

/** @param {{game: string, slot: number, kind: string, x: number, y: number, size: number, what: string}} props */
function ShownItem({ game, slot, kind, x, y, size, what }) {
  return html`<${Target} id="shown:${slot}.${kind}" label="${what} ${tileName(game, kind)} at ${slot}">
    <circle class="hit" cx=${x} cy=${y} r=${size / 2 + 1} />
    ${what === "expansion" && html`<polygon class="petals" points=${hexagon(30)} transform="translate(${x} ${y})" />`}
    <${Tile} game=${game} tile=${kind} x=${x} y=${y} size=${size} />
  </${Target}>`;
}

/** Bag, tower, stack, supply and what was never revealed. @param {{state: GardenState}} props */
function Hidden({ state }) {
  const sum = (/** @type {number[]} */ counts) => counts.reduce((a, b) => a + b, 0);
  return html`<details class="hidden-tiles">
    <summary>Stack ${state.stack} · supply ${state.supply} · bag ${sum(state.bag)} · tower ${sum(state.tower)}${state.marker === "center" ? " · first player marker: −1 for the first to pass" : ""}</summary>
    <table class="kinds"><thead><tr><th scope="col">bag · tower</th>${[1, 2, 3, 4, 5, 6].map((value) => html`<th scope="col">${PATTERNS[value]} ${value}</th>`)}</tr></thead>
      <tbody>${Object.entries(COLORS["queens-garden"]).map(
        ([color, name]) => html`<tr><th scope="row">${name}</th>${[1, 2, 3, 4, 5, 6].map((value) => {
          const kind = `${color}${value}`;
          const i = KINDS.indexOf(kind);
          return html`<td class=${state.unseen.includes(kind) ? "unseen" : ""} title=${state.unseen.includes(kind) ? "expansion not revealed yet" : ""}>${state.bag[i]} · ${state.tower[i]}</td>`;
        })}</tr>`,
      )}</tbody></table>
    <p class="note">In a frame: kinds whose expansion was never revealed (${state.unseen.length}).</p>
  </details>`;
}

/** @param {{state: GardenState, seat: Seat}} props */
export function Board({ state, seat }) {
  const board = state.boards[seat];
  const pending = state.turn === seat ? state.pending : [];
  return html`<div class="garden-board">
    <${Storage} game=${state.game} seat=${seat} board=${board} />
    <svg class="board" viewBox="${-EDGE_X} ${-EDGE_Y} ${2 * EDGE_X} ${2 * EDGE_Y}" role="group" aria-label="Garden of seat ${seat + 1}">
      ${[1, 2, 3, 4, 5, 6].map((area) => html`<${AreaGround} key=${area} seat=${seat} area=${area} state=${board.areas[area - 1]} />`)}
      ${STATUES.map(([q, r]) => html`<${Blocked} q=${q} r=${r} name="statue" />`)}
      ${BENCHES.map(([q, r]) => html`<${Blocked} q=${q} r=${r} name="bench" />`)}
      ${[0, 1, 2, 3, 4, 5, 6].flatMap((area) => [0, 1, 2, 3, 4, 5, 6].map((place) => html`<${Place} key="${area}${place}" game=${state.game} seat=${seat} area=${area} place=${place} board=${board} pending=${pending} />`))}
    </svg>
  </div>`;
}

/** @param {{seat: Seat, area: number, state: null | "down" | Expansion}} props */
function AreaGround({ seat, area, state }) {
  const [x, y] = hexAt(...pair(placeHex(area, 0)));
  const label = `area ${area}, ${state === null ? "no expansion" : state === "down" ? "an expansion face down" : `an expansion of ${tileName("queens-garden", state.kind)}`}`;
  const outline = DIRECTIONS.map(([q, r]) => hexAt(q, r)).map(([dx, dy]) => html`<polygon class="ground hit ${state ? "laid" : ""}" transform="translate(${dx.toFixed(1)} ${dy.toFixed(1)})" points=${hexagon(R + 0.6)} />`);
  return html`<g transform="translate(${x} ${y})"><${Target} id="area:${area}@${seat}" label=${label}>${outline}
    ${state === null && html`<text class="area-number" y="6">${area}</text>`}</${Target}></g>`;
}

/** @param {number[]} list @returns {[number, number]} */
const pair = (list) => [list[0], list[1]];

/** @type {Record<string, string>} what stands on a hex where nothing can be laid */
const SIGNS = {
  statue: "M0-11a4 4 0 1 1-.1 0ZM-3-2H3L5 7H8V11H-8V7H-5Z",
  bench: "M-11-4H11V0H8V8H4V0H-4V8H-8V0H-11Z",
  fountain: "M-1-2Q-8-13-11-1H-8Q-7-7-2-1V4H-10Q-8 11 0 11Q8 11 10 4H2V-1Q7-7 8-1H11Q8-13 1-2Z",
  pavilion: "M0-11L12-2H9V9H4V1H-4V9H-9V-2H-12Z",
};

/** @param {{q: number, r: number, name: string}} props */
function Blocked({ q, r, name }) {
  const [x, y] = hexAt(q, r);
  return html`<g class="blocked" transform="translate(${x} ${y})" role="img" aria-label=${name}><polygon points=${hexagon(R - 1)} /><path d=${SIGNS[name]} /></g>`;
}

/**
 * @param {{game: string, seat: Seat, area: number, place: number, board: GardenBoard, pending: string[]}} props
 */
function Place({ game, seat, area, place, board, pending }) {
  const [x, y] = hexAt(...pair(placeHex(area, place)));
  const laid = area === 0 ? "down" : board.areas[area - 1];
  const id = `${area}${place}`;
  if (area === 0 && place === 0) return html`<${Blocked} q=${0} r=${0} name="fountain" />`;
  if (place === 0 && laid && laid !== "down") return html`<${Blocked} q=${placeHex(area, 0)[0]} r=${placeHex(area, 0)[1]} name="pavilion" />`;
  const tile = board.hexagons[id];
  const coming = pending.includes(`at:${id}`) ? pending[0].split(":")[1] : "";
  const what = tile ? tileName(game, tile) : coming ? `${tileName(game, coming)} to be placed` : laid ? "free" : "no expansion";
  return html`<g transform="translate(${x.toFixed(1)} ${y.toFixed(1)})" class=${laid || coming ? "" : "nowhere"}><${Target} id="place:${id}@${seat}" label="area ${area} place ${place}, ${what}">
    <polygon class="hit space" points=${hexagon(R - 1.2)} />
    ${(tile || coming) && html`<${Tile} game=${game} tile=${tile ?? coming} size=${R * 1.98} ghost=${!tile} />`}
  </${Target}></g>`;
}

/** @param {{game: string, seat: Seat, board: GardenBoard}} props */
function Storage({ game, seat, board }) {
  const item = (/** @type {string} */ kind, /** @type {number} */ i, /** @type {"storage" | "storagex"} */ key) => {
    const x = key === "storage" ? 22 + (i % 6) * 38 : 276 + i * 42;
    const y = key === "storage" ? 22 + Math.floor(i / 6) * 40 : 42;
    return html`<${Target} key="${key}${i}" id="${key}:${kind}@${seat}" label="${tileName(game, kind)} ${key === "storage" ? "tile" : "expansion"} in storage">
      <circle class="hit" cx=${x} cy=${y} r="19" />
      ${key === "storagex" && html`<polygon class="petals" points=${hexagon(22)} transform="translate(${x} ${y})" />`}
      <${Tile} game=${game} tile=${kind} x=${x} y=${y} size=${key === "storage" ? 36 : 30} />
    </${Target}>`;
  };
  return html`<svg class="storage" viewBox="0 0 346 84" role="group" aria-label="storage of seat ${seat + 1}: ${board.tiles.length} tiles, ${board.jokers} jokers, ${board.expansions.length} expansions">
    <${Target} id="storage@${seat}" label="storage"><rect class="plate hit" x="1" y="1" width="344" height="82" rx="12" /></${Target}>
    ${Array.from({ length: 12 }, (_, i) => html`<circle class="space" cx=${22 + (i % 6) * 38} cy=${22 + Math.floor(i / 6) * 40} r="15" />`)}
    ${board.tiles.map((kind, i) => item(kind, i, "storage"))}
    ${Array.from({ length: board.jokers }, (_, i) => html`<${Joker} index=${board.tiles.length + i} />`)}
    ${board.expansions.map((kind, i) => item(kind, i, "storagex"))}
  </svg>`;
}

/** A joker on a space of the storage. @param {{index: number}} props */
function Joker({ index }) {
  return html`<g class="joker" transform="translate(${22 + (index % 6) * 38} ${22 + Math.floor(index / 6) * 40})" role="img" aria-label="joker"><circle r="15" /><text y="6">★</text></g>`;
}
