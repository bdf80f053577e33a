/** Defines the types of ids that a shell can complete, and reads these ids from the current manifests. */

import { readDesired } from "../../manifests/documents/desired-state.ts";
import { nameOf } from "../../plan/align/select.ts";
import { nearestCatalog } from "../../workflow/scope/nearest-catalog.ts";
import type { Io } from "../io.ts";
import { defaultDirectory } from "../options/options.ts";

/** The types of ids that a shell can complete. Their names match the placeholders in the help. */
export const idTypes = ["policy", "rule", "entity"] as const;

/** A type of id that a shell can complete. */
export type IdType = (typeof idTypes)[number];

/**
 * Returns the ids from all readable manifests of all environments in the nearest catalog directory. Returns an empty list if
 * there is no such directory.
 */
export async function idsInManifests(
  of: IdType,
  { cwd, interrupted: signal }: Io,
): Promise<readonly string[]> {
  const directory = nearestCatalog({ cwd, name: defaultDirectory, hasSettings: false });
  if (directory === undefined) return [];
  const { policies, rules, state } = await readDesired(directory, { cwd, signal });
  const ids = {
    policy: () => policies.map(({ id }) => id),
    rule: () => rules.map(({ id }) => id),
    entity: () => [...state.keys()].map(nameOf),
  };
  return [...new Set(ids[of]())].toSorted();
}
