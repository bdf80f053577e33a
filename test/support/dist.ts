import { join } from "node:path";

/** What the build makes. A plugin of Vitest builds it, where a source is newer, before tests can import this. */
export const dist = join(import.meta.dirname, "../../dist");

/** The command line as it is installed. */
export const cli = join(dist, "cli.js");
