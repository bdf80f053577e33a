import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { stringify } from "yaml";
import type { Json, JsonObject } from "../../src/model/json.ts";

/** What a command printed, how it ended, and how long it took. */
export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly seconds: number;
}

/** What the report of an apply says of one operation. */
interface Outcome {
  readonly status: string;
  readonly operation: string;
  readonly urn: string;
  readonly error?: string;
  readonly because?: string;
}

/** An apply that has ended, and its report. */
export interface Applied extends Ran {
  readonly outcomes: readonly Outcome[];
}

/** A repository of manifests in a directory of its own, with the built command line. */
export interface Workspace {
  readonly directory: string;
  /** Writes manifests below `catalog/`, each a list of documents; `undefined` removes one. */
  readonly declare: (files: Readonly<Record<string, readonly JsonObject[] | undefined>>) => void;
  /** Writes the settings: the usual ones, and these. */
  readonly settings: (more: JsonObject) => void;
  readonly read: (file: string) => string;
  readonly write: (file: string, text: string) => void;
  /** Runs a command, and throws where it does not end with one of these codes. */
  readonly run: (argv: readonly string[], ...codes: readonly number[]) => Promise<Ran>;
  /** The JSON that a command prints, which ends with one of these codes. */
  readonly json: (argv: readonly string[], ...codes: readonly number[]) => Promise<JsonObject>;
  /** Commits everything and applies it, however that ends. */
  readonly apply: (...flags: readonly string[]) => Promise<Applied>;
}

/** Where the commands of a run find the server. */
export interface Target {
  readonly address: string;
  readonly token: string | undefined;
  /** For how many milliseconds its reads lag, where it is a replica; 0 by default. */
  readonly readLag?: number;
}

const generous = {
  removals: { max_percent: 100, max_count: 1000 },
  deletes: { max_count: 1000 },
  vanished: { max_percent: 100 },
};

/** Makes a repository in a new directory. `cli` is the built command line. */
export function newWorkspace(
  directory: string,
  cli: string,
  target: Target,
  signal: AbortSignal | undefined,
): Workspace {
  const env = environmentFor(directory, target);
  const pathOf = (file: string): string => join(directory, file);
  const write = (file: string, text: string): void => {
    mkdirSync(dirname(pathOf(file)), { recursive: true });
    writeFileSync(pathOf(file), text);
  };
  const settings = (more: JsonObject): void => {
    const usual = { version: 1, base: "refs/datahub-gitops/applied", guards: generous };
    write("catalog/datahub-gitops.yaml", stringify({ ...usual, ...more }));
  };
  const launch = async (argv: readonly string[]): Promise<Ran> => {
    signal?.throwIfAborted();
    const ran = await ended(process.execPath, [cli, ...argv], { cwd: directory, env });
    if (writing.has(argv[0])) await wait(target.readLag ?? 0);
    return ran;
  };
  const run: Workspace["run"] = async (argv, ...codes) => {
    const ran = await launch(argv);
    if ((codes.length > 0 ? codes : [0]).includes(ran.code ?? -1)) return ran;
    signal?.throwIfAborted();
    throw new Error(`${argv[0]} ended with ${ran.code}: ${said(ran)}`);
  };
  mkdirSync(directory, { recursive: true });
  git(directory, env, "init", "--quiet", "--initial-branch", "main");
  settings({});
  return {
    directory,
    settings,
    write,
    read: (file) => readFileSync(pathOf(file), "utf8"),
    declare: (files) => {
      for (const [name, documents] of Object.entries(files)) {
        const file = join("catalog", name);
        if (documents) write(file, documents.map((each) => stringify(each)).join("---\n"));
        else rmSync(pathOf(file));
      }
    },
    run,
    json: async (argv, ...codes) => JSON.parse((await run(argv, ...codes)).stdout) as JsonObject,
    apply: async (...flags) => {
      git(directory, env, "add", "--all");
      git(directory, env, "commit", "--quiet", "--allow-empty", "--message", "a change");
      const report = pathOf(".git/report.json");
      rmSync(report, { force: true });
      const ran = await launch(["apply", "--auto-approve", "--report", report, ...flags]);
      signal?.throwIfAborted();
      return { ...ran, outcomes: existsSync(report) ? outcomesIn(readFileSync(report, "utf8")) : [] };
    },
  };
}

/** The commands that write: what they wrote is looked at when it can be read. */
const writing: ReadonlySet<string | undefined> = new Set(["apply", "rollback", "user", "group"]);

/** What a command said last: why it ended as it did. */
export function said({ stdout, stderr }: Ran): string {
  return (stderr.trim() || stdout.trim()).slice(-500);
}

function outcomesIn(report: string): readonly Outcome[] {
  const { outcomes } = JSON.parse(report) as { readonly outcomes?: readonly Outcome[] };
  return outcomes ?? [];
}

/** Nothing of how this machine is set up, but for the way to programs and the network. */
function environmentFor(home: string, { address, token }: Target): Readonly<Record<string, string>> {
  const kept =
    /^(?:PATH|TMPDIR|TEMP|TMP|SystemRoot|NODE_EXTRA_CA_CERTS|(?:https?|no)_proxy|DATAHUB_CLIENT_.*)$/i;
  const own = Object.entries(process.env).filter(([name]) => kept.test(name)) as [string, string][];
  return {
    ...Object.fromEntries(own),
    HOME: home,
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CONFIG_SYSTEM: "/dev/null",
    ...Object.fromEntries(["AUTHOR", "COMMITTER"].map((who) => [`GIT_${who}_NAME`, "acceptance"])),
    ...Object.fromEntries(
      ["AUTHOR", "COMMITTER"].map((who) => [`GIT_${who}_EMAIL`, "acceptance@example.com"]),
    ),
    DATAHUB_GMS_URL: address,
    ...(token && { DATAHUB_GMS_TOKEN: token }),
  };
}

function git(cwd: string, env: Readonly<Record<string, string>>, ...args: readonly string[]): void {
  const { status, stderr } = spawnSync("git", args, { cwd, env, encoding: "utf8" });
  if (status !== 0) throw new Error(`git ${args[0]} failed: ${stderr}`);
}

function ended(
  command: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Promise<Ran> {
  const start = performance.now();
  const child = spawn(command, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
  const output = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output.stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (output.stderr += text));
  return new Promise((done, failed) => {
    child.once("error", failed);
    child.once("close", (code) => done({ ...output, code, seconds: (performance.now() - start) / 1000 }));
  });
}

/** A value as JSON of a command holds it. */
export function listAt(value: JsonObject, key: string): readonly JsonObject[] {
  const list: Json | undefined = value[key];
  if (Array.isArray(list)) return list as readonly JsonObject[];
  throw new Error(`the output has no list \`${key}\``);
}
