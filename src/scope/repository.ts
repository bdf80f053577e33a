import { resolve } from "node:path";
import { type Desired, readDesired, type ReadingOptions } from "../manifests/desired-state.ts";
import { ignoredValues } from "../manifests/settings/ignored-values.ts";
import { readSettings, type Settings } from "../manifests/settings/settings.ts";
import { type Problem, sortProblems } from "../model/problem.ts";
import { ManifestError } from "../cli/errors.ts";
import type { Io } from "../cli/io.ts";

/** The catalog directory when none is named. */
export const defaultDirectory = "catalog";

/** Reads the settings. Throws `ManifestError` with every problem, the manifests' too, when they are not valid. */
export async function loadSettings(dir: string, file: string | undefined, io: Io): Promise<Settings> {
  const { settings, problems } = await readSettings(file, resolve(io.cwd, dir), { cwd: io.cwd });
  if (hasErrors(problems)) {
    const manifests = await readDesired(resolve(io.cwd, dir), { cwd: io.cwd, settings: file });
    throw new ManifestError(sortProblems([...problems, ...manifests.problems]));
  }
  return settings;
}

/**
 * Reads the manifests, or only some, with warnings for what the settings ignore. Throws `ManifestError` with every
 * problem when one of them is an error.
 */
export async function loadDesired(
  dir: string,
  settingsFile: string | undefined,
  io: Io,
  { ignore = [], only }: Pick<Settings, "ignore"> & Pick<ReadingOptions, "only"> = {},
): Promise<Desired> {
  const desired = await readDesired(resolve(io.cwd, dir), { cwd: io.cwd, settings: settingsFile, only });
  const problems = sortProblems([...desired.problems, ...ignoredValues(desired, ignore)]);
  if (hasErrors(problems)) throw new ManifestError(problems);
  return { ...desired, problems };
}

function hasErrors(problems: readonly Problem[]): boolean {
  return problems.some(({ severity }) => severity === "error");
}
