// Tiles that are dragged to where they go, by mouse, pen or finger. A drag means the same actions as clicks do.
import { html, render, useEffect, useLayoutEffect, useRef, useState } from "./html.js";
import { call, calledOff } from "./server.js";
import { choices, dropsOf, opening, prefixOf } from "./grammar.js";
import { Tile } from "./tile.js";
import { gameId } from "./colors.js";

/** So many pixels a pointer moves before it drags. */
const FAR = 7;

/** @typedef {Map<string, string[][]>} Drops for each key where something can be laid the courses of actions that this may mean */
/** @typedef {{key: string, drops: Drops}} Drag */
/** @typedef {{pointer: number, key: string, x: number, y: number, ghost: HTMLElement | null}} Held */

/** The tile that goes with the pointer. @param {string} key */
const tileOf = (key) => /^(?:from:\d|hand:|supply:|storagex?:|shown:\d+\.)([A-Z]\d?)/.exec(key)?.[1];

/** The key of an event's part of the table. @param {EventTarget | Element | null} target */
const keyOf = (target) => (target instanceof Element && target.closest("[data-key]")?.getAttribute("data-key")) || "";

/**
 * Lets parts of a table be dragged. Returns what is being dragged, and where to.
 * @param {{current: HTMLElement | null}} root
 * @param {Position} position
 * @param {((...actions: string[]) => void) | undefined} onAction
 * @param {(path: string[]) => void} onChosen begins a choice that is then made by clicks
 * @returns {Drag | null}
 */
export function useDrag(root, position, onAction, onChosen) {
  const [drag, setDrag] = useState(/** @type {Drag | null} */ (null));
  const now = useRef({ position, onAction, onChosen, drag });
  now.current = { position, onAction, onChosen, drag };
  useLayoutEffect(() => setDrag(null), [position]);
  useEffect(() => (root.current ? listen(root.current, () => now.current, setDrag) : undefined), []);
  useAhead(position, drag, setDrag);
  return drag;
}

/**
 * @param {HTMLElement} table
 * @param {() => {position: Position, onAction?: (...actions: string[]) => void, onChosen: (path: string[]) => void, drag: Drag | null}} now
 * @param {(drag: Drag | null) => void} setDrag
 */
function listen(table, now, setDrag) {
  /** @type {Held | null} */
  let held = null;
  const end = () => {
    held?.ghost?.remove();
    held = null;
    setDrag(null);
  };
  const onDown = (/** @type {PointerEvent} */ event) => {
    const { position, onAction } = now();
    const key = keyOf(event.target);
    if (held || event.button !== 0 || !onAction || !key || !isDraggable(position, key)) return;
    held = { pointer: event.pointerId, key, x: event.clientX, y: event.clientY, ghost: null };
  };
  const onMove = (/** @type {PointerEvent} */ event) => {
    if (held?.pointer !== event.pointerId) return;
    if (!held.ghost) {
      if (Math.hypot(event.clientX - held.x, event.clientY - held.y) < FAR) return;
      held.ghost = ghostOf(table, now().position, held.key);
      setDrag({ key: held.key, drops: dropsOf(now().position, held.key) });
    }
    held.ghost.style.transform = `translate(${event.clientX}px, ${event.clientY}px)`;
  };
  const onUp = (/** @type {PointerEvent} */ event) => {
    if (held?.pointer !== event.pointerId) return;
    const { drag } = now();
    const dragged = held.ghost !== null;
    end();
    if (!dragged) return;
    swallowClick();
    if (drag) drop(now(), drag, dropKey(document.elementFromPoint(event.clientX, event.clientY), drag));
  };
  const onCancel = (/** @type {PointerEvent} */ event) => held?.pointer === event.pointerId && end();
  const onTouch = (/** @type {TouchEvent} */ event) => held && event.cancelable && event.preventDefault();
  const onKey = (/** @type {KeyboardEvent} */ event) => event.key === "Escape" && held && end();
  /** @type {[EventTarget, string, any, AddEventListenerOptions?][]} */
  const heard = [[table, "pointerdown", onDown], [document, "pointermove", onMove], [document, "pointerup", onUp], [document, "pointercancel", onCancel], [table, "touchmove", onTouch, { passive: false }], [document, "keydown", onKey]];
  for (const [target, name, answer, options] of heard) target.addEventListener(name, answer, options);
  return () => {
    held?.ghost?.remove();
    for (const [target, name, answer] of heard) target.removeEventListener(name, answer);
  };
}

/** Whether a part can be dragged anywhere. @param {Position} position @param {string} key */
const isDraggable = (position, key) => typeof position.turn === "number" && (dropsOf(position, key).size > 0 || opening(position, key) !== null);

/** The tile under the pointer. @param {HTMLElement} table @param {Position} position @param {string} key */
function ghostOf(table, position, key) {
  const ghost = document.createElement("div");
  ghost.className = "dragged";
  table.append(ghost);
  const tile = tileOf(key);
  if (tile) render(html`<svg viewBox="-18 -18 36 36" aria-hidden="true"><${Tile} game=${gameId(position.state.game)} tile=${tile} /></svg>`, ghost);
  return ghost;
}

/** Where something was let go: a part where it can lie, or the only such part of the board under the pointer. @param {Element | null} under @param {Drag} drag */
function dropKey(under, { drops }) {
  const key = keyOf(under);
  if (drops.has(key)) return key;
  const board = under?.closest("article");
  return drops.size === 1 && board ? [...drops.keys()].find((only) => board.querySelector(`[data-key="${CSS.escape(only)}"]`)) : undefined;
}

/**
 * @param {{position: Position, onAction?: (...actions: string[]) => void, onChosen: (path: string[]) => void}} now
 * @param {Drag} drag
 * @param {string | undefined} key
 */
function drop({ position, onAction, onChosen }, drag, key) {
  const courses = key === undefined ? [] : (drag.drops.get(key) ?? []);
  if (courses.length === 1) onAction?.(...courses[0]);
  else if (courses.length > 1) onChosen(prefixOf(position, drag.key, courses[0][0]));
}

/** Keeps the click away that follows when a pointer is let go. */
function swallowClick() {
  const swallow = (/** @type {Event} */ event) => {
    event.stopPropagation();
    event.preventDefault();
  };
  addEventListener("click", swallow, true);
  setTimeout(() => removeEventListener("click", swallow, true));
}

/**
 * Where a piece can go whose place is chosen only after it: asks the server for the position after its choice.
 * @param {Position} position
 * @param {Drag | null} drag
 * @param {(drag: Drag | null) => void} setDrag
 */
function useAhead(position, drag, setDrag) {
  const key = drag?.key;
  useEffect(() => {
    const action = key === undefined ? null : opening(position, key);
    if (!key || !action) return;
    const off = new AbortController();
    call("position", { ...position.course, moves: [...position.course.moves, action] }, off.signal).then(
      (next) => {
        if (off.signal.aborted || next.turn !== position.turn) return;
        const places = [...choices(next, []).next].filter(([place, then]) => place.startsWith("place:") && then.length === 1);
        setDrag({ key, drops: new Map(places.map(([place, then]) => [place, [[action, then[0]]]])) });
      },
      (fault) => calledOff(fault) || console.warn(fault.message),
    );
    return () => off.abort();
  }, [key, position]);
}
