/**
 * Drives the built local catalog with DataHub's official Python client, by its command line and its SDK, and reads
 * back by each side what the other one wrote. Needs Python and its package index, so it is no part of the tests:
 * `npm run test:interop`. A metadata file named by INTEROP_FILE is ingested as well.
 */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const client = "acryl-datahub==1.7.0.17";
const here = fileURLToPath(new URL(".", import.meta.url));
const root = resolve(here, "../..");
const cache = join(root, "node_modules", ".cache", `interop-${client.replace("==", "-")}`);

function fail(message) {
  console.error(message);
  process.exit(1);
}

function run(command, args) {
  const { status, error, stdout, stderr } = spawnSync(command, args, { encoding: "utf8" });
  return { ok: status === 0 && !error, text: `${stdout ?? ""}${stderr ?? ""}${error?.message ?? ""}`.trim() };
}

function findPython() {
  const wanted = "import sys; assert sys.version_info >= (3, 10); print(sys.version.split()[0])";
  for (const command of process.env.PYTHON ? [process.env.PYTHON] : ["python3", "python"]) {
    const { ok, text } = run(command, ["-c", wanted]);
    if (ok) return { command, version: text };
  }
  return fail(
    "There is no Python 3.10 or newer here (python3, or the one that PYTHON names): nothing was checked.",
  );
}

/** The virtual environment with the client, made on the first run. */
function environment(python) {
  const bin = join(cache, process.platform === "win32" ? "Scripts" : "bin");
  const mark = join(cache, "installed");
  if (existsSync(mark)) return bin;
  console.log(`Installing ${client} into ${cache} (some minutes, once) …`);
  rmSync(cache, { recursive: true, force: true });
  const made = run(python, ["-m", "venv", cache]);
  if (!made.ok) fail(`Python cannot make a virtual environment: nothing was checked.\n${made.text}`);
  const installed = run(join(bin, "python"), [
    "-m",
    "pip",
    "install",
    "--quiet",
    "--disable-pip-version-check",
    client,
  ]);
  if (!installed.ok)
    fail(
      `${client} cannot be installed from the Python package index: nothing was checked.\n${installed.text}`,
    );
  writeFileSync(mark, "");
  return bin;
}

/** Starts the built catalog on a free port, and answers when it listens. */
async function serve(dataDir, token) {
  const cli = join(root, "dist", "cli.js");
  if (!existsSync(cli)) fail("There is no dist/cli.js: run `npm run build` first. Nothing was checked.");
  const child = spawn(process.execPath, [cli, "serve", "--port", "0", "--data", dataDir], {
    env: { ...process.env, DATAHUB_GMS_TOKEN: token },
    stdio: ["ignore", "pipe", "inherit"],
  });
  for await (const line of createInterface({ input: child.stdout })) {
    const [, url] = /^Catalog listening on (\S+)/.exec(line) ?? [];
    if (url) return { child, url };
  }
  return fail("The local catalog did not start: nothing was checked.");
}

function checks(python, env) {
  return new Promise((done) => {
    const child = spawn(python, [join(here, "checks.py")], { env, stdio: "inherit" });
    child.once("exit", (code) => done(code ?? 1));
  });
}

const python = findPython();
const bin = environment(python.command);
const scratch = mkdtempSync(join(tmpdir(), "interop-"));
const token = "interop-token";
const { child, url } = await serve(join(scratch, "data"), token);
try {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  console.log(
    `datahub-gitops ${version}, Node ${process.versions.node}, Python ${python.version}, ${client}`,
  );
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith("DATAHUB_"));
  process.exitCode = await checks(join(bin, "python"), {
    ...Object.fromEntries(kept),
    HOME: scratch,
    PYTHONDONTWRITEBYTECODE: "1",
    PYTHONWARNINGS: "ignore",
    INTEROP_SERVE: JSON.stringify([process.execPath, join(root, "dist", "cli.js"), "serve"]),
    INTEROP_MANUAL: join(root, "docs", "local-catalog.md"),
    DATAHUB_GMS_URL: url,
    DATAHUB_GMS_TOKEN: token,
    DATAHUB_TELEMETRY_ENABLED: "false",
    ...(process.env.INTEROP_FILE ? { INTEROP_FILE: resolve(process.env.INTEROP_FILE) } : {}),
  });
} finally {
  child.kill("SIGTERM");
  await new Promise((ended) => child.once("exit", ended));
  rmSync(scratch, { recursive: true, force: true });
}
