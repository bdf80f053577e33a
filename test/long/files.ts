import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { long } from "../../vitest.config.ts";

const files = readdirSync("test", { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".test.ts"))
  .map((name) => join("test", name).replaceAll("\\", "/"));

/** The files that only `npm run test:long` runs. */
export const longFiles: readonly string[] = files.filter((file) => file.endsWith(long));

/** Where the tag of a test comes from: the other files have no counted test, and are not loaded. */
const importsTag = /"(?:.*\/runs|.*\/law)\.ts"/;

/** The other files that may have tests with a count. */
export const countedFiles: readonly string[] = files.filter(
  (file) => !file.endsWith(long) && importsTag.test(readFileSync(file, "utf8")),
);
