// What games lost by, judged one after the other for as long as a person likes; kept while the page is open.
import { useEffect, useRef, useState } from "./html.js";
import { call, calledOff, stream } from "./server.js";

/** Milliseconds for a search: a game takes seconds. */
const TIME_MS = 20;
/** So many games are asked for at once. */
const ROWS = 100;
/** Milliseconds to wait where the server has too much to do. */
const PATIENCE = 2000;

/** The games that were judged here, by the path of their run. @type {Map<string, Map<number, GameRow>>} */
const KEPT = new Map();

/** @param {string} path */
const keptOf = (path) => KEPT.get(path) ?? KEPT.set(path, new Map()).get(path) ?? new Map();

/**
 * @param {GameRow} row
 * @param {string} path
 * @param {string} agent
 * @param {AbortSignal} signal
 * @returns {Promise<GameRow>} with what was lost
 */
async function judged(row, path, agent, signal) {
  const game = await call("game", { path, index: row.index }, signal);
  let loss = 0;
  let points_lost = 0;
  const onLine = (/** @type {Judgement} */ line) => {
    loss += line.loss ?? 0;
    points_lost += line.points_lost ?? 0;
  };
  await stream("review", { course: game.course, agent, time_ms: TIME_MS, seed: game.seed }, (line) => line.done || onLine(line), signal);
  return { ...row, loss, points_lost };
}

/** @param {number} ms */
const wait = (ms) => new Promise((done) => setTimeout(done, ms));

/**
 * Judges the games of a run that nobody has judged yet, from the first on.
 * @param {string} path
 * @param {string} agent
 * @param {AbortSignal} signal
 * @param {(total: number) => void} onGame is told after each game
 */
async function judgeAll(path, agent, signal, onGame) {
  const kept = keptOf(path);
  for (let first = 0, total = 1; first < total; first += ROWS) {
    const answer = /** @type {GamesAnswer} */ (await call("games", { path, first, count: ROWS }, signal));
    total = answer.total;
    for (const row of answer.games) {
      if (kept.has(row.index) || row.loss !== null) continue;
      for (let done = false; !done; ) {
        done = await judged(row, path, agent, signal).then((game) => Boolean(kept.set(row.index, game)), async (fault) => {
          // There are other searches: this one can wait.
          if (fault.status !== 429) throw fault;
          await wait(PATIENCE);
          signal.throwIfAborted();
          return false;
        });
      }
      onGame(total);
    }
  }
}

/**
 * The games of a run that were judged here, and what begins and ends that.
 * @param {string} path
 * @param {string} agent
 */
export function useJudgedGames(path, agent) {
  const [, setCount] = useState(keptOf(path).size);
  const [running, setRunning] = useState(false);
  const [error, setError] = useState("");
  const off = useRef(/** @type {AbortController | null} */ (null));
  useEffect(() => () => off.current?.abort(), [path]);
  const start = () => {
    const mine = (off.current = new AbortController());
    setRunning(true);
    setError("");
    judgeAll(path, agent, mine.signal, () => setCount(keptOf(path).size))
      .catch((fault) => calledOff(fault) || setError(fault.message))
      .finally(() => off.current === mine && setRunning(false));
  };
  return { games: [...keptOf(path).values()], running, error, start, stop: () => off.current?.abort() };
}
