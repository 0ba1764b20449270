// The games of a run in the order of what was lost in them: by records that hold judgements, and by what is judged here.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startServer } from "./server.js";
import { DESKTOP, openBrowser, openTab, picture } from "./tab.js";

/** @type {any} */ let server;
/** @type {any} */ let browser;
before(async () => {
  server = await startServer({ games: 120, judged: true });
  browser = await openBrowser();
});
after(async () => {
  await browser?.close();
  server?.stop();
});

/** The cells of a column of the list of games. @param {import("playwright-core").Page} tab @param {number} column */
const column = async (tab, column) => (await tab.locator(`.games tbody td:nth-child(${column})`).allInnerTexts()).map((text) => text.trim());

/** @param {number[]} numbers */
const falling = (numbers) => numbers.every((number, i) => i === 0 || number <= numbers[i - 1]);

test("games that records have judgements of are sorted by points and by the win", { skip: Boolean(process.env.AZULEJO_PAGE) }, async (t) => {
  const { tab, quiet, close } = await openTab(browser, server.base, DESKTOP, "runs/judged.jsonl");
  t.after(close);
  await tab.locator(".games tbody tr").nth(2).waitFor();
  assert.deepEqual(await column(tab, 1), ["0", "1", "2"]);
  await tab.getByRole("button", { name: "Most points lost", exact: true }).click();
  await tab.waitForFunction(() => document.querySelectorAll(".games tbody tr").length === 2);
  const points = (await column(tab, 4)).map(Number);
  assert.ok(points.every((number) => number > 0) && falling(points), String(points));
  await tab.getByRole("button", { name: "Most wins lost" }).click();
  await tab.locator('th[aria-sort="descending"]').getByText("Wins lost").waitFor();
  const wins = (await column(tab, 5)).map(parseFloat);
  assert.ok(wins.every((number) => number > 0) && falling(wins), String(wins));
  await quiet();
});

test("the games of a run are leafed through, and judged one after the other", { skip: Boolean(process.env.AZULEJO_PAGE), timeout: 120000 }, async (t) => {
  const { tab, quiet, close } = await openTab(browser, server.base, DESKTOP, "runs/first");
  t.after(close);
  await tab.getByText("1 – 50 of 120").waitFor();
  await tab.getByRole("button", { name: "Last page" }).click();
  await tab.getByText("101 – 120 of 120").waitFor();
  // The page's number runs ahead of its games, which the server has to send.
  await tab.waitForFunction(() => document.querySelector(".games tbody td")?.textContent?.trim() === "100");
  assert.deepEqual((await column(tab, 1)).slice(0, 2), ["100", "101"]);
  await tab.getByRole("button", { name: "Most points lost", exact: true }).click();
  await tab.getByText("No game of this run has been judged yet.").waitFor();
  await tab.getByRole("button", { name: "Judge the games" }).click();
  await tab.waitForFunction(() => document.querySelectorAll(".games tbody tr").length >= 2, undefined, { timeout: 90000 });
  await tab.getByRole("button", { name: "Stop judging" }).click();
  await tab.getByRole("button", { name: "Go on judging" }).waitFor();
  const points = (await column(tab, 4)).map(Number);
  assert.ok(points.every((number) => number > 0) && falling(points), String(points));
  await picture(tab, "games-judged");
  await tab.goto(`${server.base}/#/runs`);
  await tab.goto(`${server.base}/#/runs/first`);
  await tab.getByRole("button", { name: "Most points lost", exact: true }).click();
  await tab.locator(".games tbody tr").nth(1).waitFor();
  assert.ok((await column(tab, 1)).length >= points.length, "what was judged is forgotten");
  await tab.getByRole("button", { name: "Review", exact: true }).first().click();
  await tab.getByRole("region", { name: "Review" }).waitFor();
  await quiet();
});
