import { nearestCatalog } from "../../scope/nearest-catalog.ts";
import type { Io } from "../io.ts";
import { note } from "../output/messages.ts";
import { defaultDirectory } from "./options.ts";

/** The description of the catalog directory, for commands that look for one. */
export const catalogHelp = "catalog directory (default: catalog, here or above in the repository)";

/** The catalog directory that is given, or the nearest one, which is named on stderr, or the default one, for messages. */
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
