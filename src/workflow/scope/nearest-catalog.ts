/** Finds the catalog directory nearest to the working directory. */

import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { enclosingWorkTree } from "../../files/links.ts";
import { displayName, isHidden, isManifest } from "../../manifests/base/catalog-files.ts";
import { defaultSettingsFile } from "../../manifests/settings/settings.ts";

/** The conditions for finding a catalog directory. */
export interface CatalogSearch {
  readonly cwd: string;
  /** The required name of a catalog directory. */
  readonly name: string;
  /** Whether an option specifies the settings file. If so, a settings file does not make its directory a catalog. */
  readonly hasSettings: boolean;
}

/**
 * Searches from `cwd` up to the root of the repository. Returns a path relative to `cwd`, or `undefined` if there is no catalog.
 */
export function nearestCatalog({ cwd, name, hasSettings }: CatalogSearch): string | undefined {
  const top = enclosingWorkTree(cwd) ?? cwd;
  for (let at = cwd; ; at = dirname(at)) {
    if (!hasSettings && existsSync(defaultSettingsFile(at))) return displayName(at, cwd);
    const below = join(at, name);
    if (existsSync(defaultSettingsFile(below)) || hasManifests(below)) return displayName(below, cwd);
    if (at === top) return undefined;
  }
}

function hasManifests(directory: string): boolean {
  try {
    const entries = readdirSync(directory, { withFileTypes: true }).filter(({ name }) => !isHidden(name));
    return (
      entries.some((entry) => !entry.isDirectory() && isManifest(entry.name)) ||
      entries.some((entry) => entry.isDirectory() && hasManifests(join(directory, entry.name)))
    );
  } catch {
    return false;
  }
}
