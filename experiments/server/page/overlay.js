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
  return { x: box.left - frame.left + box.width / 2, y: box.top - frame.top + box.height / 2, box: { x: box.left - frame.left, y: box.top - frame.top, width: box.width, height: box.height } };
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

/**
 * An arrow from the edge of one part to the edge of another, and a frame around where it begins.
 * @param {HTMLElement} table
 * @param {Arrow} arrow
 */
function lineOf(table, arrow) {
  const a = middle(table, partOf(table, arrow.from));
  const b = middle(table, partOf(table, arrow.to));
  if (!b) return [];
  if (!a) return [{ look: `frame ${arrow.look}`, d: frame(b.box) }];
  const [ux, uy] = direction(a, b);
  const from = edge(a, ux, uy);
  const tip = edge(b, -ux, -uy);
  const [ex, ey] = [tip.x - ux * HEAD, tip.y - uy * HEAD];
  const wing = HEAD * 0.55;
  const d = `M${from.x} ${from.y}L${ex} ${ey}`;
  const head = `M${ex - uy * wing} ${ey + ux * wing}L${tip.x} ${tip.y}L${ex + uy * wing} ${ey - ux * wing}Z`;
  return [{ look: `shaft ${arrow.look}`, d }, { look: `head ${arrow.look}`, d: head }, { look: `frame ${arrow.look}`, d: frame(a.box) }];
}

/** Pixels of an arrow's head. */
const HEAD = 15;

/** @typedef {{x: number, y: number, width: number, height: number}} Box */

/** @param {{x: number, y: number}} a @param {{x: number, y: number}} b */
function direction(a, b) {
  const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
  return [(b.x - a.x) / length, (b.y - a.y) / length];
}

/** Where a ray from a part's middle leaves it. @param {{x: number, y: number, box: Box}} part @param {number} ux @param {number} uy */
function edge({ x, y, box }, ux, uy) {
  const far = Math.min(Math.abs(box.width / 2 / (ux || 1e-9)), Math.abs(box.height / 2 / (uy || 1e-9)));
  return { x: x + ux * far, y: y + uy * far };
}

/** @param {Box} box */
const frame = ({ x, y, width, height }) => `M${x + 6} ${y}h${width - 12}a6 6 0 0 1 6 6v${height - 12}a6 6 0 0 1 -6 6h${12 - width}a6 6 0 0 1 -6 -6v${12 - height}a6 6 0 0 1 6 -6Z`;

/** @param {HTMLElement} table */
function badgesOf(table) {
  return litParts(table).slice(0, 10).map((part, i) => {
    const place = middle(table, part);
    return { x: Math.max(9, place?.box.x ?? 0) + 2, y: Math.max(9, place?.box.y ?? 0) + 2, n: i + 1 };
  });
}

/** What can be chosen now, in reading order. @param {Element} table @returns {(HTMLElement | SVGElement)[]} */
export const litParts = (table) => [...table.querySelectorAll(".target.lit, .choice")].filter((part) => part instanceof HTMLElement || part instanceof SVGElement);
