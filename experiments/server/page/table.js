// The whole table: what lies in the middle, all boards, the choices that are no part of a board, and what is drawn over it.
import { html, classes, useEffect, useLayoutEffect, useMemo, useRef, useState } from "./html.js";
import { boardsOf } from "./boards.js";
import { choices, grammarOf, isButton, tripOf } from "./grammar.js";
import { PointingContext, STILL } from "./target.js";
import { Overlay, litParts } from "./overlay.js";
import { pressed, taken } from "./keyboard.js";
import { fly, placesOf } from "./flight.js";
import { animated } from "./settings.js";
import { gameId } from "./colors.js";
import { SeatHeader } from "./seat.js";
import { useDrag } from "./drag.js";
import { Sign } from "./boards/queens_garden.js";

/**
 * @typedef {{
 *   position: Position, names: string[], front?: Seat, onAction?: (...actions: string[]) => void,
 *   arrows?: import("./overlay.js").Arrow[], marks?: Map<string, string>, shares?: number[] | null, thinking?: Seat | null, walks?: boolean,
 *   editing?: import("./target.js").Pointing | null, message?: any, note?: any,
 * }} TableProps
 */

const NO_MARKS = new Map();

/** @param {TableProps} props */
export function Table(props) {
  const { position, names, front = 0, onAction, arrows = [], marks = NO_MARKS, shares, thinking, walks = true, editing, message, note } = props;
  const root = useRef(/** @type {HTMLElement | null} */ (null));
  const [keys, setKeys] = useState(false);
  const choice = useChoice(position, onAction);
  const drag = useDrag(root, position, editing ? undefined : onAction, choice.setChosen);
  const dragging = drag && { ...choice.pointing, lit: drag.drops, chosen: [drag.key] };
  const pointing = editing ?? { ...(dragging ?? choice.pointing), marks };
  const { Market } = boardsOf(position.state.game);
  useKeys(root, walks, choice.clear, setKeys);
  useFlights(root, position);
  useFocus(root, position, keys, choice.pointing.chosen.length);
  const seats = Array.from({ length: position.state.players }, (_, i) => (i + front) % position.state.players);
  const board = (/** @type {Seat} */ seat) => html`<${SeatBoard} key=${seat} position=${position} seat=${seat} name=${names[seat]} share=${shares?.[seat]} thinking=${thinking === seat}
    large=${Boolean(editing) || (Boolean(onAction) && position.turn === seat)} />`;
  return html`<${PointingContext.Provider} value=${pointing}>
    <section class=${classes("table", gameId(position.state.game), `players-${position.state.players}`)} ref=${root} aria-label="Table">
      <${Market} state=${position.state} />
      <div class="bar">${message ?? (onAction && html`<${ChoiceBar} position=${position} choice=${choice} root=${root} />`)}${note}</div>
      <div class="boards">${board(seats[0])}<div class="others">${seats.slice(1).map(board)}</div></div>
      <${Overlay} root=${root} arrows=${arrows} numbered=${keys && Boolean(onAction)} version=${`${position.course.moves.length} ${choice.pointing.chosen.join()} ${front}`} />
    </section>
  </${PointingContext.Provider}>`;
}

/**
 * A player's board with its head. On a phone the boards of others are small until they are tapped, or `large`.
 * @param {{position: Position, seat: Seat, name: string, share?: number, thinking: boolean, large: boolean}} props
 */
function SeatBoard({ position, seat, name, share, thinking, large }) {
  const { Board } = boardsOf(position.state.game);
  const [wide, setWide] = useState(false);
  const onTap = (/** @type {MouseEvent} */ event) => event.target instanceof Element && !event.target.closest("button, summary, details, .lit") && setWide(!wide);
  return html`<article class=${classes("seat", position.turn === seat && "to-move", (large || wide) && "large")} aria-label=${name} onClick=${onTap}>
    <${SeatHeader} position=${position} seat=${seat} name=${name} share=${share} thinking=${thinking} wide=${wide} onWide=${() => setWide(!wide)} />
    <${Board} state=${position.state} seat=${seat} />
  </article>`;
}

/**
 * A choice that is made key by key and ends in a legal action.
 * @param {Position} position
 * @param {((...actions: string[]) => void) | undefined} onAction
 */
function useChoice(position, onAction) {
  const [chosen, setChosen] = useState(/** @type {string[]} */ ([]));
  useLayoutEffect(() => setChosen([]), [position]);
  return useMemo(() => {
    if (!onAction) return { pointing: STILL, next: new Map(), clear: () => {}, setChosen };
    const open = choices(position, chosen);
    const first = choices(position, []);
    const pick = (/** @type {string} */ key) => {
      if (chosen.at(-1) === key) return setChosen(chosen.slice(0, -1));
      const path = open.next.has(key) ? [...chosen, key] : first.next.has(key) ? [key] : [];
      const { finished } = choices(position, path);
      const done = path.length > 0 && finished;
      setChosen(done ? [] : path);
      if (done) onAction(done);
    };
    const lit = new Set([...open.next.keys()].filter((key) => !isButton(key)));
    return { pointing: { lit, chosen, marks: new Map(), pick }, next: open.next, clear: () => setChosen([]), setChosen };
  }, [position, chosen, onAction]);
}

/**
 * What can be chosen beside the boards, what is being asked, and what the part under the pointer would do.
 * @param {{position: Position, choice: ReturnType<typeof useChoice>, root: {current: HTMLElement | null}}} props
 */
function ChoiceBar({ position, choice, root }) {
  const grammar = grammarOf(position.state.game);
  const buttons = [...choice.next.keys()].filter(isButton);
  const pointed = usePointedKey(root);
  const words = (/** @type {string} */ key) => {
    const actions = choice.next.get(key) ?? [];
    return actions.length === 1 ? position.legal.find(({ action }) => action === actions[0])?.words : undefined;
  };
  const prompt = grammar.prompt(position.state.phase, choice.pointing.chosen.length > 0);
  return html`<p class="sr" role="status">${prompt}</p><p class="prompt" aria-hidden="true">${words(pointed) ?? prompt}</p>
    ${buttons.map((key) => html`<button key=${key} class="choice" data-key=${key} aria-label=${grammar.keyName(key)} title=${words(key) ?? grammar.keyName(key)} onClick=${() => choice.pointing.pick(key)}>
      ${key.startsWith("acquire:") ? html`<${Sign} what=${key.slice(8)} />` : grammar.keyName(key)}</button>`)}
    ${choice.pointing.chosen.length > 0 && html`<button class="quiet" onClick=${choice.clear}>Choose again <kbd>Esc</kbd></button>`}`;
}

/** The key of the part under the pointer or with the focus. @param {{current: HTMLElement | null}} root */
function usePointedKey(root) {
  const [key, setKey] = useState("");
  useEffect(() => {
    const table = root.current;
    const onPoint = (/** @type {Event} */ event) => setKey((event.target instanceof Element && event.target.closest(".target.lit, .choice")?.getAttribute("data-key")) || "");
    table?.addEventListener("mouseover", onPoint);
    table?.addEventListener("focusin", onPoint);
    return () => {
      table?.removeEventListener("mouseover", onPoint);
      table?.removeEventListener("focusin", onPoint);
    };
  }, []);
  return key;
}

/**
 * @param {{current: HTMLElement | null}} root
 * @param {boolean} walks
 * @param {() => void} clear
 * @param {(keys: boolean) => void} setKeys
 */
function useKeys(root, walks, clear, setKeys) {
  useEffect(() => {
    const onKey = (/** @type {KeyboardEvent} */ event) => {
      if (!root.current) return;
      if (event.key === "Escape" && !taken(event)) clear();
      if (event.key === "Tab" || event.key.startsWith("Arrow") || /^\d$/.test(event.key)) setKeys(!taken(event));
      if (pressed(event, root.current, walks)) event.preventDefault();
    };
    const onPointer = () => setKeys(false);
    document.addEventListener("keydown", onKey);
    document.addEventListener("pointerdown", onPointer);
    return () => {
      document.removeEventListener("keydown", onKey);
      document.removeEventListener("pointerdown", onPointer);
    };
  }, [walks, clear]);
}

/**
 * Keeps the focus on the table while it is played by keyboard.
 * @param {{current: HTMLElement | null}} root
 * @param {Position} position
 * @param {boolean} keys
 * @param {number} steps
 */
function useFocus(root, position, keys, steps) {
  useEffect(() => {
    const focused = document.activeElement;
    if (!keys || !root.current || (focused && focused !== document.body && focused.isConnected)) return;
    litParts(root.current)[0]?.focus();
  }, [position, keys, steps]);
}

/**
 * Lets the tiles of moves that were added fly.
 * @param {{current: HTMLElement | null}} root
 * @param {Position} position
 */
function useFlights(root, position) {
  const last = useRef(/** @type {{position: Position, places: Map<string, DOMRect>} | null} */ (null));
  useLayoutEffect(() => {
    const table = root.current;
    if (!table) return;
    const places = placesOf(table);
    const before = last.current;
    last.current = { position, places };
    if (!before || !animated() || before.position === position) return;
    const moves = position.course.moves;
    const old = before.position.course.moves;
    if (moves.length <= old.length || !old.every((move, i) => move === moves[i])) return;
    const trip = typeof before.position.turn === "number" && tripOf(before.position.state, moves[old.length], before.position.turn);
    if (trip) fly(table, position.state.game, trip, before.places, places);
  }, [position]);
}
