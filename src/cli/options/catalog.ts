/** Finds the catalog directory for a command, and defines the help text for the directory argument. */

import { nearestCatalog } from "../../workflow/scope/nearest-catalog.ts";
import type { Io } from "../io.ts";
import { note } from "../output/messages.ts";
import { defaultDirectory } from "./options.ts";

/** The help text for the directory argument of commands that search for the catalog directory. */
export const catalogHelp =
  "catalog directory (default: the nearest `catalog`, here or in a parent directory)";

/**
 * Returns the given directory, if any. Otherwise, finds the nearest catalog directory, and prints a note if it is not the default
 * directory. If none is found, returns the default directory for use in messages.
 */
export function catalogFor(
  given: string | undefined,
  { settings, quiet }: { readonly settings?: string; readonly quiet?: boolean },
  io: Io,
): string {
  if (given !== undefined) return given;
  const name = defaultDirectory;
  const found = nearestCatalog({ cwd: io.cwd, name, hasSettings: settings !== undefined }) ?? name;
  if (found !== name && quiet !== true) note(`Using the catalog directory ${found}`, io);
  return found;
}
