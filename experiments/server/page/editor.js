// The editor: a position as it lies on a real table, entered by clicks; what follows from it is completed by the rules.
import { html, useEffect, useMemo, useRef, useState } from "./html.js";
import { call, calledOff } from "./server.js";
import { pack, unpack } from "./link.js";
import { Table } from "./table.js";
import { Palette } from "./deal.js";
import { GameChoice } from "./new_game.js";
import { useCatalog } from "./catalog.js";
import { gameId } from "./colors.js";
import * as azul from "./editor/azul.js";
import * as summerPavilion from "./editor/summer_pavilion.js";
import * as queensGarden from "./editor/queens_garden.js";

/**
 * @typedef {{tools: () => string[], derived: string[], phases: string[], emptied: (state: any) => any, editable: (key: string, state: any, tool: string) => boolean,
 *   edit: (state: any, key: string, tool: string) => any, holder: (state: any) => Seat | "center", withHolder: (state: any, holder: Seat | "center") => any, withRound: (state: any, round: number) => any}} Editing
 */

/** @type {Record<string, Editing>} */
const EDITINGS = { azul, "summer-pavilion": summerPavilion, "queens-garden": queensGarden };

/** @param {{code: string}} props `code` holds the state to begin with */
export function Editor({ code }) {
  const { games } = useCatalog();
  const [spec, setSpec] = useState(games[0].specs[0].spec);
  const [players, setPlayers] = useState(2);
  const [draft, setDraft] = useState(/** @type {any} */ (null));
  const [error, setError] = useState("");
  useEffect(() => void (code && unpack(code).then((link) => (setSpec(link.state.game), setPlayers(link.state.players), setDraft(link.state)), (fault) => setError(fault.message))), [code]);
  useEffect(() => {
    if (draft?.game === spec && draft.players === players) return;
    if (code && !draft && !error) return;
    const off = new AbortController();
    call("position", { game: spec, players, moves: [], deal: 1 }, off.signal).then(
      (position) => setDraft(EDITINGS[gameId(spec)].emptied(position.state)),
      (fault) => calledOff(fault) || setError(fault.message),
    );
    // What was asked for first may be answered last.
    return () => off.abort();
  }, [spec, players, code]);
  if (!draft) return html`<main class="page">${error ? html`<p class="error" role="alert">${error}</p>` : html`<p class="loading">Loading…</p>`}</main>`;
  const choose = html`<${GameChoice} spec=${spec} onPick=${setSpec} />
    <div class="row" role="group" aria-label="Players"><span class="label">Players</span><div class="segments">${[2, 3, 4].map((n) => html`<button type="button" aria-pressed=${players === n} onClick=${() => setPlayers(n)}>${n}</button>`)}</div></div>`;
  return html`<${Bench} key=${gameId(draft.game)} draft=${draft} onDraft=${setDraft} choose=${choose} />`;
}

/** @param {{draft: any, onDraft: (draft: any) => void, choose: any}} props */
function Bench({ draft, onDraft, choose }) {
  const editing = EDITINGS[gameId(draft.game)];
  const [tool, setTool] = useState(editing.tools()[0]);
  const [given, setGiven] = useState(false);
  const past = useRef(/** @type {any[]} */ ([]));
  const { complete, error, checking } = useComplete(draft, given ? [] : editing.derived);
  const change = (/** @type {any} */ next) => {
    past.current.push(draft);
    onDraft(next);
  };
  const undo = () => past.current.length > 0 && onDraft(past.current.pop());
  const pointing = useMemo(() => ({ lit: { has: (/** @type {string} */ key) => editing.editable(key, draft, tool) }, chosen: [], marks: new Map(), pick: (/** @type {string} */ key) => change(editing.edit(draft, key, tool)) }), [draft, tool, editing]);
  const shown = complete ?? draft;
  const position = { course: { game: draft.game, players: draft.players, moves: [] }, turn: shown.turn, round: shown.round, state: shown, legal: [], scores: shown.boards.map((/** @type {any} */ board) => board.score), wins: null, sources: [], last: [] };
  const names = shown.boards.map((/** @type {any} */ _, /** @type {number} */ seat) => `Seat ${seat + 1}`);
  return html`<main class="screen editor">
    <${Table} position=${position} names=${names} editing=${pointing} message=${html`<${ToolBar} game=${draft.game} editing=${editing} tool=${tool} onTool=${setTool} />`} />
    <aside class="panel">
      <h1 class="panel-title">Set up a position</h1>
      ${choose}
      <${Fields} draft=${draft} editing=${editing} onChange=${change} />
      ${error ? html`<p class="error" role="alert">${error}</p>` : html`<p class="note" role="status">${checking ? "Checking…" : "This position can be played."}</p>`}
      <div class="tools"><button class="primary" disabled=${!complete} onClick=${() => open("analyse", complete)}>Analyse</button>
        <button disabled=${!complete} onClick=${() => open("new", complete)}>Play</button>
        <button onClick=${undo}>Undo</button><button onClick=${() => change(editing.emptied(draft))}>Clear</button></div>
      <${AsJson} state=${shown} onState=${(/** @type {any} */ state) => { setGiven(true); change(state); }} given=${given} onGiven=${setGiven} derived=${editing.derived} />
    </aside>
  </main>`;
}

/** @param {string} screen @param {State} state */
async function open(screen, state) {
  location.hash = `#/${screen}/${await pack({ course: { game: state.game, players: state.players, start: state, moves: [] } })}`;
}

/**
 * The state with what follows from it, or why it cannot be.
 * @param {any} draft
 * @param {string[]} derived keys that are left out, so that the rules fill them in
 */
function useComplete(draft, derived) {
  const [answer, setAnswer] = useState(/** @type {{draft: any, complete: any, error: string}} */ ({ draft: null, complete: null, error: "" }));
  useEffect(() => {
    const off = new AbortController();
    const partial = Object.fromEntries(Object.entries(draft).filter(([key]) => !derived.includes(key)));
    call("complete", { state: partial }, off.signal).then(
      ({ state }) => setAnswer({ draft, complete: state, error: "" }),
      (fault) => calledOff(fault) || setAnswer({ draft, complete: null, error: fault.message }),
    );
    return () => off.abort();
  }, [draft, derived.length]);
  return answer.draft === draft ? { ...answer, checking: false } : { complete: null, error: "", checking: true };
}

/** @param {{game: string, editing: Editing, tool: string, onTool: (tool: string) => void}} props */
function ToolBar({ game, editing, tool, onTool }) {
  const expansions = gameId(game) === "queens-garden";
  const laying = tool.startsWith("x");
  return html`<p class="prompt">Choose a tile, then click where it lies</p>
    <${Palette} game=${game} tiles=${editing.tools()} chosen=${tool.replace("x", "")} onPick=${(/** @type {string} */ tile) => onTool(laying ? `x${tile}` : tile)} />
    <button aria-pressed=${tool === ""} onClick=${() => onTool("")}>Take away</button>
    ${expansions && html`<button aria-pressed=${laying} disabled=${tool === ""} onClick=${() => onTool(laying ? tool.slice(1) : `x${tool}`)}>As an expansion</button>`}`;
}

/** What is not laid but said: round, phase, who moves, scores. @param {{draft: any, editing: Editing, onChange: (draft: any) => void}} props */
function Fields({ draft, editing, onChange }) {
  const seats = draft.boards.map((/** @type {any} */ _, /** @type {number} */ seat) => seat);
  const seatSelect = (/** @type {string} */ name, /** @type {any} */ value, /** @type {any[]} */ options, /** @type {(value: any) => void} */ pick) => html`<label>${name}
    <select value=${String(value)} onChange=${(/** @type {any} */ e) => pick(/^\d+$/.test(e.target.value) ? Number(e.target.value) : e.target.value)}>
      ${options.map((option) => html`<option value=${String(option)}>${typeof option === "number" ? `Seat ${option + 1}` : option}</option>`)}</select></label>`;
  const setBoard = (/** @type {number} */ seat, /** @type {any} */ changes) => onChange({ ...draft, boards: draft.boards.map((/** @type {any} */ board, /** @type {number} */ i) => (i === seat ? { ...board, ...changes } : board)) });
  return html`<div class="editor-tools">
    <label>Round <input type="number" min="1" value=${draft.round} onInput=${(/** @type {any} */ e) => onChange(editing.withRound(draft, Number(e.target.value)))} /></label>
    ${editing.phases.length > 1 && seatSelect("Phase", draft.phase, editing.phases, (phase) => onChange({ ...draft, phase }))}
    ${seatSelect("To move", draft.turn, seats, (turn) => onChange({ ...draft, turn }))}
    ${seatSelect("Began the round", draft.start, seats, (start) => onChange({ ...draft, start }))}
    ${seatSelect("Starting marker", editing.holder(draft), ["center", ...seats], (holder) => onChange(editing.withHolder(draft, holder)))}
    ${"stack" in draft && html`<label>Stack, its top included <input type="number" min="0" value=${draft.stack} onInput=${(/** @type {any} */ e) => onChange({ ...draft, stack: Number(e.target.value) })} /></label>
      <div class="tools"><button onClick=${() => onChange({ ...draft, display: [...draft.display, { tiles: [], kind: null }] })}>One more on display</button><button onClick=${() => onChange({ ...draft, display: draft.display.slice(0, -1) })}>One fewer</button></div>`}
    ${draft.boards.map((/** @type {any} */ board, /** @type {number} */ seat) => html`<div class="row tight" role="group" aria-label="Seat ${seat + 1}">
      <label>Seat ${seat + 1}, score <input type="number" value=${board.score} onInput=${(/** @type {any} */ e) => setBoard(seat, { score: Number(e.target.value) })} /></label>
      ${"jokers" in board && html`<label>jokers <input type="number" value=${board.jokers} onInput=${(/** @type {any} */ e) => setBoard(seat, { jokers: Number(e.target.value) })} /></label>`}
      ${"passed" in board && html`<label><input type="checkbox" checked=${board.passed} onChange=${(/** @type {any} */ e) => setBoard(seat, { passed: e.target.checked })} /> passed</label>`}</div>`)}
  </div>`;
}

/**
 * The position as text, to be changed where clicks do not reach.
 * @param {{state: any, onState: (state: any) => void, given: boolean, onGiven: (given: boolean) => void, derived: string[]}} props
 */
function AsJson({ state, onState, given, onGiven, derived }) {
  const [text, setText] = useState("");
  const [error, setError] = useState("");
  useEffect(() => setText(JSON.stringify(state)), [state]);
  const apply = () => {
    try {
      onState(JSON.parse(text));
      setError("");
    } catch (fault) {
      setError(`This is no JSON: ${fault instanceof Error ? fault.message : fault}`);
    }
  };
  return html`<details class="as-json"><summary>As JSON</summary>
    <label class="check"><input type="checkbox" checked=${!given} onChange=${(/** @type {any} */ e) => onGiven(!e.target.checked)} /> ${derived.join(", ")} follow from the rest</label>
    <textarea aria-label="Position as JSON" value=${text} onInput=${(/** @type {any} */ e) => setText(e.target.value)}></textarea>
    <button onClick=${apply}>Take this position</button>
    ${error && html`<p class="error" role="alert">${error}</p>`}</details>`;
}
