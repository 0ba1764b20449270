// What chance brings: dealt at random, or entered as it came at a real table.
import { html, useEffect, useState } from "./html.js";
import { COLORS, KINDS, gameId, sortLetters, tileName } from "./colors.js";
import { Tile } from "./tile.js";

/** @typedef {{kind: "factories" | "letters" | "kinds" | "reveal", most: number, groups: number}} Deal what a chance node asks for */

/** @param {State} state @returns {Deal} */
function dealOf(state) {
  if ("display" in state) {
    const slot = state.display.findIndex((expansion) => expansion.tiles.length === 0 && expansion.kind === null);
    return state.phase === "reveal" ? { kind: "reveal", most: 1, groups: slot + 1 } : { kind: "kinds", most: 4, groups: 1 };
  }
  if ("supply" in state && state.phase === "supply") return { kind: "letters", most: 10 - state.supply.length, groups: 1 };
  return { kind: "factories", most: 4 * state.factories.length, groups: state.factories.length };
}

/** The outcome's token. @param {State} state @param {Deal} deal @param {string[]} tiles */
function outcome(state, deal, tiles) {
  if (deal.kind === "reveal") return `R${deal.groups}:${tiles[0] ?? ""}`;
  if (deal.kind === "kinds") return `F${[...tiles].sort((a, b) => KINDS.indexOf(a) - KINDS.indexOf(b)).join(",") || "-"}`;
  if (deal.kind === "letters") return `S${sortLetters(state.game, tiles.join(""))}`;
  const factories = Array.from({ length: deal.groups }, (_, i) => sortLetters(state.game, tiles.slice(4 * i, 4 * i + 4).join("")) || "-");
  return `D${factories.join("/")}`;
}

/** What is asked for, in words. @param {Deal} deal */
function question(deal) {
  if (deal.kind === "reveal") return `Which expansion is turned face up at place ${deal.groups}?`;
  if (deal.kind === "kinds") return "Which tiles come onto the top of the stack?";
  if (deal.kind === "letters") return `Which tiles come into the supply? Up to ${deal.most}`;
  return "Which tiles come onto the factories? Four each, factory by factory";
}

/**
 * @param {{state: State, onOutcome: (move: string) => void, onRandom: () => void}} props
 */
export function DealPanel({ state, onOutcome, onRandom }) {
  const deal = dealOf(state);
  const [tiles, setTiles] = useState(/** @type {string[]} */ ([]));
  useEffect(() => setTiles([]), [state]);
  const id = gameId(state.game);
  const palette = id !== "queens-garden" ? Object.keys(COLORS[id]) : "unseen" in state && deal.kind === "reveal" ? state.unseen : KINDS;
  const add = (/** @type {string} */ tile) => {
    if (deal.kind === "reveal") onOutcome(outcome(state, deal, [tile]));
    else if (tiles.length < deal.most) setTiles([...tiles, tile]);
  };
  return html`<section class="deal" aria-label="Deal">
    <p class="prompt">${question(deal)}</p>
    <div class="row tight"><button class="primary" onClick=${onRandom}>Deal at random</button>
      ${deal.kind !== "reveal" && html`<button disabled=${tiles.length === 0} onClick=${() => setTiles(tiles.slice(0, -1))}>Take back</button>
        <button onClick=${() => onOutcome(outcome(state, deal, tiles))}>Deal these ${tiles.length}</button>`}</div>
    <${Palette} game=${state.game} tiles=${palette} onPick=${add} />
    <p class="dealt" aria-live="polite">${tiles.map((tile, i) => html`${i > 0 && i % 4 === 0 && html`<span class="gap"></span>`}<svg viewBox="-18 -18 36 36" role="img" aria-label=${tileName(state.game, tile)}><${Tile} game=${state.game} tile=${tile} /></svg>`)}</p>
  </section>`;
}

/** Tiles to choose from. @param {{game: string, tiles: string[], chosen?: string, onPick: (tile: string) => void}} props */
export function Palette({ game, tiles, chosen, onPick }) {
  return html`<div class="palette" role="group" aria-label="Tiles">${tiles.map(
    (tile) => html`<button key=${tile} class="swatch" aria-pressed=${chosen === tile} aria-label=${tileName(game, tile)} title=${tileName(game, tile)} onClick=${() => onPick(tile)}>
      <svg viewBox="-18 -18 36 36" aria-hidden="true"><${Tile} game=${game} tile=${tile} /></svg></button>`,
  )}</div>`;
}
