import { readFileSync } from "node:fs";
import { packageFile } from "../../files/package-file.ts";
import type { startCatalog } from "../../local-catalog/server.ts";
import { errorCode, errorMessage } from "../../model/text/error-text.ts";
import { RunError } from "../errors.ts";

/** The program of the local catalog, as far as commands use it. */
export interface LocalCatalog {
  readonly startCatalog: typeof startCatalog;
}

/** Loads the local catalog. Throws `RunError` that names what to install where its optional packages are missing. */
export async function loadLocalCatalog(): Promise<LocalCatalog> {
  try {
    return await import("../../local-catalog/server.ts");
  } catch (error) {
    throw isMissing(error) ? new RunError(notInstalled(), "not-installed") : error;
  }
}

// SQLite is a package of its own for each system. npm leaves it out, without a word, where there is none for a system.
function isMissing(error: unknown): boolean {
  const isModule = ["ERR_MODULE_NOT_FOUND", "MODULE_NOT_FOUND"].includes(errorCode(error) ?? "");
  return isModule && errorMessage(error).includes("libsql");
}

function notInstalled(): string {
  const { optionalDependencies } = JSON.parse(readFileSync(packageFile("package.json"), "utf8")) as {
    readonly optionalDependencies: Readonly<Record<string, string>>;
  };
  const packages = Object.entries(optionalDependencies).map((each) => each.join("@"));
  return `the local catalog needs SQLite (libsql), which is not installed; install datahub-gitops without --omit=optional, or add it: npm install --include=optional ${packages.join(" ")}`;
}
