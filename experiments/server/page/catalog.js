// What the server offers: games and bots.
import { createContext, html, useContext } from "./html.js";
import { gameId } from "./colors.js";

export const CatalogContext = createContext(/** @type {Catalog} */ ({ version: "", games: [], agents: [], limits: { time_ms: 1000, multipv: 1 } }));

/** @returns {Catalog} */
export const useCatalog = () => useContext(CatalogContext);

/** The bot for hints and analyses. @param {Catalog} catalog */
export const strongest = (catalog) => (catalog.agents.find((agent) => agent.name === "Strongest") ?? catalog.agents[0]).spec;

/** The bot that a person meets first. @param {Catalog} catalog */
export const moderate = (catalog) => (catalog.agents.find((agent) => agent.spec === "ladder:level=3") ?? catalog.agents[0]).spec;

/** A bot that searches in another way than the strongest, for a second opinion. @param {Catalog} catalog */
export const secondOpinion = (catalog) => (catalog.agents.find((agent) => agent.spec === "mcts") ?? catalog.agents[0]).spec;

/** Levels of the ladder take the time that they need; all others as much as they are given. @param {string} spec */
export const takesTime = (spec) => !/^(ladder|random|greedy)\b/.test(spec);

/** A game's name in words. @param {Catalog} catalog @param {string} spec */
export function gameName(catalog, spec) {
  const game = catalog.games.find(({ specs }) => specs.some((variant) => variant.spec === spec));
  const variant = game?.specs.find((candidate) => candidate.spec === spec)?.name;
  if (!game) return spec;
  return variant === game.specs[0].name ? game.name : `${game.name}, ${variant}`;
}

/** A bot's name with its rating at a game, where one was measured: "Level 7 · about 1,150". @param {AgentInfo} agent @param {string} game */
export function botName(agent, game) {
  const rating = agent.ratings[gameId(game)];
  return rating ? `${agent.name} · about ${(10 * Math.round(rating.rating / 10)).toLocaleString("en")}` : agent.name;
}

/** What a bot is, with the interval of its rating. @param {AgentInfo} agent @param {string} game */
export function botAbout(agent, game) {
  const rating = agent.ratings[gameId(game)];
  return rating ? `${agent.about}; rated ${rating.low} to ${rating.high} in games for two` : agent.about;
}

/** A choice among the bots for a game. @param {{value: string, label: string, game: string, onPick: (spec: string) => void}} props */
export function BotSelect({ value, label, game, onPick }) {
  const { agents } = useCatalog();
  return html`<label class="bot"><span class="sr">${label}</span>
    <select value=${value} aria-label=${label} onChange=${(/** @type {any} */ e) => onPick(e.target.value)}>
      ${agents.map((agent) => html`<option key=${agent.spec} value=${agent.spec} title=${botAbout(agent, game)}>${botName(agent, game)}</option>`)}
    </select></label>`;
}

/** Seconds to think. @param {{value: number, label: string, onPick: (ms: number) => void}} props */
export function TimeSelect({ value, label, onPick }) {
  const { limits } = useCatalog();
  const times = [20, 100, 300, 1000, 2000, 5000, 10000, 30000, 60000].filter((ms) => ms <= limits.time_ms || ms === value);
  return html`<label class="time"><span class="sr">${label}</span>
    <select value=${String(value)} aria-label=${label} onChange=${(/** @type {any} */ e) => onPick(Number(e.target.value))}>
      ${times.map((ms) => html`<option key=${ms} value=${String(ms)}>${ms < 1000 ? `${ms} ms` : `${ms / 1000} s`}</option>`)}
    </select></label>`;
}
