/** Finds files that ship with this package. */

import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

const root = packageAbove(import.meta.dirname);

/** Returns the absolute path of a file in this package. Works both in the source tree and in the built program. */
export function packageFile(path: string): string {
  return join(root, path);
}

function packageAbove(directory: string): string {
  return existsSync(join(directory, "package.json")) ? directory : packageAbove(dirname(directory));
}
