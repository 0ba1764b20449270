// A named part of the table: what can be pointed at, by mouse, touch, keyboard, screen reader and test alike.
import { html, classes, createContext, useContext } from "./html.js";

/**
 * What the table's parts need to know: which keys are lit (may be chosen now), which were chosen, which carry marks.
 * @typedef {{lit: {has: (key: string) => boolean}, chosen: string[], marks: Map<string, string>, pick: (key: string) => void}} Pointing
 */

/** @type {Pointing} a table at which nothing can be chosen */
export const STILL = { lit: new Set(), chosen: [], marks: new Map(), pick: () => {} };

export const PointingContext = createContext(STILL);

/**
 * A part of the table. `id` is its key (`from:3R`, `to:4@0`); `label` is what a screen reader says.
 * @param {{id: string, label: string, children?: any, kind?: string}} props
 */
export function Target({ id, label, children, kind }) {
  const pointing = useContext(PointingContext);
  const lit = pointing.lit.has(id);
  const chosen = pointing.chosen.includes(id);
  const state = classes("target", kind, lit && "lit", chosen && "chosen", pointing.marks.get(id));
  const choose = (/** @type {Event} */ event) => {
    event.stopPropagation();
    pointing.pick(id);
  };
  if (!lit && !chosen) return html`<g class=${state} data-key=${id} role="group" aria-label=${label}>${children}</g>`;
  return html`<g class=${state} data-key=${id} role="button" tabindex="0" aria-label=${label} aria-pressed=${chosen} onClick=${choose}>${children}</g>`;
}
