/** Defines the command `serve`, which runs a local catalog until it is interrupted. */

import { once } from "node:events";
import { join, relative, resolve } from "node:path";
import { Command } from "commander";
import type { CatalogOptions, LoadSummary, RunningCatalog } from "../../local-catalog/server.ts";
import { isUrn } from "../../model/urn.ts";
import { countedText } from "../../report/count.ts";
import { quoted } from "../completion/shell-text.ts";
import { InputError } from "../errors.ts";
import { exitCodes, type ExitCode } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { requireStdout } from "../output/lost-output.ts";
import { progressOf } from "../output/progress.ts";
import { note } from "../output/messages.ts";
import { addExamples } from "../options/examples.ts";
import { numberParser } from "../options/number.ts";
import { defaultDataDirectory } from "../options/options.ts";
import { loadStartCatalog } from "../local-catalog.ts";

interface Options {
  readonly port: number;
  readonly data: string;
  readonly load?: readonly string[];
  readonly strict?: boolean;
  readonly auth: boolean;
  readonly lag: number;
  readonly readLag: number;
  readonly maxBatch?: number;
  readonly alternateValidation?: true;
  readonly float32?: true;
  readonly faults?: string;
  readonly restrict?: readonly string[];
}

const parsePort = numberParser(/^\d+$/, "It must be a number from 0 to 65535, such as 8080.", 65_535);

const parseLag = numberParser(
  /^\d+(\.\d+)?$/,
  "It must be a number of seconds from 0 to 3600, such as 5.",
  3_600,
);

/** Defines the command. Once the catalog is listening, interrupting the command is a normal exit, not an error. */
export function serveCommand(io: Io, done: (code: ExitCode) => void): Command {
  const command = new Command("serve")
    .option("--port <port>", "port on 127.0.0.1; 0 selects a free port", parsePort, 8080)
    .option("--data <dir>", "data directory of the local catalog", defaultDataDirectory)
    .option("--load <file...>", "DataHub metadata files to load first")
    .option("--strict", "reject files with aspects that DataHub does not define")
    .option("--no-auth", "do not require a token")
    .option("--lag <seconds>", "delay before changes appear in searches and relationships", parseLag, 0)
    .option("--read-lag <seconds>", "delay before changes appear in any read, as on a replica", parseLag, 0)
    .option(
      "--max-batch <n>",
      "respond with 504 to requests for more than n entities, as some gateways do",
      numberParser(/^[1-9]\d{0,5}$/, "It must be a whole number greater than 0, such as 20."),
    )
    .option(
      "--alternate-validation",
      "validate proposals before their numbers are converted to doubles, as DataHub's quickstart does",
    )
    .option(
      "--float32",
      "round structured property numbers to 32 bits in mutations, as DataHub releases before August 2026 do",
    )
    .option(
      "--restrict <urn...>",
      "entities that the token is not allowed to view (DataHub's view authorization)",
    )
    .option("--faults <file>", "inject the faults defined in this file, for testing clients");
  return addExamples(command, [
    ["Serve an empty catalog", "serve"],
    ["Serve the demo's sample data", "demo --fill .datahub-gitops/catalog", "serve"],
    ["Use any free port, without a token", "serve --port 0 --no-auth"],
  ]).action(async (options: Options) => {
    await serve(options, io);
    done(exitCodes.done);
  });
}

async function serve(options: Options, io: Io): Promise<void> {
  const faults = await faultsIn(options.faults, io);
  const startCatalog = await loadStartCatalog();
  const token = io.env["DATAHUB_GMS_TOKEN"];
  const dataDir = resolve(io.cwd, options.data);
  let loaded: readonly string[] = [];
  const catalog = await startCatalog({
    dataDir,
    root: io.cwd,
    port: options.port,
    auth: options.auth,
    lag: options.lag,
    readLag: options.readLag,
    ...(options.maxBatch !== undefined && { maxBatch: options.maxBatch }),
    ...(options.alternateValidation && { alternateValidation: true }),
    ...(options.float32 && { float32: true }),
    ...(token && { token }),
    ...(options.restrict && { restrict: restrictedIn(options.restrict) }),
    ...(faults && { faults }),
    first: async (load) => {
      loaded = await loadFiles(load, options, io);
    },
  });
  try {
    io.interrupted.throwIfAborted();
    io.stdout.write(`Catalog listening on ${catalog.url}\n`);
    // A token from the environment is not saved to the token file, so users get the name of the variable instead of the file.
    if (options.auth)
      io.stdout.write(
        token
          ? "The token is the value of DATAHUB_GMS_TOKEN\n"
          : `export DATAHUB_GMS_TOKEN="$(cat ${shellPath(join(dataDir, "token"), io.cwd)})"\n`,
      );
    for (const line of loaded) note(line, io);
    if (faults)
      note(
        `Injecting the faults from ${options.faults}; for the counts of requests and faults, see ${catalog.url}/faults`,
        io,
      );
    requireStdout("the catalog was stopped", io);
    if (!io.interrupted.aborted) await once(io.interrupted, "abort");
  } finally {
    await catalog.close();
  }
}

/** Loads the files passed with `--load`, and returns a summary for each file. */
async function loadFiles(
  load: RunningCatalog["load"],
  { load: files = [], strict: isStrict = false }: Options,
  io: Io,
): Promise<readonly string[]> {
  const notes: string[] = [];
  for (const file of files) {
    io.interrupted.throwIfAborted();
    const progress = progressOf("Loading", io, false);
    const loading = { onProgress: progress.report, isStrict };
    const summary = await load(resolve(io.cwd, file), loading).finally(() => progress.end());
    const { leftOut } = summary;
    notes.push(`Loaded ${file}: ${countsText(summary)}`);
    if (leftOut.size > 0) notes.push(`Skipped in ${file}: ${leftOutText(leftOut)}`);
  }
  return notes;
}

/** Formats the counts for a loaded file, omitting zeros. */
function countsText({ written, unchanged, timeseries, skipped }: LoadSummary): string {
  const others = [
    [unchanged, "unchanged"],
    [timeseries, "timeseries skipped"],
  ] as const;
  return [
    `${countedText(written, "aspect")} written`,
    ...others.flatMap(([number, what]) => (number > 0 ? [`${number} ${what}`] : [])),
    ...(skipped > 0 ? [`${countedText(skipped, "record")} skipped`] : []),
  ].join(", ");
}

/** The maximum number of skipped aspect types to list. */
const maxNamed = 3;

function leftOutText(leftOut: LoadSummary["leftOut"]): string {
  const byCount = [...leftOut].toSorted(([, first], [, second]) => second - first);
  const total = byCount.reduce((sum, [, count]) => sum + count, 0);
  const named = byCount.slice(0, maxNamed).map(([what, count]) => `${what} (${count})`);
  const more = byCount.length > maxNamed ? `, and ${byCount.length - maxNamed} more` : "";
  return `${countedText(total, "aspect")} that DataHub does not define: ${named.join(", ")}${more}; --strict rejects files with such aspects`;
}

/** Parses the URNs passed with `--restrict`. Throws `InputError` for any other value, because it would have no effect. */
function restrictedIn(texts: readonly string[]): ReadonlySet<string> {
  const wrong = texts.find((text) => !isUrn(text));
  if (wrong !== undefined) throw new InputError(`--restrict: ${wrong} is not a URN`);
  return new Set(texts);
}

async function faultsIn(file: string | undefined, io: Io): Promise<CatalogOptions["faults"]> {
  if (file === undefined) return undefined;
  const { readFaults } = await import("../../local-catalog/faults/settings-file.ts");
  const found = readFaults(resolve(io.cwd, file), file);
  if ("problem" in found) throw new InputError(found.problem);
  return found.settings;
}

function shellPath(path: string, cwd: string): string {
  const near = relative(cwd, path);
  const shown = near.startsWith("..") ? path : near;
  return /^[\w./-]+$/.test(shown) ? shown : quoted(shown);
}
