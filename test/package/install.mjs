// Packs the package, installs it in empty folders, with and without its optional parts, and prints sizes, times and what
// works. It needs the npm registry, or what npm has cached, so it is no part of the tests: `npm run test:package`.
import { execFileSync, spawnSync } from "node:child_process";
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const root = dirname(dirname(import.meta.dirname));
const askForVersion = ["--no", "datahub-gitops", "--", "--version"];
const leanLimit = 20_000_000;
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const refusal = { code: 1, text: "install datahub-gitops without --omit=optional" };

const home = mkdtempSync(join(tmpdir(), "datahub-gitops-package-"));
let failures = 0;

try {
  const tarball = packed();
  console.log(`Tarball: ${megabytes(statSync(tarball).size)}`);
  const whole = installed("whole", tarball);
  run(whole.folder, ["plan", "--local"], { code: 0, text: "Plan: 1 to create" });
  run(whole.folder, ["apply", "--local", "--auto-approve"], { code: 0, text: "Applied" });
  run(whole.folder, ["serve", "--port", "0"], { code: 0, text: "Catalog listening on" });
  const lean = installed("without the optional part", tarball, "--omit=optional");
  report(`less than ${megabytes(leanLimit)}`, lean.bytes < leanLimit);
  run(lean.folder, ["plan", "--local"], refusal);
  run(lean.folder, ["serve", "--port", "0"], refusal);
} finally {
  rmSync(home, { recursive: true, force: true });
}
process.exitCode = failures === 0 ? 0 : 1;

function packed() {
  const argv = ["pack", "--ignore-scripts", "--silent", "--pack-destination", home];
  return join(home, execFileSync("npm", argv, { cwd: root, encoding: "utf8" }).trim());
}

/** A new folder with the package and a manifest, which `npx` and `validate` were tried in. */
function installed(what, tarball, ...flags) {
  const folder = join(home, what);
  mkdirSync(join(folder, "catalog"), { recursive: true });
  writeFileSync(join(folder, "catalog/tags.yaml"), "kind: Tag\nid: pii\n");
  writeFileSync(join(folder, "package.json"), "{}");
  const began = performance.now();
  execFileSync("npm", ["install", "--no-audit", "--no-fund", ...flags, tarball], {
    cwd: folder,
    stdio: "pipe",
  });
  const { packages } = JSON.parse(readFileSync(join(folder, "node_modules/.package-lock.json"), "utf8"));
  const bytes = sizeOf(join(folder, "node_modules"));
  console.log(
    `\nInstalled ${what}: ${Object.keys(packages).length} packages, ${megabytes(bytes)}, ${secondsSince(began)}`,
  );
  const { stdout } = spawnSync("npx", askForVersion, {
    cwd: folder,
    encoding: "utf8",
  });
  report("npx datahub-gitops --version", stdout === `${version}\n`);
  run(folder, ["validate"], { code: 0, text: "Valid: 1 document" });
  run(folder, ["init", "new", "--server", "http://127.0.0.1:1", "--yes"], { code: 1, text: "127.0.0.1:1" });
  return { folder, bytes };
}

/** Runs the command that was installed, and compares how it ends. One that serves is ended after some seconds. */
function run(folder, argv, { code, text }) {
  const began = performance.now();
  const { status, stdout, stderr } = spawnSync(join(folder, "node_modules/.bin/datahub-gitops"), argv, {
    cwd: folder,
    encoding: "utf8",
    env: { ...process.env, HOME: folder },
    timeout: 5000,
  });
  const isAsExpected = status === code && `${stdout}${stderr}`.includes(text);
  report(`datahub-gitops ${argv.join(" ")}: ${status}, ${secondsSince(began)}`, isAsExpected);
  if (!isAsExpected) console.log(`${stdout}${stderr}`);
}

function report(what, isTrue) {
  if (!isTrue) failures += 1;
  console.log(`  ${isTrue ? "ok" : "FAILED"}  ${what}`);
}

/** What the files take on disk. */
function sizeOf(folder) {
  const entries = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return entries.reduce((sum, entry) => sum + lstatSync(join(folder, entry)).blocks * 512, 0);
}

function megabytes(bytes) {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

function secondsSince(began) {
  return `${((performance.now() - began) / 1000).toFixed(1)} s`;
}
