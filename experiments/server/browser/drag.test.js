// Tiles dragged to where they go, by mouse and by finger; what is let go elsewhere stays where it was.
import assert from "node:assert/strict";
import { deflateRawSync } from "node:zlib";
import { after, before, test } from "node:test";
import { startServer } from "./server.js";
import { DESKTOP, PHONE, openBrowser, openTab, picture } from "./tab.js";
import { beginGame } from "./player.js";

/** @typedef {import("playwright-core").Page} Page */
/** @typedef {{x: number, y: number}} Point */

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

/** The middle of the first part whose key begins so. @param {Page} tab @param {string} key @returns {Promise<Point>} */
async function middle(tab, key) {
  const part = tab.locator(`[data-key^="${key}"]`).first();
  await part.scrollIntoViewIfNeeded();
  const box = await part.boundingBox();
  assert.ok(box, `no part ${key}`);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** @param {Page} tab */
const moves = (tab) => tab.locator(".moves > li:not(.round-head)").count();

/** @param {Page} tab @param {number} count */
const waitForMoves = (tab, count) => tab.waitForFunction((n) => document.querySelectorAll(".moves > li:not(.round-head)").length >= n, count);

/** The first key that is lit and begins so. @param {Page} tab @param {string} start */
const litKey = async (tab, start) => (await tab.locator(`.target.lit[data-key^="${start}"]`).first().getAttribute("data-key")) ?? "";

/** Drags with the mouse; `seen` looks while the tile is held. @param {Page} tab @param {Point} from @param {Point} to @param {() => Promise<void>} [seen] */
async function byMouse(tab, from, to, seen) {
  await tab.mouse.move(from.x, from.y);
  await tab.mouse.down();
  await tab.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 4 });
  await tab.mouse.move(to.x, to.y, { steps: 4 });
  await seen?.();
  await tab.mouse.up();
}

/** Drags with a finger. @param {Page} tab @param {Point} from @param {Point} to */
async function byFinger(tab, from, to) {
  const session = await tab.context().newCDPSession(tab);
  const touch = (/** @type {"touchStart" | "touchMove" | "touchEnd"} */ type, /** @type {Point[]} */ touchPoints) => session.send("Input.dispatchTouchEvent", { type, touchPoints });
  await touch("touchStart", [from]);
  for (let i = 1; i <= 6; i++) await touch("touchMove", [{ x: from.x + ((to.x - from.x) * i) / 6, y: from.y + ((to.y - from.y) * i) / 6 }]);
  await touch("touchEnd", []);
  await session.detach();
}

test("Azul: a group is dragged to a line by mouse; let go elsewhere it stays, and nothing is chosen", async (t) => {
  const { tab, quiet, close } = await openTab(browser, server.base, DESKTOP);
  t.after(close);
  await beginGame(tab, "Azul", 2);
  const key = await litKey(tab, "from:");
  const before = await moves(tab);
  const nowhere = await middle(tab, "wall:11@1");
  await byMouse(tab, await middle(tab, key), nowhere, async () => {
    await tab.locator(".dragged").waitFor();
    assert.equal(await tab.locator('.target.lit[data-key^="to:"]').count(), 6, "not all lines are lit");
    assert.equal(await tab.locator(".target.lit").count(), 6, "something else is lit");
    await picture(tab, "dragged");
  });
  await tab.locator(".dragged").waitFor({ state: "detached" });
  assert.deepEqual([await moves(tab), await tab.locator(".chosen").count()], [before, 0]);
  await byMouse(tab, await middle(tab, key), { x: 5, y: 5 });
  assert.deepEqual([await moves(tab), await tab.locator(".chosen").count()], [before, 0]);
  await byMouse(tab, await middle(tab, key), await middle(tab, "to:5@0"));
  await waitForMoves(tab, before + 1);
  assert.match(await tab.locator(".moves > li:not(.round-head)").nth(before).innerText(), /^take .* to line 5$/);
  await quiet();
});

test("Azul on a phone: a finger drags, and a tap still chooses", async (t) => {
  const { tab, quiet, close } = await openTab(browser, server.base, PHONE);
  t.after(close);
  await beginGame(tab, "Azul", 2);
  const key = await litKey(tab, "from:");
  const before = await moves(tab);
  const scrolled = await tab.evaluate(() => scrollY);
  await byFinger(tab, await middle(tab, key), await middle(tab, "to:5@0"));
  await waitForMoves(tab, before + 1);
  assert.equal(await tab.evaluate(() => scrollY), scrolled, "the page has moved");
  await tab.locator(".target.lit").first().waitFor();
  const tile = await middle(tab, await litKey(tab, "from:"));
  await tab.touchscreen.tap(tile.x, tile.y);
  await tab.locator(".chosen").first().waitFor();
  await quiet();
});

test("Summer Pavilion: tiles are dragged to the own board", async (t) => {
  const { tab, quiet, close } = await openTab(browser, server.base, DESKTOP);
  t.after(close);
  await beginGame(tab, "Azul: Summer Pavilion", 2);
  const key = await litKey(tab, "from:");
  const before = await moves(tab);
  await byMouse(tab, await middle(tab, key), await middle(tab, "slot:C1@1"));
  assert.equal(await moves(tab), before, "it went to another player's board");
  await byMouse(tab, await middle(tab, await litKey(tab, "from:")), await middle(tab, "slot:C1@0"));
  await waitForMoves(tab, before + 1);
  await quiet();
});

test("Queen's Garden: a tile is taken to the storage, and from there to a place, by dragging", async (t) => {
  // A deal with a tile that costs nothing but itself.
  const course = { game: "queens-garden", players: 2, moves: ["FY1,B2,L3,P1"] };
  const { tab, quiet, close } = await openTab(browser, server.base, DESKTOP, `new/${deflateRawSync(JSON.stringify({ course })).toString("base64url")}`);
  t.after(close);
  await tab.getByLabel("Bot of seat 2").selectOption("random");
  await tab.getByRole("button", { name: "Play", exact: true }).click();
  await tab.locator('[data-key="shown:1.Y1"]').waitFor();
  const before = await moves(tab);
  await byMouse(tab, await middle(tab, "shown:1.Y1"), await middle(tab, "storage@0"));
  await tab.locator(".chosen").first().waitFor();
  assert.equal(await moves(tab), before, "color or pattern is to be chosen yet");
  await tab.locator(".choice[data-key^=acquire]").first().click();
  await waitForMoves(tab, before + 2);
  await tab.locator('.target.lit[data-key^="storage:"]').first().waitFor();
  const now = await moves(tab);
  const tile = await middle(tab, await litKey(tab, "storage:"));
  await byMouse(tab, tile, { x: 5, y: 5 }, () => tab.locator('.target.lit[data-key^="place:"]').first().waitFor());
  assert.equal(await moves(tab), now, "a tile that was let go nowhere was placed");
  await byMouse(tab, tile, await middle(tab, "place:01@0"), async () => {
    await tab.locator('.target.lit[data-key^="place:"]').first().waitFor();
    const place = await middle(tab, await litKey(tab, "place:"));
    await tab.mouse.move(place.x, place.y);
  });
  await waitForMoves(tab, now + 2);
  assert.ok(await tab.locator('[data-key^="place:"] .tile').count(), "no tile lies in the garden");
  await quiet();
});
