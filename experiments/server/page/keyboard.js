// The table by keyboard alone: arrows go from part to part, digits choose, Enter and the space bar confirm.
import { litParts } from "./overlay.js";

const ARROWS = /** @type {Record<string, [number, number]>} */ ({ ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] });

/** True where a key belongs to a form or a dialog and not to the table. @param {KeyboardEvent} event */
export function taken(event) {
  const element = event.target instanceof Element ? event.target : null;
  return event.ctrlKey || event.metaKey || event.altKey || Boolean(element?.closest("input, textarea, select, dialog"));
}

/**
 * Answers one key; true where it was one of the table's.
 * @param {KeyboardEvent} event
 * @param {HTMLElement} table
 * @param {boolean} arrows whether arrow keys are the table's
 */
export function pressed(event, table, arrows) {
  if (taken(event)) return false;
  if (arrows && ARROWS[event.key]) return moveFocus(table, ARROWS[event.key]);
  if (/^\d$/.test(event.key)) return press(litParts(table)[(Number(event.key) + 9) % 10]);
  const focused = document.activeElement;
  const confirms = event.key === "Enter" || event.key === " ";
  return confirms && focused instanceof SVGElement && table.contains(focused) ? press(focused) : false;
}

/** @param {Element | undefined} part */
function press(part) {
  part?.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  return Boolean(part);
}

/**
 * Moves the focus to the nearest part in a direction.
 * @param {HTMLElement} table
 * @param {[number, number]} direction
 */
function moveFocus(table, [dx, dy]) {
  const parts = litParts(table);
  const now = parts.find((part) => part === document.activeElement);
  if (!now) {
    parts[0]?.focus();
    return parts.length > 0;
  }
  const from = center(now);
  let best = null;
  let least = Infinity;
  for (const part of parts) {
    const to = center(part);
    const along = (to.x - from.x) * dx + (to.y - from.y) * dy;
    const aside = Math.abs((to.x - from.x) * dy) + Math.abs((to.y - from.y) * dx);
    const distance = along + 2.5 * aside;
    if (part !== now && along > 2 && distance < least) [best, least] = [part, distance];
  }
  best?.focus();
  return true;
}

/** @param {Element} part */
function center(part) {
  const box = part.getBoundingClientRect();
  return { x: box.left + box.width / 2, y: box.top + box.height / 2 };
}
