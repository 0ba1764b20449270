// Analysis and review of a game: its tree of moves, bots that say what they think of it, and what went wrong.
import { html, useCallback, useEffect, useMemo, useRef, useState } from "./html.js";
import { call, calledOff } from "./server.js";
import { pack, unpack } from "./link.js";
import { Table } from "./table.js";
import { MoveList } from "./moves.js";
import { EnginePanel } from "./engine_panel.js";
import { DealPanel } from "./deal.js";
import { ReviewPanel, Verdict, useReview, useSearchForBetter } from "./review.js";
import { SharePanel } from "./share.js";
import { AnalyseStart } from "./analyse_start.js";
import { courseTo, lineThrough, pathTo, promoted, treeOf, withMoves } from "./tree.js";
import { landings, tripOf } from "./grammar.js";
import { gameName, secondOpinion, strongest, useCatalog } from "./catalog.js";
import { useShortcuts } from "./play.js";
import { useNarrow } from "./narrow.js";

/** @param {{code: string, review: boolean}} props */
export function Analyse({ code, review }) {
  const [link, setLink] = useState(/** @type {{course: Course, names?: string[], ply?: number, seed?: number} | null} */ (null));
  const [error, setError] = useState("");
  useEffect(() => void (code && unpack(code).then(setLink, (fault) => setError(fault.message))), [code]);
  if (error) return html`<main class="page"><p class="error" role="alert">${error}</p></main>`;
  if (!code) return html`<${AnalyseStart} />`;
  return link && html`<${Board} link=${link} review=${review} />`;
}

/** @param {{link: {course: Course, names?: string[], ply?: number, seed?: number}, review: boolean}} props */
function Board({ link, review: reviewing }) {
  const catalog = useCatalog();
  const study = useStudy(link, reviewing);
  const { position, at, tree, line, ply } = study;
  const [agents, setAgents] = useState([strongest(catalog)]);
  const [running, setRunning] = useState(false);
  const [pointed, setPointed] = useState(/** @type {string | null} */ (null));
  const [best, setBest] = useState(/** @type {(Candidate | null)[]} */ ([]));
  const [front, setFront] = useState(0);
  const review = useReview(link.course, link.seed);
  const narrow = useNarrow();
  const turnTable = () => setFront((front + 1) % link.course.players);
  const names = useMemo(() => Array.from({ length: link.course.players }, (_, seat) => link.names?.[seat] || `Seat ${seat + 1}`), [link]);
  const onMain = pathTo(tree, at).every((id, i) => id === i + 1);
  const judgement = onMain ? review.judgements.find((entry) => entry.ply === ply) : undefined;
  const search = useSearchForBetter(judgement, study.play);
  const next = () => study.toPly(nextMistake(review.judgements, onMain ? ply : 0));
  useEffect(() => void (reviewing && review.start(agents[0], 100)), []);
  useShortcuts({ ArrowLeft: study.back, ArrowRight: study.forward, ArrowUp: study.first, ArrowDown: study.last, n: next, f: turnTable, " ": () => setRunning(!running) });
  if (!position) return html`<main class="page">${study.error ? html`<p class="error" role="alert">${study.error}</p>` : html`<p class="loading">Loading…</p>`}</main>`;
  const verdict = judgement && typeof judgement.seat === "number" && html`<${Verdict} judgement=${judgement} tried=${position.legal.find(({ action }) => action === search.tried)?.words ?? ""} seeking=${search.seeking} open=${!narrow} onSeek=${search.setSeeking} onPlay=${study.play} />`;
  const judged = new Map(review.judgements.filter((entry) => line[entry.ply] === entry.ply + 1).map((entry) => [entry.ply, entry]));
  const arrows = arrowsOf(position, pointed, running ? best : [], judgement, search.hides);
  const setBestOf = (/** @type {number} */ i) => (/** @type {Candidate | null} */ candidate) => setBest((all) => Object.assign([...all], { [i]: candidate }));
  return html`<main class="screen analysis">
    <div class="left-column"><${Table} position=${position} names=${names} front=${front} onAction=${typeof position.turn === "number" ? search.playOrTry : undefined} arrows=${arrows} marks=${landings(position)}
      shares=${judgement?.wins ?? moverShare(position, running ? best[0] : null)} walks=${false} note=${narrow && verdict}
      message=${position.turn === "chance" ? html`<${DealPanel} state=${position.state} onOutcome=${study.playOne} onRandom=${study.deal} />` : undefined} />
      ${link.course.moves.length > 0 && html`<${ReviewPanel} review=${review} course=${link.course} ply=${onMain ? ply : 0} names=${names} agent=${agents[0]}
        onAgent=${(/** @type {string} */ spec) => setAgents([spec, ...agents.slice(1)])} onGo=${study.toMain} onNext=${next} />`}</div>
    <aside class="panel">
      <h1 class="panel-title">${gameName(catalog, link.course.game)} <small>round ${position.round}</small></h1>
      ${study.error && html`<p class="error" role="alert">${study.error}</p>`}
      <${Steps} study=${study} onTurn=${turnTable} />
      ${!narrow && verdict}
      ${agents.map((agent, i) => html`<${EnginePanel} key=${i} position=${position} agent=${agent} running=${running} onRun=${setRunning}
        onAgent=${(/** @type {string} */ spec) => setAgents(agents.map((old, k) => (k === i ? spec : old)))} onPlay=${study.play} onPoint=${setPointed} onBest=${setBestOf(i)}
        onClose=${i > 0 ? () => setAgents(agents.slice(0, i)) : undefined} />`)}
      ${agents.length < 2 && html`<button class="quiet" onClick=${() => setAgents([...agents, secondOpinion(catalog)])}>Ask a second bot beside it</button>`}
      <${MoveList} log=${study.log} names=${names} ply=${ply} onGo=${study.toPly} judged=${judged} />
      <${Branches} study=${study} />
      <${SharePanel} course=${courseTo(tree, line.at(-1) ?? 0)} here=${courseTo(tree, at)} names=${names} position=${position} />
    </aside>
  </main>`;
}

/** The ply of the next marked move after this one; from the beginning again after the last. @param {Judgement[]} judgements @param {number} ply */
function nextMistake(judgements, ply) {
  const marked = judgements.filter((entry) => entry.mark);
  return (marked.find((entry) => entry.ply > ply) ?? marked[0])?.ply ?? ply;
}

/** The win share that a bot expects for the seat to move, by seat. @param {Position} position @param {Candidate | null | undefined} best */
function moverShare(position, best) {
  return typeof position.turn === "number" && typeof best?.win === "number" ? Object.assign([], { [position.turn]: best.win }) : null;
}

/**
 * @param {Position} position
 * @param {string | null} pointed
 * @param {(Candidate | null)[]} best
 * @param {Judgement | undefined} judgement
 * @param {boolean} hides whether the better move is not to be shown
 */
function arrowsOf(position, pointed, best, judgement, hides) {
  if (typeof position.turn !== "number") return [];
  const seat = position.turn;
  /** @type {[string | undefined, string][]} */
  const wanted = pointed ? [[pointed, "best"]] : [[best[1]?.action, "second"], [judgement?.move, "played"], [best[0]?.action ?? (hides ? undefined : judgement?.best?.action), "best"]];
  return wanted.flatMap(([action, look]) => {
    const trip = action ? tripOf(position.state, action, seat) : null;
    return trip ? [{ from: trip.from, to: trip.to, look }] : [];
  });
}

/**
 * A tree of moves, where in it one is, and the position there.
 * @param {{course: Course, ply?: number}} link
 * @param {boolean} reviewing
 */
function useStudy(link, reviewing) {
  const [state, setState] = useState(() => ({ tree: treeOf(link.course), at: reviewing ? 0 : Math.min(link.ply ?? link.course.moves.length, link.course.moves.length) }));
  const { tree, at } = state;
  const line = useMemo(() => lineThrough(tree, at), [tree, at]);
  const end = line.at(-1) ?? 0;
  const here = usePositions(tree, at);
  const log = useLog(tree, end);
  const ply = pathTo(tree, at).length;
  // From where one is when it is carried out: keys may come faster than the screen follows.
  const step = (/** @type {(now: {tree: ReturnType<typeof treeOf>, at: number}) => number | undefined} */ to) =>
    setState((now) => ({ tree: now.tree, at: to(now) ?? now.at }));
  const go = (/** @type {number | undefined} */ id) => step(() => id);
  const play = useCallback((/** @type {string[]} */ moves) => setState((now) => withMoves(now.tree, now.at, moves)), []);
  const playOne = useCallback((/** @type {string} */ move) => play([move]), [play]);
  const deal = () =>
    call("position", { ...courseTo(tree, at), deal: Math.floor(Math.random() * 2 ** 31) }).then((position) => play(position.course.moves.slice(ply, ply + 1)));
  useAddress(link, tree, end, ply, reviewing);
  return {
    ...here, tree, at, line, log, ply, play, playOne, deal,
    back: () => step((now) => (now.at > 0 ? now.tree.nodes[now.at].parent : undefined)),
    forward: () => step((now) => now.tree.nodes[now.at].children[0]),
    first: () => go(0),
    last: () => step((now) => lineThrough(now.tree, now.at).at(-1)),
    to: go,
    toPly: (/** @type {number} */ wanted) => go(wanted === 0 ? 0 : line[wanted - 1]),
    toMain: (/** @type {number} */ wanted) => go(wanted <= link.course.moves.length ? wanted : undefined),
    promote: (/** @type {number} */ id) => setState({ tree: promoted(tree, id), at }),
  };
}

/** The position at a node; the former one stays until it is there. @param {ReturnType<typeof treeOf>} tree @param {number} at */
function usePositions(tree, at) {
  const kept = useRef(/** @type {Map<number, Position>} */ (new Map()));
  const [shown, setShown] = useState(/** @type {Position | null} */ (null));
  const [error, setError] = useState("");
  useEffect(() => {
    const known = kept.current.get(at);
    if (known) {
      setError("");
      return setShown(known);
    }
    const off = new AbortController();
    call("position", courseTo(tree, at), off.signal).then(
      (position) => {
        kept.current.set(at, position);
        setError("");
        setShown(position);
      },
      (fault) => calledOff(fault) || setError(fault.message),
    );
    return () => off.abort();
  }, [at]);
  return { position: shown, error };
}

/** The moves of the line in words. @param {ReturnType<typeof treeOf>} tree @param {number} end */
function useLog(tree, end) {
  const [log, setLog] = useState(/** @type {PlayedMove[]} */ ([]));
  useEffect(() => {
    const course = courseTo(tree, end);
    const off = new AbortController();
    call("position", { ...course, log: true }, off.signal).then((position) => setLog(position.log ?? bare(course)), (fault) => calledOff(fault) || setLog(bare(course)));
    return () => off.abort();
  }, [end]);
  return log;
}

/** Moves as they are written, where nobody says them in words. @param {Course} course @returns {PlayedMove[]} */
const bare = (course) => course.moves.map((move, ply) => ({ ply, seat: "chance", move, words: move }));

/**
 * Keeps the address in step, so that a reload comes back to the same line.
 * @param {{course: Course, names?: string[]}} link
 * @param {ReturnType<typeof treeOf>} tree
 * @param {number} end
 * @param {number} ply
 * @param {boolean} reviewing
 */
function useAddress(link, tree, end, ply, reviewing) {
  useEffect(() => {
    if (reviewing) return;
    let here = true;
    pack({ course: courseTo(tree, end), names: link.names, ply }).then((code) => here && history.replaceState(null, "", `#/analyse/${code}`));
    return () => void (here = false);
  }, [end, ply]);
}

/** Buttons to step through the line, and to turn the table. @param {{study: ReturnType<typeof useStudy>, onTurn: () => void}} props */
function Steps({ study, onTurn }) {
  return html`<div class="steps" role="group" aria-label="Steps">
    <button aria-label="First move" onClick=${study.first}>«</button><button aria-label="Move back" onClick=${study.back}>‹</button>
    <span class="step">${study.ply} / ${study.line.length}</span>
    <button aria-label="Move on" onClick=${study.forward}>›</button><button aria-label="Last move" onClick=${study.last}>»</button>
    <button aria-label="Turn the table" title="Turn the table (F)" onClick=${onTurn}>↻</button></div>`;
}

/** Other moves that were tried here. @param {{study: ReturnType<typeof useStudy>}} props */
function Branches({ study }) {
  const { tree, at } = study;
  const others = tree.nodes[at].children;
  const parent = tree.nodes[at].parent;
  const branch = at > 0 && tree.nodes[parent].children[0] !== at;
  if (others.length < 2 && !branch) return null;
  return html`<div class="branches" role="group" aria-label="Branches">
    ${others.length > 1 && html`<span class="name">From here:</span>${others.map((id) => html`<button class="token" onClick=${() => study.to(id)}>${tree.nodes[id].move}</button>`)}`}
    ${branch && html`<button class="quiet" onClick=${() => study.to(parent)}>Back to the branching</button><button class="quiet" onClick=${() => study.promote(at)}>Make it the main line</button>`}</div>`;
}
