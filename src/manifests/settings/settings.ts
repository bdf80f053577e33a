import { join, resolve } from "node:path";
import { mostInput, readContainedFile } from "../../files/read-file.ts";
import { isJsonList, isJsonObject, type JsonObject } from "../../model/json.ts";
import type { Origin } from "../../model/origin.ts";
import type { IgnoreRule, LimitsByGuard, Modes } from "../../model/settings.ts";
import type { Writes } from "../../model/operation.ts";
import { type Problem, sortProblems } from "../../model/problem.ts";
import type { KindName } from "../../model/state.ts";
import { withoutSecrets } from "../../text/address.ts";
import { displayName } from "../catalog-files.ts";
import { defaultLimits, type Limits, limitsFrom } from "../../plan/checks/guards/index.ts";
import { errorAt, wholeOf } from "../problem.ts";
import { defaultPruneKinds } from "./settings-fields.ts";
import { settingsProblems } from "./settings-problems.ts";
import { originIn, placesIn, type ParsedDocument } from "../yaml/parsed-document.ts";
import { readYamlFile, type YamlFile, yamlIn } from "../yaml/yaml-file.ts";

/** The settings that are used as written. */
interface Common {
  readonly version: 1;
  /** The only server that these manifests may be applied to. It is compared, not used as an address. */
  readonly server?: string;
  /** What to do when declared assets or columns do not exist in the catalog. */
  readonly missing?: "error" | "skip";
  /** Whether a conflict is unresolved, or known and accepted; the live value stays in either case. */
  readonly conflicts?: "hold" | "skip";
  /** How the assignments of assets are written: with mutations, or with proposals on the condition that nobody else wrote. */
  readonly writes?: Writes;
  /** Modes by facet, and under `groups` for memberships that users declare. */
  readonly manage?: Modes;
  /** Who is mentioned on GitHub where something changes that a user or group owns, by URN. */
  readonly github?: { readonly mention?: Readonly<Record<string, string>> };
  /** The ref of the last applied commit. */
  readonly base?: string;
}

/** The settings of a repository. */
export interface Settings extends Common {
  /** Values and entities that are left alone, in the order of the file. */
  readonly ignore?: readonly IgnoreRule[];
  /** The limits of the guards, with defaults filled in. */
  readonly limits: Limits;
  /** Where the value of `base` is. */
  readonly baseOrigin?: Origin;
  /** What pruning may delete, with defaults filled in. */
  readonly prune: {
    readonly kinds: ReadonlySet<KindName>;
    /** Whether values that are no longer declared are pruned, too. */
    readonly assignments: boolean;
  };
}

/** The content of a settings file that fits the schema. */
interface SettingsFile extends Common {
  readonly ignore?: readonly IgnoreRule[];
  readonly guards?: LimitsByGuard;
  readonly prune?: { readonly kinds?: readonly KindName[]; readonly assignments?: boolean };
}

export interface SettingsReading {
  readonly settings: Settings;
  readonly problems: readonly Problem[];
}

/** The settings of a repository without a settings file. */
export const defaultSettings: Settings = {
  version: 1,
  limits: defaultLimits,
  prune: { kinds: new Set(defaultPruneKinds), assignments: false },
};

/** The default settings file of a catalog directory. */
export function defaultSettingsFile(dir: string): string {
  return join(dir, "datahub-gitops.yaml");
}

/** Reads the settings. The default file is optional, a named one is required. Does not throw. */
export async function readSettings(
  file: string | undefined,
  dir: string,
  { cwd }: { readonly cwd: string },
): Promise<SettingsReading> {
  const path = file === undefined ? defaultSettingsFile(resolve(cwd, dir)) : resolve(cwd, file);
  const name = displayName(path, cwd);
  // A file that is named may be anywhere, also where there is no repository.
  const root = file === undefined ? resolve(cwd, dir) : undefined;
  const read = readYamlFile({ path, name }, (at) => readContainedFile(at, mostInput, root));
  const isOptional = file === undefined && (read.unreadable === "ENOENT" || read.unreadable === "ENOTDIR");
  if (isOptional) return { settings: defaultSettings, problems: [] };
  const { settings, problems } = settingsIn(name, read);
  return { settings, problems: sortProblems(problems) };
}

/** Reads the settings in the bytes of a file, wherever they come from. `name` is what messages call it. */
export function readSettingsBytes(name: string, bytes: Buffer): SettingsReading {
  return settingsIn(name, yamlIn(name, bytes));
}

function settingsIn(name: string, { documents, problems: broken }: YamlFile): SettingsReading {
  const problems = [...broken];
  const [first, second] = documents;
  if (second) problems.push(errorAt(originIn(second, second.rootPlace.value), "several-settings", {}));
  if (!first) {
    const empty = errorAt(wholeOf(name), "not-settings", {});
    return { settings: defaultSettings, problems: problems.length > 0 ? problems : [empty] };
  }
  if (!isJsonObject(first.root)) {
    const at = originIn(first, first.rootPlace.value);
    return { settings: defaultSettings, problems: [...problems, errorAt(at, "not-settings", {})] };
  }
  problems.push(...settingsProblems(first, first.root));
  return { settings: problems.length > 0 ? defaultSettings : settingsFrom(first, first.root), problems };
}

function settingsFrom(document: ParsedDocument, root: JsonObject): Settings {
  // The schema check has passed, so the content has this type.
  const { guards, prune, ignore, server, ...common } = root as unknown as SettingsFile;
  const base = placesIn(document, root).get("base");
  return {
    ...common,
    // Only compared, and shown.
    ...(server !== undefined && { server: withoutSecrets(server) }),
    ...(ignore && { ignore: rulesFrom(document, root, ignore) }),
    ...(base && { baseOrigin: originIn(document, base.value) }),
    limits: limitsFrom(guards ?? {}),
    prune: {
      kinds: new Set(prune?.kinds ?? defaultPruneKinds),
      assignments: prune?.assignments ?? false,
    },
  };
}

function rulesFrom(
  document: ParsedDocument,
  root: JsonObject,
  rules: readonly IgnoreRule[],
): readonly IgnoreRule[] {
  const { ignore } = root;
  const places = (isJsonList(ignore) && document.listPlaces.get(ignore)) || [];
  return rules.map((rule, index) => ({
    ...rule,
    origin: originIn(document, places[index]?.value ?? document.rootPlace.value),
  }));
}
