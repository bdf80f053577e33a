/** Compares the settings with those in an earlier commit, and keeps the stricter of the old and new limits. */

import { basename, dirname } from "node:path";
import { readRegularFile } from "../../files/read-file.ts";
import { fileAt } from "../../git/tree.ts";
import { forkOf } from "../../git/commit.ts";
import { isSameContent } from "../../git/blob-id.ts";
import { faultOf } from "./fault.ts";
import { defaultSettings, readSettingsBytes } from "../../manifests/settings/settings.ts";
import { canonicalJson, compareText } from "../../model/json.ts";
import type { Settings } from "../../manifests/settings/settings-content.ts";
import type { SettingChange } from "../../model/plan.ts";
import { strictest } from "../../plan/checks/guards/index.ts";

/** The differences between settings, and the settings to use for a plan that changes them. */
export interface SettingsChange {
  /** The current settings, with the stricter of the old and new limits. */
  readonly settings: Settings;
  /** The changes to settings since the merge base of HEAD and the requested ref. */
  readonly settingsChanges: readonly SettingChange[];
  /** The settings at the merge base. */
  readonly settingsBefore: Settings;
}

/**
 * Compares the current settings with those at the merge base of HEAD and a ref. If the earlier settings are missing or invalid,
 * compares with the defaults. Returns `undefined` if the settings are the same.
 */
export async function settingsChange(
  file: string,
  { settings, environment = "" }: { readonly settings: Settings; readonly environment?: string | undefined },
  ref: string,
): Promise<SettingsChange | undefined> {
  const all = await settingsAtFork(file, ref);
  if (!all) return undefined;
  const settingsBefore = all.environments?.get(environment) ?? all;
  const settingsChanges = differences(linesOf(settingsBefore), linesOf(settings));
  if (settingsChanges.length === 0) return undefined;
  const limits = strictest(settingsBefore.limits, settings.limits);
  return { settings: { ...settings, limits }, settingsChanges, settingsBefore };
}

/** Returns the settings at the merge base, or `undefined` if the file is unchanged or git cannot read it. */
async function settingsAtFork(file: string, ref: string): Promise<Settings | undefined> {
  const dir = dirname(file);
  const earlier = await forkOf(dir, ref)
    .then((commit) => fileAt(dir, commit, basename(file)))
    .catch(faultOf);
  if ("fault" in earlier) return undefined;
  const now = bytesOf(file);
  if (!earlier.file) return now ? defaultSettings : undefined;
  if (now && isSameContent(now, earlier.file.entry)) return undefined;
  return readSettingsBytes(file, earlier.file.bytes).settings;
}

function bytesOf(file: string): Buffer | undefined {
  try {
    return readRegularFile(file);
  } catch {
    return undefined;
  }
}

/** Returns the settings as a map of keys to strings. */
function linesOf({
  limits,
  prune,
  manage = {},
  ignore = [],
  paths,
  environments: _environments,
  github: { mention = {} } = {},
  reviewers: { groups = {}, users = {} } = {},
  require = {},
  waivers = {},
  policies = {},
  runs,
  fights = {},
  baseOrigin: _origin,
  version: _version,
  ...single
}: Settings): ReadonlyMap<string, string> {
  const lines: (readonly [string, string | undefined])[] = [
    ...Object.entries(single),
    ["paths", paths?.map(({ pattern }) => pattern).join(", ")],
    ...Object.entries(manage).map(([facet, mode]) => [`manage.${facet}`, mode] as const),
    ...Object.entries(mention).map(([urn, handle]) => [`github.mention ${urn}`, handle] as const),
    ...Object.entries(limits).flatMap(([guard, own]) =>
      Object.entries(own).map(([limit, value]) => [`guards.${guard}.${limit}`, String(value)] as const),
    ),
    ...Object.entries(groups).map(([group, team]) => [`reviewers.groups ${group}`, team] as const),
    ...Object.entries(users).map(([user, login]) => [`reviewers.users ${user}`, login] as const),
    ["require.review", require.review],
    ["policies.strict", policies.strict === undefined ? undefined : String(policies.strict)],
    ["waivers.max_days", waivers.max_days?.toString()],
    ["runs", runs === undefined ? undefined : canonicalJson(runs)],
    ["fights.times", fights.times?.toString()],
    ["fights.within", fights.within],
    ["prune.kinds", [...prune.kinds].toSorted(compareText).join(", ")],
    ["prune.assignments", String(prune.assignments)],
    ...ignore.map(({ origin: _, reason, ...rule }) => [`ignore ${canonicalJson(rule)}`, reason] as const),
  ];
  return new Map(lines.flatMap(([key, value]) => (value === undefined ? [] : [[key, value] as const])));
}

function differences(
  before: ReadonlyMap<string, string>,
  now: ReadonlyMap<string, string>,
): readonly SettingChange[] {
  const keys = [...new Set([...before.keys(), ...now.keys()])].toSorted(compareText);
  return keys
    .filter((key) => before.get(key) !== now.get(key))
    .map((key) => ({ key, before: before.get(key) ?? null, after: now.get(key) ?? null }));
}
