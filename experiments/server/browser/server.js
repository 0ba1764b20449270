// The program that is checked: started with a folder of its own, in which one run lies.
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const TREE = join(dirname(fileURLToPath(import.meta.url)), "../../..");
const PROGRAM = process.env.AZULEJO ?? join(TREE, "target/debug/azulejo");

/**
 * A file of three games of a run, of which two are judged.
 * @param {string} root
 */
function writeJudged(root) {
  const games = join(root, "first/games.jsonl");
  const lines = readFileSync(games, "utf8").split("\n");
  const judged = ["0", "1"].map((index) => {
    const file = join(root, `judged-${index}`);
    execFileSync(PROGRAM, ["replay", games, "--game-index", index, "--analyze", "mcts:sims=4", "--export", file], { stdio: "ignore" });
    const line = readFileSync(file, "utf8");
    rmSync(file);
    return line;
  });
  writeFileSync(join(root, "judged.jsonl"), `${judged.join("")}${lines[2]}\n`);
}

/**
 * Starts `azulejo serve`; with AZULEJO_PAGE set, takes the server at that address instead.
 * @param {{games?: number, judged?: boolean}} wanted how many games the run has, and whether there is a file of judged ones
 */
export async function startServer({ games = 2, judged = false } = {}) {
  if (process.env.AZULEJO_PAGE) return { base: process.env.AZULEJO_PAGE, root: "", stop: () => {} };
  const root = mkdtempSync(join(tmpdir(), "azulejo-page-"));
  execFileSync(PROGRAM, ["selfplay", "--game", "azul", "--players", "2", "--games", String(games), "--seed", "1", "--quiet", "--out", join(root, "first"), "random"]);
  if (judged) writeJudged(root);
  const program = spawn(PROGRAM, ["serve", "--port", "0", "--root", root], { stdio: ["ignore", "pipe", "inherit"] });
  const stop = () => {
    program.kill("SIGINT");
    rmSync(root, { recursive: true, force: true });
  };
  const base = await new Promise((resolve, reject) => {
    let said = "";
    program.stdout.on("data", (data) => {
      said += data;
      const address = /http:\/\/[\d.]+:\d+/.exec(said);
      if (address) resolve(address[0]);
    });
    program.on("exit", (code) => reject(new Error(`serve ended with ${code} before it named its address`)));
  });
  return { base, root, stop };
}
