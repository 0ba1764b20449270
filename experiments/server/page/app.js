// Where the page begins: its frame, and which screen the address asks for.
import { html, render, useEffect, useState } from "./html.js";
import { call } from "./server.js";
import { CatalogContext } from "./catalog.js";
import { applySettings, settings } from "./settings.js";
import { Textures } from "./tile.js";
import { Help } from "./help.js";
import { Home } from "./home.js";
import { Play } from "./play.js";
import { Analyse } from "./analyse.js";
import { Editor } from "./editor.js";
import { Runs } from "./runs.js";

const TABS = [["#/", "Play"], ["#/analyse", "Analyse"], ["#/edit", "Set up"], ["#/runs", "Runs"]];

/** The address's fragment, as it changes. */
function useHash() {
  const [hash, setHash] = useState(location.hash || "#/");
  useEffect(() => {
    const onChange = () => setHash(location.hash || "#/");
    addEventListener("hashchange", onChange);
    return () => removeEventListener("hashchange", onChange);
  }, []);
  return hash;
}

/** @param {{hash: string}} props */
function Screen({ hash }) {
  const [, name, ...rest] = hash.split("/");
  const argument = rest.join("/");
  if (name === "play") return html`<${Play} id=${argument} />`;
  if (name === "analyse" || name === "review") return html`<${Analyse} key=${hash} code=${argument} review=${name === "review"} />`;
  if (name === "edit") return html`<${Editor} key=${hash} code=${argument} />`;
  if (name === "runs") return html`<${Runs} key=${hash} argument=${argument} />`;
  return html`<${Home} key=${hash} code=${name === "new" ? argument : ""} />`;
}

function App() {
  const hash = useHash();
  const [catalog, setCatalog] = useState(/** @type {Catalog | null} */ (null));
  const [error, setError] = useState("");
  useEffect(() => void call("catalog", {}).then(setCatalog, (fault) => setError(fault.message)), []);
  if (!catalog) return html`<main class="page">${error ? html`<p class="error" role="alert">${error}</p>` : html`<p class="loading">Loading…</p>`}</main>`;
  return html`<${CatalogContext.Provider} value=${catalog}>
    <nav class="top" aria-label="Screens"><a class="brand" href="#/"><img src="/icon.svg" alt="" width="24" height="24" />azulejo</a>
      ${TABS.map(([to, name]) => html`<a href=${to} aria-current=${isAt(hash, to) ? "page" : undefined}>${name}</a>`)}
      <${Help} /></nav>
    <${Textures} />
    <${Screen} hash=${hash} />
  </${CatalogContext.Provider}>`;
}

/** @param {string} hash @param {string} tab */
function isAt(hash, tab) {
  const name = hash.split("/")[1];
  return tab === "#/" ? ["", "play", "new"].includes(name) : tab === `#/${name === "review" ? "analyse" : name}`;
}

applySettings(settings());
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => applySettings(settings()));
const root = document.getElementById("app");
if (root) {
  root.textContent = "";
  render(html`<${App} />`, root);
}
