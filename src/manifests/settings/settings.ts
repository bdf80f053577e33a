/** Reads a repository's settings file. */

import { join, resolve } from "node:path";
import { maxInputBytes, readContainedFile } from "../../files/read-file.ts";
import { appendTo } from "../../model/append.ts";
import { isJsonObject } from "../../model/json.ts";
import { type Problem, sortProblems } from "../../model/problem.ts";
import { defaultLimits } from "../../plan/checks/guards/index.ts";
import { displayName } from "../base/catalog-files.ts";
import { errorAt, fileOrigin } from "../base/problem.ts";
import { originIn } from "../yaml/parsed-document.ts";
import { readYamlFile, type YamlFile, yamlIn } from "../yaml/yaml-file.ts";
import { type Settings, settingsFrom } from "./settings-content.ts";
import { defaultPruneKinds } from "../schema/settings-fields.ts";
import { settingsProblems } from "./settings-problems.ts";

export interface SettingsReading {
  readonly settings: Settings;
  readonly problems: readonly Problem[];
  /** Whether the file defines environments, even if the file has problems. If so, the manifests must not be read as one set. */
  readonly hasEnvironments?: true;
}

/** The settings that apply without a settings file. */
export const defaultSettings: Settings = {
  version: 1,
  limits: defaultLimits,
  prune: { kinds: new Set(defaultPruneKinds), assignments: false },
};

/** Returns the path of a catalog directory's default settings file. */
export function defaultSettingsFile(dir: string): string {
  return join(dir, "datahub-gitops.yaml");
}

/** Reads the settings. The default file is optional, but a file that the user specifies is required. Never throws. */
export async function readSettings(
  file: string | undefined,
  dir: string,
  { cwd }: { readonly cwd: string },
): Promise<SettingsReading> {
  const path = file === undefined ? defaultSettingsFile(resolve(cwd, dir)) : resolve(cwd, file);
  const name = displayName(path, cwd);
  // A file that the user specifies can be anywhere, including outside of a repository.
  const root = file === undefined ? resolve(cwd, dir) : undefined;
  const read = readYamlFile({ path, name }, (at) => readContainedFile(at, maxInputBytes, root));
  const isOptional = file === undefined && (read.unreadable === "ENOENT" || read.unreadable === "ENOTDIR");
  if (isOptional) return { settings: defaultSettings, problems: [] };
  const reading = settingsIn(name, read);
  return { ...reading, problems: sortProblems(reading.problems) };
}

/** Reads settings from the bytes of a file, which can come from any source. `name` is the file name for messages. */
export function readSettingsBytes(name: string, bytes: Buffer): SettingsReading {
  return settingsIn(name, yamlIn(name, bytes));
}

function settingsIn(name: string, { documents, problems: broken }: YamlFile): SettingsReading {
  const problems = [...broken];
  const [first, second] = documents;
  if (second) problems.push(errorAt(originIn(second, second.rootPlace.value), "several-settings", {}));
  if (!first) {
    const empty = errorAt(fileOrigin(name), "not-settings", {});
    return { settings: defaultSettings, problems: problems.length > 0 ? problems : [empty] };
  }
  if (!isJsonObject(first.root)) {
    const at = originIn(first, first.rootPlace.value);
    return { settings: defaultSettings, problems: [...problems, errorAt(at, "not-settings", {})] };
  }
  appendTo(problems, settingsProblems(first, first.root));
  return {
    settings: problems.length > 0 ? defaultSettings : settingsFrom(first, first.root),
    problems,
    ...(first.root["environments"] !== undefined && { hasEnvironments: true }),
  };
}
