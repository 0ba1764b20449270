// What lies over the table: arrows between its parts, and the numbers of what the number keys choose.
import { html, useState, useLayoutEffect } from "./html.js";

/**
 * An arrow from one key to another.
 * @typedef {{from: string, to: string, look: string}} Arrow
 */

/** The element of a key. @param {Element} root @param {string} key */
const partOf = (root, key) => root.querySelector(`[data-key="${CSS.escape(key)}"]`);

/**
 * The middle of a part, in the table's own coordinates.
 * @param {Element} root
 * @param {Element | null} part
 */
function middle(root, part) {
  if (!part) return null;
  const frame = root.getBoundingClientRect();
  const box = part.getBoundingClientRect();
  return { x: box.left - frame.left + box.width / 2, y: box.top - frame.top + box.height / 2, box: { x: box.left - frame.left, y: box.top - frame.top } };
}

/**
 * @param {{root: {current: HTMLElement | null}, arrows: Arrow[], numbered: boolean, version: unknown}} props
 */
export function Overlay({ root, arrows, numbered, version }) {
  const [drawn, setDrawn] = useState(/** @type {{lines: {d: string, look: string}[], badges: {x: number, y: number, n: number}[]}} */ ({ lines: [], badges: [] }));
  const wanted = JSON.stringify(arrows);
  useLayoutEffect(() => {
    const table = root.current;
    if (!table) return;
    const measure = () => setDrawn({ lines: arrows.flatMap((arrow) => lineOf(table, arrow)), badges: numbered ? badgesOf(table) : [] });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(table);
    return () => observer.disconnect();
  }, [wanted, numbered, version]);
  return html`<svg class="overlay" aria-hidden="true">
    ${drawn.lines.map((line) => html`<path class="arrow ${line.look}" d=${line.d} />`)}
    ${drawn.badges.map((badge) => html`<g class="badge" transform="translate(${badge.x} ${badge.y})"><circle r="9" /><text y="4">${badge.n % 10}</text></g>`)}
  </svg>`;
}

/** @param {HTMLElement} table @param {Arrow} arrow */
function lineOf(table, arrow) {
  const a = middle(table, partOf(table, arrow.from));
  const b = middle(table, partOf(table, arrow.to));
  if (!b) return [];
  if (!a) return [{ look: "ring", d: `M${b.x - 22} ${b.y}a22 22 0 1 0 44 0a22 22 0 1 0 -44 0Z` }];
  const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
  const [ux, uy] = [(b.x - a.x) / length, (b.y - a.y) / length];
  const [ex, ey] = [b.x - ux * 14, b.y - uy * 14];
  const head = `M${ex - uy * 9} ${ey + ux * 9}L${b.x} ${b.y}L${ex + uy * 9} ${ey - ux * 9}Z`;
  return [{ look: arrow.look, d: `M${a.x - uy * 3} ${a.y + ux * 3}L${ex - uy * 3} ${ey + ux * 3}L${ex + uy * 3} ${ey - ux * 3}L${a.x + uy * 3} ${a.y - ux * 3}Z${head}` }];
}

/** @param {HTMLElement} table */
function badgesOf(table) {
  return litParts(table).slice(0, 10).map((part, i) => {
    const place = middle(table, part);
    return { x: Math.max(9, place?.box.x ?? 0) + 2, y: Math.max(9, place?.box.y ?? 0) + 2, n: i + 1 };
  });
}

/** What can be chosen now, in reading order. @param {Element} table @returns {(HTMLElement | SVGElement)[]} */
export const litParts = (table) => [...table.querySelectorAll(".target.lit, .choice")].filter((part) => part instanceof HTMLElement || part instanceof SVGElement);
