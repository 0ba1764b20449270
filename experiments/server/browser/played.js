// Games played to the end on the page: all games, 2 to 4 players, by mouse and by keyboard, on a desktop and on a phone.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startServer } from "./server.js";
import { DESKTOP, PHONE, openBrowser, openTab, picture } from "./tab.js";
import { beginGame, dice, playToEnd } from "./player.js";

const WHOLE = Boolean(process.env.WHOLE);
/** The quick selection: each game, each number of players, each hand and each width at least once. */
const FEW = new Set(["Azul 4 mouse phone", "Azul: Summer Pavilion 3 keyboard desktop", "Azul: Queen's Garden 2 mouse desktop"]);

/**
 * Tests that play a game, each with a server and a browser of its own.
 * @param {string} game
 */
export function playAll(game) {
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
  for (const players of [2, 3, 4]) {
    for (const hand of /** @type {const} */ (["mouse", "keyboard"])) {
      for (const [width, size] of /** @type {const} */ ([["desktop", DESKTOP], ["phone", PHONE]])) {
        const name = `${game} ${players} ${hand} ${width}`;
        if (!WHOLE && !FEW.has(name)) continue;
        test(`${name}: a game to the end`, { timeout: 240000 }, async (t) => {
          const { tab, quiet, close } = await openTab(browser, server.base, size);
          t.after(close);
          await beginGame(tab, game, players);
          const steps = await playToEnd(tab, hand, dice(players));
          assert.ok(steps > 8, `only ${steps} choices`);
          await picture(tab, `over-${name.replace(/\W+/g, "-")}`);
          await quiet();
        });
      }
    }
  }
}
