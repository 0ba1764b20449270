// Tiles that fly from where they lay to where they go.
import { html, render } from "./html.js";
import { Tile } from "./tile.js";
import { gameId } from "./colors.js";

/** Where all parts of a table are now, for flights that begin after they are gone. @param {HTMLElement} table */
export function placesOf(table) {
  /** @type {Map<string, DOMRect>} */
  const places = new Map();
  for (const part of table.querySelectorAll("[data-key]")) places.set(part.getAttribute("data-key") ?? "", part.getBoundingClientRect());
  return places;
}

/**
 * Lets a tile fly; it is gone when it has landed.
 * @param {HTMLElement} table
 * @param {string} game
 * @param {Trip} trip
 * @param {Map<string, DOMRect>} before
 * @param {Map<string, DOMRect>} after
 */
export function fly(table, game, trip, before, after) {
  const from = before.get(trip.from);
  const to = after.get(trip.to);
  if (!from || !to || !trip.tile) return;
  const frame = table.getBoundingClientRect();
  const tile = document.createElement("div");
  tile.className = "flight";
  table.append(tile);
  render(html`<svg viewBox="-18 -18 36 36" aria-hidden="true"><${Tile} game=${gameId(game)} tile=${trip.tile} /></svg>`, tile);
  const at = (/** @type {DOMRect} */ box) => `translate(${box.left - frame.left + box.width / 2 - 18}px, ${box.top - frame.top + box.height / 2 - 18}px)`;
  const flight = tile.animate([{ transform: `${at(from)} scale(1)` }, { transform: `${at(to)} scale(1.25)`, offset: 0.7 }, { transform: `${at(to)} scale(.9)`, opacity: 0.6 }], { duration: 420, easing: "cubic-bezier(.3,.1,.3,1)" });
  flight.onfinish = flight.oncancel = () => tile.remove();
}
