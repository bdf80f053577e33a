import { spawn } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * What one process took, from its start to its end.
 * @typedef {object} Measurement
 * @property {number} seconds
 * @property {number} processor seconds of processor time, with its children's
 * @property {number} bytes the peak of its resident memory
 * @property {string} stdout
 * @property {number} [server] seconds of processor time of the catalog meanwhile
 */

const reportUsage = new URL("report-usage.mjs", import.meta.url).href;

/** The built program. */
export const cli = fileURLToPath(new URL("../../dist/cli.js", import.meta.url));

/**
 * The environment without anything that names a catalog, and then what is given.
 * @param {Record<string, string>} more
 */
export function environment(more = {}) {
  const entries = Object.entries(process.env).filter(([name]) => !name.startsWith("DATAHUB_"));
  return { ...Object.fromEntries(entries), ...more };
}

/**
 * Runs a Node process to its end and measures it. Its output goes to files, so that no reader slows it down.
 * @param {readonly string[]} argv
 * @param {{ cwd: string, env: Record<string, string>, ends?: number }} options `ends` is the exit code that is right
 * @returns {Promise<Measurement>}
 * @throws {Error} with its output, when it ends otherwise
 */
export async function measure(argv, { cwd, env, ends = 0 }) {
  const directory = mkdtempSync(join(tmpdir(), "datahub-gitops-bench-run-"));
  const file = (/** @type {string} */ name) => join(directory, name);
  const outputs = [openSync(file("stdout"), "w"), openSync(file("stderr"), "w")];
  try {
    const started = performance.now();
    const code = await exitOf(["--import", reportUsage, ...argv], {
      cwd,
      env: environment({ ...env, BENCH_USAGE_FILE: file("usage") }),
      stdio: ["ignore", ...outputs],
    });
    const seconds = (performance.now() - started) / 1000;
    const stdout = readFileSync(file("stdout"), "utf8");
    if (code !== ends) {
      const output = `${stdout.slice(-1000)}\n${readFileSync(file("stderr"), "utf8").slice(-1000)}`;
      throw new Error(`${argv.join(" ")} ended with ${code}:\n${output}`);
    }
    const { bytes, processor } = JSON.parse(readFileSync(file("usage"), "utf8"));
    return { seconds, processor: Number(processor), bytes: Number(bytes), stdout };
  } finally {
    for (const output of outputs) closeSync(output);
    rmSync(directory, { recursive: true });
  }
}

/**
 * @param {readonly string[]} argv
 * @param {import("node:child_process").SpawnOptions} options
 * @returns {Promise<number | null>}
 */
function exitOf(argv, options) {
  return new Promise((resolve, reject) => {
    spawn(process.execPath, argv, options).once("error", reject).once("exit", resolve);
  });
}
