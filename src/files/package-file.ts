import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

const root = packageAbove(import.meta.dirname);

/** The path of what this package ships, by its path in the package: the same for the sources and for what is built. */
export function packageFile(path: string): string {
  return join(root, path);
}

function packageAbove(directory: string): string {
  return existsSync(join(directory, "package.json")) ? directory : packageAbove(dirname(directory));
}
