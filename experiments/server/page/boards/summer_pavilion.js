// Summer Pavilion's table: factories, center and supply, and a player's board of seven stars.
import { html, useContext } from "../html.js";
import { PointingContext, Target } from "../target.js";
import { Tile } from "../tile.js";
import { COLORS, GLYPHS, tileName } from "../colors.js";
import { Factory, Groups, Pile, Piles } from "./market.js";

const LETTERS = Object.keys(COLORS["summer-pavilion"]);
const STARS = [...LETTERS, "C"];
const SIDE = 40;
const DISTANCE = 3 * SIDE + 10;
const EDGE_X = DISTANCE + 1.5 * SIDE + 6;
const EDGE_Y = DISTANCE * Math.sqrt(0.75) + SIDE * Math.sqrt(3) + 6;
const COSTS = { outer: [3, 2, 1, 4, 5, 6], center: [3, 3, 3, 3, 3, 3] };
const WILDS = { standard: "PGOYBR", alternate: "ORBYGP" };

/** @param {number} angle in degrees, clockwise from up @param {number} r */
const polar = (angle, r) => [r * Math.sin((angle * Math.PI) / 180), -r * Math.cos((angle * Math.PI) / 180)];

/** Where a star's middle is. @param {string} star */
function starAt(star) {
  return star === "C" ? [0, 0] : polar(330 + 60 * LETTERS.indexOf(star), DISTANCE);
}

/** The direction of a star's slot, 1 to 6. @param {string} star @param {number} slot */
const slotAngle = (star, slot) => (star === "C" ? 60 * (slot - 1) : 60 * (LETTERS.indexOf(star) + slot));

/** What a slot costs. @param {string} game @param {string} star @param {number} slot */
function cost(game, star, slot) {
  return /gray/.test(game) ? COSTS[star === "C" ? "center" : "outer"][slot - 1] : slot;
}

/** Pillars, statues and windows with their slots and tiles. @type {{name: string, tiles: number, slots: string[]}[]} */
const FEATURES = LETTERS.flatMap((star, i) => {
  const next = LETTERS[(i + 1) % 6];
  const c = (/** @type {number} */ k) => `C${((k + 5) % 6) + 1}`;
  return [
    { name: "pillar", tiles: 1, slots: [`${star}2`, `${star}3`, c(i), c(i + 1)] },
    { name: "statue", tiles: 2, slots: [`${star}1`, `${star}2`, `${next}3`, `${next}4`] },
    { name: "window", tiles: 3, slots: [`${star}5`, `${star}6`] },
  ];
});

/** The wild colors of all rounds. @param {string} game */
export function wildOrder(game) {
  return /wilds=([A-Z]{6})/.exec(game)?.[1] ?? WILDS[/alternate/.test(game) ? "alternate" : "standard"];
}

/** @param {{state: SummerState}} props */
export function Market({ state }) {
  const offered = state.center !== "" || state.factories.some(Boolean) || state.phase === "deal";
  const editing = useContext(PointingContext).lit.has("factory:1");
  const supplyKey = (/** @type {string} */ color) => `supply:${color}`;
  const supplyLabel = (/** @type {string} */ color, /** @type {number} */ count) => `take a ${tileName(state.game, color)} bonus tile from the supply, ${count} there`;
  return html`<div class="market">
    <${Wilds} state=${state} />
    ${(offered || editing) && html`<div class="factories">
      ${state.factories.map((tiles, i) => html`<${Factory} key=${i} game=${state.game} number=${i + 1} tiles=${tiles} />`)}
    </div>
    <${Pile} game=${state.game} name="center" source="0" tiles=${state.center} marker=${state.token === "center"} />`}
    <div class="named"><span class="name ${state.owed ? "owed" : ""}">Supply${state.owed ? `: ${state.owed} to take` : ""}</span>
      <${Groups} game=${state.game} name="supply" id="supply" tiles=${state.supply} keyOf=${supplyKey} labelOf=${supplyLabel} />
    </div>
    <${Piles} game=${state.game} piles=${[["Bag", state.bag], ["Depot", state.depot]]} />
  </div>`;
}

/** The wild color of each round, the present one in a frame. @param {{state: SummerState}} props */
function Wilds({ state }) {
  return html`<div class="wilds" aria-label="wild color of this round: ${tileName(state.game, state.wild)}">
    <span class="name">Wild</span>
    ${[...wildOrder(state.game)].map(
      (color, i) => html`<span class="wild ${i + 1 === state.round ? "now" : i + 1 < state.round ? "past" : ""}"><svg viewBox="-18 -18 36 36" aria-hidden="true"><${Tile} game=${state.game} tile=${color} /></svg></span>`,
    )}
  </div>`;
}

/** @param {{state: SummerState, seat: Seat}} props */
export function Board({ state, seat }) {
  const board = state.boards[seat];
  const keyOf = (/** @type {string} */ color) => `hand:${color}@${seat}`;
  const labelOf = (/** @type {string} */ color, /** @type {number} */ count) => `${count} ${tileName(state.game, color)} in the hand of seat ${seat + 1}`;
  return html`<div class="summer-board">
    <svg class="board" viewBox="${-EDGE_X} ${-EDGE_Y} ${2 * EDGE_X} ${2 * EDGE_Y}" role="group" aria-label="Board of seat ${seat + 1}">
      ${STARS.map((star) => html`<${Star} key=${star} game=${state.game} seat=${seat} star=${star} tiles=${board.stars[star]} />`)}
      ${FEATURES.map((feature) => html`<${Feature} feature=${feature} board=${board} />`)}
    </svg>
    <div class="hands">
      <${Groups} compact game=${state.game} name="hand" id="hand@${seat}" tiles=${board.hand} keyOf=${keyOf} labelOf=${labelOf} />
      ${board.kept && html`<${Groups} compact game=${state.game} name="kept" id="kept@${seat}" tiles=${board.kept} keyOf=${(/** @type {string} */ color) => `kept:${color}@${seat}`}
        labelOf=${(/** @type {string} */ color, /** @type {number} */ count) => `${count} ${tileName(state.game, color)} kept`} />`}
    </div>
  </div>`;
}

/** @param {{game: string, seat: Seat, star: string, tiles: string}} props */
function Star({ game, seat, star, tiles }) {
  const [x, y] = starAt(star);
  return html`<g transform="translate(${x} ${y})">
    ${[1, 2, 3, 4, 5, 6].map((slot) => html`<${Slot} key=${slot} game=${game} seat=${seat} star=${star} slot=${slot} tile=${tiles[slot - 1]} />`)}
  </g>`;
}

/** @param {{game: string, seat: Seat, star: string, slot: number, tile: string}} props */
function Slot({ game, seat, star, slot, tile }) {
  const price = cost(game, star, slot);
  const own = star !== "C" && !/gray/.test(game) ? star : "";
  const where = `${star === "C" ? "center" : COLORS["summer-pavilion"][star]} star slot ${slot}`;
  const label = tile === "." ? `${where}, cost ${price}, free` : `${where}, ${tileName(game, tile)}`;
  const half = SIDE / 2;
  const wing = SIDE * Math.sqrt(0.75);
  return html`<${Target} id="slot:${star}${slot}@${seat}" label=${label}>
    <g transform="rotate(${slotAngle(star, slot)})">
      <path class="slot hit ${tile !== "." ? `filled summer-pavilion-${tile}` : own ? `own summer-pavilion-${own}` : ""}" d="M0-1.5L${half - 1} ${-wing}L0 ${-2 * wing + 1.5}L${-half + 1} ${-wing}Z" />
      ${tile !== "."
        ? html`<path class="glyph summer-pavilion-${tile}" fill-rule="evenodd" d=${GLYPHS["summer-pavilion"][tile]} transform="translate(0 ${-wing}) scale(.95)" />`
        : html`<text class="price" transform="translate(0 ${-wing}) rotate(${-slotAngle(star, slot)})" dy=".36em">${price}</text>`}
    </g>
  </${Target}>`;
}

/** A pillar, statue or window: how many tiles it brings; full once they were taken. @param {{feature: {name: string, tiles: number, slots: string[]}, board: SummerBoard}} props */
function Feature({ feature, board }) {
  const wing = SIDE * Math.sqrt(0.75);
  const points = feature.slots.map((slot) => {
    const [x, y] = starAt(slot[0]);
    const [dx, dy] = polar(slotAngle(slot[0], Number(slot[1])), feature.name === "window" ? 1.55 * wing : wing);
    return [x + dx, y + dy];
  });
  const x = points.reduce((sum, point) => sum + point[0], 0) / points.length;
  const y = points.reduce((sum, point) => sum + point[1], 0) / points.length;
  const filled = feature.slots.filter((slot) => board.stars[slot[0]][Number(slot[1]) - 1] !== ".").length;
  const full = filled === feature.slots.length;
  return html`<g class="feature ${full ? "full" : ""}" transform="translate(${x.toFixed(1)} ${y.toFixed(1)})" role="img" aria-label="${feature.name}, ${filled} of ${feature.slots.length} slots, ${feature.tiles} bonus tiles">
    <circle r="9" /><text dy=".36em">+${feature.tiles}</text></g>`;
}
