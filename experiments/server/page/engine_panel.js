// One bot's view of a position: its candidates, as they come, with win share, lead and line.
import { html, classes, useEffect, useState } from "./html.js";
import { stream, calledOff } from "./server.js";
import { BotSelect, TimeSelect, useCatalog } from "./catalog.js";
import { percent, signed } from "./seat.js";
import { Line } from "./line.js";

/**
 * @param {{position: Position, agent: string, running: boolean, onAgent: (spec: string) => void, onRun: (running: boolean) => void,
 *   onPlay: (moves: string[]) => void, onPoint: (action: string | null) => void, onBest: (best: Candidate | null) => void, onClose?: () => void}} props
 */
export function EnginePanel({ position, agent, running, onAgent, onRun, onPlay, onPoint, onBest, onClose }) {
  const [time, setTime] = useState(10000);
  const { analysis, error } = useStream(position, agent, time, running, onBest);
  const candidates = (analysis?.candidates ?? []).filter((candidate) => candidate.visits > 0);
  return html`<section class="engine" aria-label="Analysis by a bot">
    <div class="row tight">
      <button class=${classes(running && "on")} aria-pressed=${running} onClick=${() => onRun(!running)}>${running ? "Stop" : "Analyse"} <kbd>space</kbd></button>
      <${BotSelect} value=${agent} label="Bot that analyses" game=${position.state.game} onPick=${onAgent} />
      <${TimeSelect} value=${time} label="Time to analyse" onPick=${setTime} />
      ${onClose && html`<button class="quiet" aria-label="Remove this bot" onClick=${onClose}>✕</button>`}
    </div>
    ${error && html`<p class="error" role="alert">${error}</p>`}
    ${running && html`<p class="note" role="status">${analysis ? `${analysis.visits.toLocaleString()} simulations, ${(analysis.ms / 1000).toFixed(1)} s${analysis.done ? ", finished" : "…"}` : "Thinking…"}</p>`}
    <ol class="candidates">${candidates.map((candidate, i) => html`<${CandidateItem} key=${candidate.action} candidate=${candidate} first=${i === 0} onPlay=${onPlay} onPoint=${onPoint} />`)}</ol>
  </section>`;
}

/** @param {{candidate: Candidate, first: boolean, onPlay: (moves: string[]) => void, onPoint: (action: string | null) => void}} props */
function CandidateItem({ candidate, first, onPlay, onPoint }) {
  return html`<li class=${classes("candidate", first && "first")} onMouseEnter=${() => onPoint(candidate.action)} onMouseLeave=${() => onPoint(null)}>
    <button class="candidate-move" onClick=${() => onPlay([candidate.action])} onFocus=${() => onPoint(candidate.action)} onBlur=${() => onPoint(null)}>
      <span class="win">${candidate.win === null ? "–" : percent(candidate.win)}</span>
      <span class="lead">${candidate.lead === null ? "" : signed(candidate.lead)}</span>
      <span class="words">${candidate.words}</span>
      <small class="beside">${candidate.visits.toLocaleString()}<code class="token">${candidate.action}</code></small></button>
    <${Line} line=${candidate.line} told=${candidate.line_in_words} open=${first} onPlay=${onPlay} />
  </li>`;
}

/**
 * The bot's reports on a position while it runs.
 * @param {Position} position
 * @param {string} agent
 * @param {number} time_ms
 * @param {boolean} running
 * @param {(best: Candidate | null) => void} onBest
 */
function useStream(position, agent, time_ms, running, onBest) {
  const { limits } = useCatalog();
  const [analysis, setAnalysis] = useState(/** @type {Analysis | null} */ (null));
  const [error, setError] = useState("");
  useEffect(() => {
    setAnalysis(null);
    setError("");
    onBest(null);
    if (!running || typeof position.turn !== "number") return;
    const off = new AbortController();
    const onLine = (/** @type {Analysis} */ line) => {
      setAnalysis(line);
      onBest(line.candidates[0] ?? null);
    };
    stream("analyse", { course: position.course, agent, time_ms: Math.min(time_ms, limits.time_ms), multipv: Math.min(5, limits.multipv), seed: 1 }, onLine, off.signal).catch(
      (fault) => calledOff(fault) || setError(fault.message),
    );
    return () => off.abort();
  }, [position, agent, time_ms, running]);
  return { analysis, error };
}
