// One tile of any game, as a part of an SVG: shape, color, and what tells it apart without color.
import { html } from "./html.js";
import { GLYPHS, gameId } from "./colors.js";

/**
 * The corners of a hexagon that stands on a corner.
 * @param {number} r
 */
export const hexagon = (r) =>
  [0, 1, 2, 3, 4, 5].map((i) => `${(r * Math.sin((i * Math.PI) / 3)).toFixed(2)},${(-r * Math.cos((i * Math.PI) / 3)).toFixed(2)}`).join(" ");

/**
 * A tile whose middle is at `x`, `y`. `faint` is a tile that is not there (yet), `ghost` one that is about to be.
 * @param {{game: string, tile: string, x?: number, y?: number, size?: number, faint?: boolean, ghost?: boolean}} props
 */
export function Tile({ game, tile, x = 0, y = 0, size = 36, faint, ghost }) {
  const id = gameId(game);
  const body = id === "azul" ? Square : id === "summer-pavilion" ? Rhombus : Hexagon;
  const look = faint ? "faint" : ghost ? "ghost" : "";
  return html`<g class="tile ${id}-${tile[0]} ${look}" transform="translate(${x} ${y}) scale(${size / 36})">${body({ tile })}</g>`;
}

/** @param {{tile: string}} props */
function Square({ tile }) {
  return html`<rect class="body" x="-17" y="-17" width="34" height="34" rx="5" />
    <rect class="bevel" x="-14.5" y="-14.5" width="29" height="29" rx="3" />
    <path class="glyph" fill-rule="evenodd" d=${GLYPHS.azul[tile]} transform="scale(1.3)" />
    <text class="letter" x="-12.5" y="-6">${tile}</text>`;
}

/** @param {{tile: string}} props */
function Rhombus({ tile }) {
  return html`<path class="body" d="M0-18L11.5 0L0 18L-11.5 0Z" />
    <path class="bevel" d="M0-14L9 0L0 14L-9 0Z" />
    <path class="glyph" fill-rule="evenodd" d=${GLYPHS["summer-pavilion"][tile]} transform="scale(.62)" />
    <text class="letter" x="-15" y="-8">${tile}</text>`;
}

/** @param {{tile: string}} props */
function Hexagon({ tile }) {
  return html`<polygon class="body" points=${hexagon(17.6)} />
    <polygon class="texture texture-${tile[0]}" points=${hexagon(16.6)} />
    <circle class="medal" r="11.2" />
    <path class="glyph" fill-rule="evenodd" d=${GLYPHS["queens-garden"][tile[1]]} transform="translate(0 -2.6) scale(.72)" />
    <text class="value" x="0" y="9.8">${tile[1]}</text>
    <text class="letter" x="-8.5" y="-6.5">${tile[0]}</text>`;
}

/** The textures of Queen's Garden's colors; drawn once, where the page begins. */
export function Textures() {
  const lines = {
    Y: "",
    B: "M0 2H6M0 5H6",
    L: "M1.5 1.5h1.2M4.5 4.5h1.2",
    G: "M0 0L6 6M6 0L0 6",
    P: "M1.5 0V6M4.5 0V6",
    V: "M0 6L6 0M-1 1L1-1M5 7L7 5",
  };
  return html`<svg class="textures" aria-hidden="true" width="0" height="0"><defs>
    ${Object.entries(lines).map(
      ([color, d]) => html`<pattern id="texture-${color}" width="6" height="6" patternUnits="userSpaceOnUse"><path d=${d} class="texture-line" /></pattern>`,
    )}
  </defs></svg>`;
}
