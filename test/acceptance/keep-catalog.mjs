// Runs a local catalog, in a directory of its own, as long as the process lives that started this one: also where that is
// killed.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const [cli = "", ...options] = process.argv.slice(2);
const data = mkdtempSync(join(tmpdir(), "acceptance-catalog-"));
const child = spawn(process.execPath, [cli, "serve", "--port", "0", "--data", data, ...options], {
  stdio: ["ignore", "inherit", "inherit"],
});
process.once("disconnect", () => child.kill());
child.once("exit", () => {
  rmSync(data, { recursive: true, force: true });
  process.exit();
});
