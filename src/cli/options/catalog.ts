import { nearestCatalog } from "../../scope/nearest-catalog.ts";
import type { Io } from "../io.ts";
import { note } from "../output/messages.ts";
import { defaultDirectory } from "./options.ts";

/** The description of the catalog directory, for commands that look for one. */
export const catalogHelp = "catalog directory (default: catalog, here or above in the repository)";

/**
 * The catalog directory that a command is to use: the one that is given, or else the nearest, and a line on stderr where that
 * is elsewhere. Where there is none it is the default one, so that messages name that.
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
