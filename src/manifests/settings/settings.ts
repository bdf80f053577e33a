import { join, resolve } from "node:path";
import { isJsonObject, type Json, type JsonObject } from "../../model/json.ts";
import type { Origin } from "../../model/origin.ts";
import type { IgnoreRule, LimitsByGuard, Modes } from "../../model/settings.ts";
import { type Problem, sortProblems } from "../../model/problem.ts";
import type { KindName } from "../../model/state.ts";
import { displayName } from "../catalog-files.ts";
import { defaultLimits, type Limits, limitsFrom } from "../../plan/checks/guards/index.ts";
import { errorAt, wholeOf } from "../problem.ts";
import { defaultPruneKinds } from "./settings-fields.ts";
import { settingsProblems } from "./settings-problems.ts";
import { originIn, placesIn, type Written } from "../yaml/written.ts";
import { readYamlFile, type YamlFile } from "../yaml/yaml-file.ts";

/** What is taken from the file as it stands. */
interface Common {
  readonly version: 1;
  /** The server that the manifests belong to: only compared, never an address to go to. */
  readonly server?: string;
  /** What is done about declared assets and columns that are gone. */
  readonly missing?: "error" | "skip";
  /** Modes by facet, and by `groups` for memberships that users declare. */
  readonly manage?: Modes;
  /** The ref of the last applied commit. */
  readonly base?: string;
}

/** What a repository sets for all runs. */
export interface Settings extends Common {
  /** What is left alone, in the order of the file. */
  readonly ignore?: readonly IgnoreRule[];
  /** The limits of the guards, complete. */
  readonly limits: Limits;
  /** Where the text of `base` stands. */
  readonly baseOrigin?: Origin;
  /** What pruning may delete, complete. */
  readonly prune: { readonly kinds: ReadonlySet<KindName> };
}

/** The settings as their schema lets them stand in a file. */
interface SettingsFile extends Common {
  readonly ignore?: readonly IgnoreRule[];
  readonly guards?: LimitsByGuard;
  readonly prune?: { readonly kinds?: readonly KindName[] };
}

export interface SettingsReading {
  readonly settings: Settings;
  readonly problems: readonly Problem[];
}

/** The settings of a repository that sets nothing. */
export const defaultSettings: Settings = {
  version: 1,
  limits: defaultLimits,
  prune: { kinds: new Set(defaultPruneKinds) },
};

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
  const read = readYamlFile({ path, name });
  const isOptional = file === undefined && (read.unreadable === "ENOENT" || read.unreadable === "ENOTDIR");
  if (isOptional) return { settings: defaultSettings, problems: [] };
  const { settings, problems } = settingsIn(name, read);
  return { settings, problems: sortProblems(problems) };
}

function settingsIn(name: string, { documents, problems: broken }: YamlFile): SettingsReading {
  const problems = [...broken];
  const [first, second] = documents;
  if (second) problems.push(errorAt(originIn(second, second.rootPlace.value), "several-settings"));
  if (!first) {
    const empty = errorAt(wholeOf(name), "not-settings");
    return { settings: defaultSettings, problems: problems.length > 0 ? problems : [empty] };
  }
  if (!isJsonObject(first.root)) {
    const at = originIn(first, first.rootPlace.value);
    return { settings: defaultSettings, problems: [...problems, errorAt(at, "not-settings")] };
  }
  problems.push(...settingsProblems(first, first.root));
  return { settings: problems.length > 0 ? defaultSettings : settingsFrom(first, first.root), problems };
}

function settingsFrom(written: Written, root: JsonObject): Settings {
  const { guards, prune, ignore, ...common } = root as unknown as SettingsFile;
  const base = placesIn(written, root).get("base");
  return {
    ...common,
    ...(ignore && { ignore: rulesFrom(written, ignore) }),
    ...(base && { baseOrigin: originIn(written, base.value) }),
    limits: limitsFrom(guards ?? {}),
    prune: { kinds: new Set(prune?.kinds ?? defaultPruneKinds) },
  };
}

function rulesFrom(written: Written, rules: readonly IgnoreRule[]): readonly IgnoreRule[] {
  const places = written.ofList.get(rules as unknown as readonly Json[]) ?? [];
  return rules.map((rule, index) => ({
    ...rule,
    origin: originIn(written, places[index]?.value ?? written.rootPlace.value),
  }));
}
