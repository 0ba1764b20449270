// A game that is being played: people at the screen, bots that the server asks, undo and hint.
import { html, useCallback, useEffect, useRef, useState } from "./html.js";
import { call, calledOff } from "./server.js";
import { keep, keptGame } from "./games_kept.js";
import { Table } from "./table.js";
import { MoveList } from "./moves.js";
import { gameName, strongest, takesTime, useCatalog } from "./catalog.js";
import { landings, tripOf } from "./grammar.js";
import { taken } from "./keyboard.js";
import { animated } from "./settings.js";
import { begin } from "./new_game.js";
import { pack } from "./link.js";
import { percent, signed } from "./seat.js";

/** @param {{id: string}} props */
export function Play({ id }) {
  const game = keptGame(id);
  if (!game) return html`<main class="page"><p class="error">This browser does not keep a game named ${id}.</p><a href="#/">Begin another</a></main>`;
  return html`<${Match} key=${id} first=${game} />`;
}

/** @param {{first: SavedGame}} props */
function Match({ first }) {
  const catalog = useCatalog();
  const match = useMatch(first);
  const { game, position, error } = match;
  const hint = useHint(position, strongest(catalog));
  useShortcuts({ u: match.undo, h: hint.ask });
  useTitle(position, game);
  if (!position) return html`<main class="page">${error ? html`<p class="error" role="alert">${error}</p>` : html`<p class="loading">Setting the table…</p>`}</main>`;
  const names = game.seats.map((seat) => seat.name);
  const mover = typeof position.turn === "number" ? game.seats[position.turn] : null;
  const front = frontSeat(game, position);
  return html`<main class="screen">
    <${Table} position=${position} names=${names} front=${front} onAction=${mover?.kind === "person" ? match.play : undefined}
      arrows=${hint.arrows} marks=${landings(position)} thinking=${match.thinking ? position.turn : null}
      message=${position.turn === "over" ? html`<${Result} position=${position} names=${names} onReview=${() => openAnalysis(position, names, game.seed, true)} onAgain=${() => begin(catalog, { game: game.course.game, players: names.length, moves: [] }, rotated(game.seats))} />` : mover?.kind === "bot" ? html`<p class="prompt">${mover.name} thinks…</p>` : undefined} note=${html`<${Hint} hint=${hint} />`} />
    <aside class="panel">
      <h1 class="panel-title">${gameName(catalog, game.course.game)} <small>round ${position.round}</small></h1>
      ${error && html`<p class="error" role="alert">${error} <button class="quiet" onClick=${match.retry}>Try again</button></p>`}
      <div class="tools at-hand">
        <button onClick=${match.undo} disabled=${!match.canUndo}>Undo <kbd>U</kbd></button>
        <button onClick=${hint.ask} disabled=${mover?.kind !== "person" || hint.busy}>${hint.busy ? "Thinking…" : "Hint"} <kbd>H</kbd></button>
        <button onClick=${() => openAnalysis(position, names, game.seed)}>Analyse</button>
      </div>
      <${MoveList} log=${position.log ?? position.last} names=${names} ply=${position.course.moves.length} />
      ${match.fault && html`<p class="note">${match.fault}</p>`}
    </aside>
  </main>`;
}

/** What a hint says, or why there is none. @param {{hint: ReturnType<typeof useHint>}} props */
function Hint({ hint }) {
  if (hint.error) return html`<p class="error" role="alert">${hint.error}</p>`;
  if (!hint.choice) return null;
  const { words, win, lead } = hint.choice;
  return html`<p class="hint" role="status">${words}${win !== null && html`: <b>${percent(win)}</b> to win`}${lead !== null && html`, ${signed(lead)} points`}</p>`;
}

/** The seat whose board comes first: the person's to move, or the only person's. @param {SavedGame} game @param {Position} position */
function frontSeat(game, position) {
  if (typeof position.turn === "number" && game.seats[position.turn].kind === "person") return position.turn;
  return Math.max(0, game.seats.findIndex((seat) => seat.kind === "person"));
}

/** Says in the tab's title whose turn it is. @param {Position | null} position @param {SavedGame} game */
function useTitle(position, game) {
  const seat = typeof position?.turn === "number" ? game.seats[position.turn] : null;
  useEffect(() => {
    document.title = seat ? `${seat.name === "You" ? "Your turn" : seat.name} · azulejo` : "azulejo";
    return () => void (document.title = "azulejo");
  }, [seat]);
}

/** The seats of the next game: everybody moves up by one. @param {SeatPlan[]} seats */
const rotated = (seats) => [...seats.slice(1), seats[0]];

/** @param {{position: Position, names: string[], onReview: () => void, onAgain: () => void}} props */
function Result({ position, names, onReview, onAgain }) {
  const winners = names.filter((_, seat) => (position.wins?.[seat] ?? 0) > 0);
  return html`<p class="prompt result" role="status">${winners.join(" and ")} ${winners.length > 1 ? "share the win" : winners[0] === "You" ? "win" : "wins"}: ${position.scores.map((score, seat) => `${names[seat]} ${score}`).join(", ")}</p>
    <button class="primary" onClick=${onReview}>Learn from this game</button>
    <button onClick=${onAgain}>Play again</button>
    <a class="button" href="#/">New game</a>`;
}

/** @param {Position} position @param {string[]} names @param {number} seed @param {boolean} [review] */
async function openAnalysis(position, names, seed, review) {
  location.hash = `#/${review ? "review" : "analyse"}/${await pack({ course: position.course, names, seed })}`;
}

/**
 * A game in play. `play` carries an action out, `undo` goes back to the last choice of a person.
 * @param {SavedGame} first
 */
function useMatch(first) {
  const [game, setGame] = useState(first);
  const [position, setPosition] = useState(/** @type {Position | null} */ (null));
  const [error, setError] = useState("");
  const [fault, setFault] = useState("");
  const [tries, setTries] = useState(0);
  const setMoves = useCallback((/** @type {Course} */ course) => setGame((now) => ({ ...now, course, changed: Date.now() })), []);
  usePosition(game, tries, setPosition, setError, setFault);
  const current = position && sameMoves(position.course, game.course) ? position : null;
  const thinking = useBot(game, current, setMoves, setError, tries);
  const play = useCallback((/** @type {string[]} */ ...actions) => current && setMoves({ ...current.course, moves: [...current.course.moves, ...actions] }), [current]);
  const back = current && lastChoice(game, current);
  const undo = useCallback(() => {
    if (current && back !== null) setMoves({ ...current.course, moves: current.course.moves.slice(0, back) });
  }, [current, back]);
  return { game, position, error, fault, thinking, play: current ? play : undefined, undo, canUndo: back !== null, retry: () => setTries(tries + 1) };
}

/** True where a position answers a course: its moves and then only what was dealt. @param {Course} answer @param {Course} asked */
const sameMoves = (answer, asked) => asked.moves.every((move, i) => move === answer.moves[i]) && answer.moves.slice(asked.moves.length).every((move) => isDealt(move));

/** True for an outcome of chance. @param {string} move */
const isDealt = (move) => /^(D.*\/|D[A-Z-]+$|S[A-Z]+$|F(-$|[A-Z]\d)|R\d+:)/.test(move);

/** The ply of the last choice that a person made. @param {SavedGame} game @param {Position} position */
function lastChoice(game, position) {
  const log = position.log ?? [];
  const ply = log.findLast((entry) => typeof entry.seat === "number" && game.seats[entry.seat].kind === "person")?.ply;
  return ply ?? null;
}

/**
 * Asks for the position of a game whenever its moves change, and keeps the game.
 * @param {SavedGame} game
 * @param {number} tries
 * @param {(position: Position) => void} setPosition
 * @param {(error: string) => void} setError
 * @param {(fault: string) => void} setFault
 */
function usePosition(game, tries, setPosition, setError, setFault) {
  useEffect(() => {
    const off = new AbortController();
    call("position", { ...game.course, deal: game.seed, log: true }, off.signal)
      .then((position) => {
        setError("");
        setPosition(position);
        keep({ ...game, course: position.course, over: position.turn === "over", scores: position.scores }).then(setFault);
      })
      .catch((error) => calledOff(error) || setError(error.message));
    return () => off.abort();
  }, [game.course, tries]);
}

/**
 * Lets a bot choose where one is to move; true while it does.
 * @param {SavedGame} game
 * @param {Position | null} position
 * @param {(course: Course) => void} setMoves
 * @param {(error: string) => void} setError
 * @param {number} tries
 */
function useBot(game, position, setMoves, setError, tries) {
  const seat = typeof position?.turn === "number" ? game.seats[position.turn] : null;
  const thinking = seat?.kind === "bot";
  useEffect(() => {
    if (!position || !seat || !thinking) return;
    const off = new AbortController();
    const began = Date.now();
    const least = animated() ? 550 : 0;
    call("choose", { course: position.course, agent: seat.spec, ...(takesTime(seat.spec) ? { time_ms: seat.time_ms } : {}), seed: game.seed + position.course.moves.length }, off.signal)
      .then((choice) => new Promise((done) => setTimeout(() => done(choice), Math.max(0, least - (Date.now() - began)))))
      .then((choice) => off.signal.aborted || setMoves({ ...position.course, moves: [...position.course.moves, choice.action] }))
      .catch((error) => calledOff(error) || setError(error.message));
    return () => off.abort();
  }, [position, tries]);
  return thinking;
}

const NO_HINT = { position: null, choice: null, busy: false, error: "" };

/**
 * A hint for the person to move: the strongest bot's choice after a second.
 * @param {Position | null} position
 * @param {string} agent
 */
function useHint(position, agent) {
  const [state, setState] = useState(/** @type {{position: Position | null, choice: Choice | null, busy: boolean, error: string}} */ (NO_HINT));
  const latest = useRef(position);
  latest.current = position;
  const ask = useCallback(() => {
    if (!position || typeof position.turn !== "number") return;
    setState({ ...NO_HINT, position, busy: true });
    call("choose", { course: position.course, agent, time_ms: 1000, seed: 1 }).then(
      (choice) => latest.current === position && setState({ ...NO_HINT, position, choice }),
      (fault) => setState({ ...NO_HINT, position, error: fault.message }),
    );
  }, [position, agent]);
  const fresh = state.position === position;
  const choice = fresh ? state.choice : null;
  const trip = choice && position && tripOf(position.state, choice.action, Number(position.turn));
  return { ask, busy: fresh && state.busy, error: fresh ? state.error : "", choice, arrows: trip ? [{ from: trip.from, to: trip.to, look: "best" }] : [] };
}

/** Letters that do something on this screen. @param {Record<string, () => void>} actions */
export function useShortcuts(actions) {
  useEffect(() => {
    const onKey = (/** @type {KeyboardEvent} */ event) => {
      const pressing = event.key === " " && event.target instanceof Element && event.target.closest("button, a, summary");
      if (event.defaultPrevented || pressing || taken(event) || !actions[event.key]) return;
      event.preventDefault();
      actions[event.key]();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  });
}
