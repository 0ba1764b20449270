// What lies between the players in Azul and Summer Pavilion: factories, the center, piles of which only the numbers are seen.
import { html } from "../html.js";
import { Target } from "../target.js";
import { Tile } from "../tile.js";
import { COLORS, countLetters, gameId, tileName } from "../colors.js";
import { Marker } from "./azul.js";
import { useNarrow } from "../narrow.js";

/** A factory's four places, clockwise, so that tiles of a color always lie side by side. */
const PLACES = [[-18.5, -18.5], [18.5, -18.5], [18.5, 18.5], [-18.5, 18.5]];

/** @param {string} source @param {string} game @param {string} color @param {number} count */
const takeLabel = (source, game, color, count) => `take ${count} ${tileName(game, color)} from ${source === "0" ? "the center" : `factory ${source}`}`;

/** @param {{game: string, number: number, tiles: string}} props */
export function Factory({ game, number, tiles }) {
  let first = 0;
  const groups = countLetters(tiles).map(([color, count]) => {
    const places = PLACES.slice(first, first + count);
    first += count;
    return { color, places };
  });
  return html`<svg class="factory" viewBox="-56 -56 112 112" role="group" aria-label="factory ${number}">
    <${Target} id="factory:${number}" label="factory ${number}, ${tiles.length} tiles"><circle class="plate hit" r="53" /></${Target}>
    <text class="number" x="0" y="-40">${number}</text>
    ${groups.map(({ color, places }) => html`<${FactoryGroup} key=${color} game=${game} number=${number} color=${color} places=${places} />`)}
  </svg>`;
}

/** Points between a group's tiles: with them the middle of the group belongs to it as well. @param {number[][]} places */
function seams(places) {
  const between = places.slice(1).map(([x, y], i) => [(x + places[i][0]) / 2, (y + places[i][1]) / 2]);
  return places.length > 2 ? [...between, [0, 0]] : between;
}

/** @param {{game: string, number: number, color: string, places: number[][]}} props */
function FactoryGroup({ game, number, color, places }) {
  return html`<${Target} id="from:${number}${color}" label=${takeLabel(String(number), game, color, places.length)}>
    ${places.map(([x, y]) => html`<rect class="hit" x=${x - 18.2} y=${y - 18.2} width="36.4" height="36.4" rx="6" />`)}
    ${seams(places).map(([x, y]) => html`<rect class="hit seam" x=${x - 5} y=${y - 5} width="10" height="10" />`)}
    ${places.map(([x, y]) => html`<${Tile} game=${game} tile=${color} x=${x} y=${y} />`)}
  </${Target}>`;
}

/**
 * Tiles in groups by color, with their numbers: the center, the supply, a hand.
 * @param {{game: string, name: string, source: string, tiles: string, marker?: boolean}} props
 */
export function Pile({ game, name, source, tiles, marker }) {
  const keyOf = (/** @type {string} */ color) => `from:${source}${color}`;
  return html`<${Groups} game=${game} name=${name} id="factory:${source}" tiles=${tiles} marker=${marker} keyOf=${keyOf}
    labelOf=${(/** @type {string} */ color, /** @type {number} */ count) => takeLabel(source, game, color, count)} />`;
}

/**
 * @param {{game: string, name: string, id: string, tiles: string, marker?: boolean, compact?: boolean,
 *   keyOf: (color: string) => string, labelOf: (color: string, count: number) => string}} props
 */
export function Groups({ game, name, id, tiles, marker, compact, keyOf, labelOf }) {
  const groups = countLetters(tiles);
  const width = Math.max(1, groups.length + (marker ? 1 : 0)) * 62 + 12;
  return html`<svg class="pile ${compact ? "compact" : ""}" preserveAspectRatio="xMinYMid meet" viewBox="0 0 ${Math.max(width, 136)} 62" role="group" aria-label="${name}">
    <${Target} id=${id} label="${name}, ${tiles.length} tiles"><rect class="plate hit" x="1" y="1" width=${Math.max(width, 136) - 2} height="60" rx="14" /></${Target}>
    ${groups.length === 0 && !marker && html`<text class="number" x=${Math.max(width, 136) / 2} y="36">${name}</text>`}
    ${marker && html`<${Marker} x="36" y="31" />`}
    ${groups.map(([color, count], i) => {
      const x = 6 + (i + (marker ? 1 : 0)) * 62;
      return html`<${Target} key=${color} id=${keyOf(color)} label=${labelOf(color, count)}>
        <rect class="hit" x=${x + 1} y="8" width="60" height="46" rx="8" />
        <${Tile} game=${game} tile=${color} x=${x + 21} y="31" size="36" />
        <text class="count" x=${x + 49} y="37">${count}</text>
      </${Target}>`;
    })}
  </svg>`;
}

/**
 * Piles of which only the numbers are known: bag, lid, depot.
 * @param {{game: string, piles: [string, number[]][]}} props
 */
export function Piles({ game, piles }) {
  const letters = Object.keys(COLORS[gameId(game)]);
  const narrow = useNarrow();
  return html`<details class="piles" open=${!narrow}>
    <summary>${piles.map(([name, counts]) => `${name} ${counts.reduce((a, b) => a + b, 0)}`).join(" · ")}</summary>
    ${piles.map(
      ([name, counts]) => html`<div class="counts" aria-label="${name}: ${letters.map((letter, i) => `${counts[i]} ${tileName(game, letter)}`).join(", ")}">
        <span class="counts-name">${name} ${counts.reduce((a, b) => a + b, 0)}</span>
        ${letters.map((letter, i) => html`<span class="counts-item"><svg viewBox="-18 -18 36 36" aria-hidden="true"><${Tile} game=${game} tile=${letter} /></svg>${counts[i]}</span>`)}
      </div>`,
    )}
  </details>`;
}
