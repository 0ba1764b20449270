// The review of a game: a bot judges every move; marks, points lost, and a summary by player.
import { html, useCallback, useEffect, useRef, useState } from "./html.js";
import { stream, calledOff } from "./server.js";
import { BotSelect, TimeSelect } from "./catalog.js";
import { EvaluationGraph } from "./graph.js";
import { signed, percent } from "./seat.js";
import { Line } from "./line.js";
import { Kinds, KindWords } from "./kinds.js";

/**
 * Judgements of a course, as they come; with the game's seed the same as the terminal's.
 * @param {Course} course
 * @param {number} [seed]
 */
export function useReview(course, seed = 0) {
  const [judgements, setJudgements] = useState(/** @type {Judgement[]} */ ([]));
  const [summary, setSummary] = useState(/** @type {SeatReview[]} */ ([]));
  const [state, setState] = useState(/** @type {"none" | "running" | "done"} */ ("none"));
  const [error, setError] = useState("");
  const off = useRef(/** @type {AbortController | null} */ (null));
  useEffect(() => () => off.current?.abort(), []);
  const start = useCallback((/** @type {string} */ agent, /** @type {number} */ time_ms) => {
    off.current?.abort();
    const mine = (off.current = new AbortController());
    setJudgements([]);
    setSummary([]);
    setError("");
    setState("running");
    const onLine = (/** @type {any} */ line) => (line.done ? setSummary(line.summary) : setJudgements((all) => [...all, line]));
    stream("review", { course, agent, time_ms, seed }, onLine, mine.signal).then(
      () => setState("done"),
      (fault) => {
        if (calledOff(fault)) return;
        setState("none");
        setError(fault.message);
      },
    );
  }, [course, seed]);
  const stop = useCallback(() => {
    off.current?.abort();
    setState("none");
  }, []);
  return { judgements, summary, state, error, start, stop };
}

/**
 * @param {{review: ReturnType<typeof useReview>, course: Course, ply: number, names: string[], agent: string, onAgent: (spec: string) => void, onGo: (ply: number) => void, onNext: () => void}} props
 */
export function ReviewPanel({ review, course, ply, names, agent, onAgent, onGo, onNext }) {
  const [time, setTime] = useState(100);
  const { judgements, summary, state, error } = review;
  const total = course.moves.length;
  return html`<section class="review" aria-label="Review">
    <div class="row tight">
      ${state === "running"
        ? html`<button onClick=${review.stop}>Stop</button><progress max=${total} value=${judgements.length} aria-label="Moves judged"></progress>`
        : html`<button class=${state === "none" ? "primary" : ""} disabled=${total === 0} onClick=${() => review.start(agent, time)}>${state === "done" ? "Review again" : "Review the game"}</button>
          <${BotSelect} value=${agent} label="Bot that reviews" game=${course.game} onPick=${onAgent} /><${TimeSelect} value=${time} label="Time for each move" onPick=${setTime} />`}
    </div>
    ${error && html`<p class="error" role="alert">${error}</p>`}
    ${judgements.length > 0 && html`<div class="review-body">
      <${EvaluationGraph} judgements=${judgements} total=${total} players=${course.players} ply=${ply} names=${names} onGo=${onGo} />
      <div><button onClick=${onNext}>Next mistake <kbd>N</kbd></button>
        <${Summary} judgements=${judgements} names=${names} onGo=${onGo} />
        <${Kinds} summary=${summary} judgements=${judgements} names=${names} ply=${ply} onGo=${onGo} /></div></div>`}
  </section>`;
}

/** Marks and points lost by player. @param {{judgements: Judgement[], names: string[], onGo: (ply: number) => void}} props */
function Summary({ judgements, names, onGo }) {
  return html`<div class="scroll"><table class="summary"><thead><tr><th scope="col">Player</th><th scope="col" title="inaccuracies">?!</th><th scope="col" title="mistakes">?</th><th scope="col" title="blunders">??</th><th scope="col">points lost</th><th scope="col">worst</th></tr></thead>
    <tbody>${names.map((name, seat) => {
      const own = judgements.filter((judgement) => judgement.seat === seat);
      const count = (/** @type {string} */ mark) => own.filter((judgement) => judgement.mark === mark).length;
      const lost = own.reduce((sum, judgement) => sum + (judgement.points_lost ?? 0), 0);
      const worst = worstOf(own);
      return html`<tr><th scope="row"><i class="seat-mark seat-${seat}"></i> ${name}</th><td>${count("inaccuracy")}</td><td>${count("mistake")}</td><td>${count("blunder")}</td><td>${lost.toFixed(1)}</td>
        <td>${worst && html`<button class="token" title=${worst.words} onClick=${() => onGo(worst.ply)}>${worst.move}</button>`}</td></tr>`;
    })}</tbody></table></div>`;
}

/** The move by which most was lost. @param {Judgement[]} judgements @returns {Judgement | null} */
export function worstOf(judgements) {
  const judged = judgements.filter((judgement) => (judgement.loss ?? 0) > 0);
  return judged.reduce((worst, judgement) => (!worst || (judgement.loss ?? 0) > (worst.loss ?? 0) ? judgement : worst), /** @type {Judgement | null} */ (null));
}

/**
 * What a judgement says of the move that was played here, and the better one; where `seeking`, that one is to be found.
 * @param {{judgement: Judgement, tried: string, seeking: boolean, open: boolean, onSeek: (seeking: boolean) => void, onPlay: (moves: string[]) => void}} props
 * `open` says whether the better line is shown at once
 */
export function Verdict({ judgement, tried, seeking, open, onSeek, onPlay }) {
  const { best, mark, loss, points_lost } = judgement;
  return html`<div class="verdict ${mark ?? ""}" role="status">
    <p>Played: <b>${judgement.words}</b>${(loss ?? 0) > 0.0005 && html` lost ${percent(loss ?? 0)} and ${(points_lost ?? 0).toFixed(1)} points${mark ? `: ${mark}` : ""}`}</p>
    ${judgement.kind && !seeking && html`<p class="note"><${KindWords} kind=${judgement.kind} /></p>`}
    ${!best || best.action === judgement.move
      ? html`<p class="note">The bot would have played the same.</p>`
      : seeking
        ? html`<p>${tried ? `Another is better than “${tried}”. Try again.` : "Find a better move on the board."} <button onClick=${() => onSeek(false)}>Show it</button></p>`
        : html`<${BetterMove} best=${best} open=${open} onPlay=${onPlay} /><button class="quiet" onClick=${() => onSeek(true)}>Let me find them</button>`}
  </div>`;
}

/** @param {{best: Better, open: boolean, onPlay: (moves: string[]) => void}} props */
function BetterMove({ best, open, onPlay }) {
  return html`<p>Better: <button class="better" onClick=${() => onPlay([best.action])}>${best.words}</button>${best.win !== null && html` ${percent(best.win)}`}${best.lead !== null && html`, ${signed(best.lead)}`}</p>
    <${Line} line=${best.line} told=${best.line_in_words} open=${open} onPlay=${onPlay} />`;
}

/**
 * A better move that is to be found by the person: what was tried, and whether it was right.
 * @param {Judgement | undefined} judgement of the move that was played here
 * @param {(moves: string[]) => void} play
 */
export function useSearchForBetter(judgement, play) {
  const [seeking, setSeeking] = useState(false);
  const [tried, setTried] = useState("");
  useEffect(() => setTried(""), [judgement]);
  const sought = seeking ? judgement?.best : null;
  const playOrTry = useCallback((/** @type {string[]} */ ...moves) => (sought && moves[0] !== sought.action ? setTried(moves[0]) : play(moves)), [sought, play]);
  return { seeking, setSeeking, tried, hides: Boolean(sought), playOrTry };
}
