import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { isJsonObject, type JsonObject } from "../model/json.ts";
import { type Problem, sortProblems } from "../model/problem.ts";
import { displayName, reasonOf } from "./catalog-files.ts";
import { fileText } from "./file-text.ts";
import { errorAt, wholeOf } from "./problem.ts";
import { settingsCheck } from "./schema-check.ts";
import { type Checked, schemaProblems } from "./schema-problems.ts";
import type { Source } from "./source.ts";
import { originIn, placesIn, type Written } from "./written.ts";
import { writtenOf } from "./written-document.ts";
import { yamlDocuments } from "./yaml-documents.ts";

/** What a repository sets for all runs. */
export interface Settings {
  readonly version: 1;
  /** The server that the manifests belong to: only compared, never an address to go to. */
  readonly server?: string;
  /** What is done about declared assets and columns that are gone. */
  readonly missing?: "error" | "skip";
}

export interface SettingsReading {
  readonly settings: Settings;
  readonly problems: readonly Problem[];
}

const defaults: Settings = { version: 1 };

/** Where the settings of a catalog directory stand unless one says otherwise. */
export function defaultSettingsFile(dir: string): string {
  return join(dir, "datahub-gitops.yaml");
}

/** Reads the settings. The default file need not be there; one that was named must. Does not throw. */
export async function readSettings(
  file: string | undefined,
  dir: string,
  { cwd }: { readonly cwd: string },
): Promise<SettingsReading> {
  const path = file === undefined ? defaultSettingsFile(resolve(cwd, dir)) : resolve(cwd, file);
  const name = displayName(path, cwd);
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    const reason = reasonOf(error);
    const optional = file === undefined && (reason === "ENOENT" || reason === "ENOTDIR");
    return {
      settings: defaults,
      problems: optional ? [] : [errorAt(wholeOf(name), "unreadable", { reason })],
    };
  }
  const text = fileText(name, bytes);
  if ("problem" in text) return { settings: defaults, problems: [text.problem] };
  const { settings, problems } = settingsIn(text.source);
  return { settings, problems: sortProblems(problems) };
}

function settingsIn(source: Source): SettingsReading {
  const stream = yamlDocuments(source);
  const problems = [...stream.problems];
  const report = (problem: Problem) => void problems.push(problem);
  const written = stream.documents.flatMap((document) => writtenOf(document, source, report) ?? []);
  const [first, second] = written;
  if (second) problems.push(errorAt(originIn(second, second.rootPlace.value), "several-settings"));
  if (!first) return { settings: defaults, problems: problems.length > 0 ? problems : [empty(source)] };
  if (!isJsonObject(first.root)) {
    const at = originIn(first, first.rootPlace.value);
    return { settings: defaults, problems: [...problems, errorAt(at, "not-settings")] };
  }
  problems.push(...problemsIn(first, first.root));
  return { settings: problems.length > 0 ? defaults : (first.root as unknown as Settings), problems };
}

function empty(source: Source): Problem {
  return errorAt(wholeOf(source.file), "not-settings");
}

function problemsIn(written: Written, value: JsonObject): readonly Problem[] {
  const checked: Checked = {
    written,
    value,
    start: written.rootPlace.value,
    what: "settings",
    unsettable: () => false,
  };
  const found = schemaProblems(checked, settingsCheck(value));
  const server = value["server"];
  const place = placesIn(written, value).get("server");
  if (typeof server !== "string" || server === "" || !place) return found;
  const code = serverFault(server);
  return code === undefined
    ? found
    : [
        ...found,
        errorAt(originIn(written, place.value), code, code === "server-address" ? { text: server } : {}),
      ];
}

// Whatever stands before an `@` may be a password: it is not repeated.
function serverFault(server: string): string | undefined {
  if (server.includes("@")) return "server-credentials";
  if (!URL.canParse(server)) return "server-address";
  return ["http:", "https:"].includes(new URL(server).protocol) ? undefined : "server-address";
}
