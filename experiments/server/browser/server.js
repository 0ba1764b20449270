// The program that is checked: started with a folder of its own, in which one run lies.
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const TREE = join(dirname(fileURLToPath(import.meta.url)), "../../..");
const PROGRAM = process.env.AZULEJO ?? join(TREE, "target/debug/azulejo");

/** Starts `azulejo serve`; with AZULEJO_PAGE set, takes the server at that address instead. */
export async function startServer() {
  if (process.env.AZULEJO_PAGE) return { base: process.env.AZULEJO_PAGE, root: "", stop: () => {} };
  const root = mkdtempSync(join(tmpdir(), "azulejo-page-"));
  execFileSync(PROGRAM, ["selfplay", "--game", "azul", "--players", "2", "--games", "2", "--seed", "1", "--quiet", "--out", join(root, "first"), "random"]);
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
