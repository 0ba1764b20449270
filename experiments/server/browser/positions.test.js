// Positions that are set up by clicks, records and states that are pasted.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startServer } from "./server.js";
import { DESKTOP, openBrowser, openTab, picture } from "./tab.js";

/** @type {any} */ let server;
/** @type {any} */ let browser;
before(async () => {
  server = await startServer();
  browser = await openBrowser();
});
after(async () => {
  await browser?.close();
  server?.stop();
});

/** Waits until what was laid is a position; else says what the page says. @param {import("playwright-core").Page} tab */
async function playable(tab) {
  await tab.getByText("This position can be played.").waitFor({ timeout: 15000 }).catch(async (fault) => {
    throw new Error(`the page says: ${(await tab.locator(".panel .error, .panel .note").allInnerTexts()).join("; ")}; ${fault.message}`);
  });
}

/** What is laid where, so that a position can be played. @type {[string, [string, string][]][]} */
const POSITIONS = [
  ["Azul: Summer Pavilion", [["orange", "factory:1"], ["orange", "hand@0"], ["red", "hand@1"], ["orange", "slot:O1@0"], ["blue", "slot:C2@1"], ["green", "supply"]]],
  ["Azul: Queen's Garden", [["yellow tree (1)", "display:1"], ["yellow bird (2)", "display:1"], ["dark purple lily (6)", "display:1"], ["light green plant (5)", "display:1"], ["light blue bird (2)", "storage@0"], ["light blue bird (2)", "area:2@0"], ["dark green lily (6)", "place:21@0"]]],
];

for (const [game, laid] of POSITIONS) {
  test(`a position of ${game} is set up by clicks and analysed`, async (t) => {
    const { tab, quiet, close } = await openTab(browser, server.base, DESKTOP, "edit");
    t.after(close);
    await tab.getByRole("button", { name: game, exact: true }).click();
    await tab.locator(game.includes("Garden") ? ".garden-board" : ".summer-board").first().waitFor();
    for (const [tile, where] of laid) {
      await tab.getByRole("group", { name: "Tiles" }).getByRole("button", { name: tile, exact: true }).click();
      await tab.locator(`[data-key="${where}"]`).click({ position: where.startsWith("display") ? { x: 12, y: 55 } : undefined });
    }
    await playable(tab);
    await picture(tab, `editor-${game.slice(-6)}`);
    await tab.getByRole("button", { name: "Analyse", exact: true }).click();
    await tab.getByRole("button", { name: "Play from here" }).waitFor();
    await tab.locator(".target.lit").first().waitFor();
    await quiet();
  });
}

test("expansions that lie face up are set up by clicks: on display, in the storage, in the garden", async (t) => {
  const { tab, quiet, close } = await openTab(browser, server.base, DESKTOP, "edit");
  t.after(close);
  await tab.getByRole("button", { name: "Azul: Queen's Garden", exact: true }).click();
  await tab.locator(".garden-board").first().waitFor();
  const lay = async (/** @type {string} */ tile, /** @type {string} */ where) => {
    await tab.getByRole("group", { name: "Tiles" }).getByRole("button", { name: tile, exact: true }).click();
    const part = tab.locator(`[data-key="${where}"]`);
    await part.click({ position: where.startsWith("display") ? { x: 12, y: 55 } : undefined });
  };
  await tab.getByRole("button", { name: "One more on display" }).click();
  await tab.getByLabel("Stack, its top included").fill("2");
  for (const tile of ["yellow tree (1)", "yellow bird (2)", "dark purple lily (6)", "light green plant (5)"]) await lay(tile, "display:2");
  await tab.getByRole("button", { name: "As an expansion" }).click();
  await lay("light blue bird (2)", "display:1");
  await lay("dark green tree (1)", "storage@0");
  await lay("light purple flower (4)", "place:23@0");
  await playable(tab);
  for (const name of ["expansion light blue bird (2) at 1", "dark green tree (1) expansion in storage", "area 2, an expansion of light purple flower (4)", "area 2 place 3, light purple flower (4)"]) {
    assert.equal(await tab.locator(`[aria-label="${name}"]`).count(), 1, name);
  }
  await picture(tab, "editor-expansions");
  await tab.getByRole("button", { name: "Analyse", exact: true }).click();
  await tab.getByRole("button", { name: "Play from here" }).waitFor();
  await tab.getByRole("button", { name: /expansion light blue bird \(2\) at 1/ }).waitFor();
  await quiet();
});

test("a record is pasted into the review, and what is none is refused in words", async (t) => {
  const { tab, quiet, close } = await openTab(browser, server.base, DESKTOP);
  t.after(close);
  const course = { game: "azul", players: 2, moves: ["DBBYR/KKWW/BYRK/RRRR/BWWW", "4R4", "5W3"] };
  const record = { format: "azulejo-game", version: 1, game: "azul", players: 2, agents: ["human", "greedy"], seed: 1, index: 0, moves: course.moves, scores: [0, 0], wins: [0.5, 0.5], end: "truncated" };
  const field = tab.getByLabel("Record, one line of JSON");
  const review = tab.locator("form").filter({ has: field }).getByRole("button", { name: "Review", exact: true });
  await field.fill("no record");
  await review.click({ noWaitAfter: true });
  await tab.getByRole("alert").waitFor();
  assert.doesNotMatch(tab.url(), /#.review/);
  await field.fill(`${JSON.stringify(record)}\n`);
  await review.click();
  await tab.getByRole("button", { name: "Review again" }).waitFor({ timeout: 60000 });
  await tab.getByText("0 / 3").waitFor();
  await tab.getByText("take 4 red from factory 4 to line 4").waitFor();
  assert.equal((await tab.locator(".summary th[scope=row]").first().innerText()).trim(), "human");
  await quiet(/status of 400/);
});

test("a state that is pasted as JSON is completed and analysed; a course, too", async (t) => {
  const { tab, quiet, close } = await openTab(browser, server.base, DESKTOP);
  t.after(close);
  const ask = async (/** @type {string} */ text) => {
    await tab.goto(`${server.base}/#/analyse`);
    await tab.getByLabel("Course or position as JSON").fill(text);
    await tab.getByRole("button", { name: "Analyse", exact: true }).click();
  };
  const board = { score: 0, lines: ["", "", "", "", ""], wall: [".....", ".....", ".....", ".....", "....."], floor: "" };
  await ask(JSON.stringify({ game: "azul", players: 2, round: 1, turn: 0, start: 0, factories: ["BBYR", "", "", "", ""], center: "KK", boards: [board, { ...board, lines: ["", "WW", "", "", ""] }] }));
  await tab.getByRole("button", { name: "take 2 blue from factory 1" }).waitFor();
  assert.equal(await tab.getByRole("group", { name: "line 2, 2 of 2 white" }).count(), 1);
  await ask(JSON.stringify({ game: "azul", players: 2, moves: ["DBBYR/KKWW/BYRK/RRRR/BWWW", "4R4"] }));
  await tab.getByText("2 / 2").waitFor();
  await ask("{");
  await tab.getByRole("alert").getByText(/This is no JSON/).waitFor();
  await quiet();
});
