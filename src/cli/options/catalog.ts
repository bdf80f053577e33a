/** Finds a command's catalog directory, and defines the help text for its argument. */

import { nearestCatalog } from "../../workflow/scope/nearest-catalog.ts";
import type { Io } from "../io.ts";
import { note } from "../output/messages.ts";
import { defaultDirectory } from "./options.ts";

/** The argument's help text in commands that search for the directory. */
export const catalogHelp =
  "catalog directory (default: the nearest `catalog`, here or in a parent directory)";

/**
 * Returns the given directory, or else the nearest catalog directory, and names the latter on stderr. If there is none, returns the
 * default directory, for messages.
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
