/** Loads the local catalog, which depends on optional packages. */

import { readFileSync } from "node:fs";
import { packageFile } from "../files/package-file.ts";
import type { startCatalog } from "../local-catalog/server.ts";
import { errorCode, errorMessage } from "../model/text/error-text.ts";
import { RunError } from "./errors.ts";

/**
 * Loads the function that starts the local catalog. If its optional packages are missing, throws a `RunError` that lists them.
 */
export async function loadStartCatalog(): Promise<typeof startCatalog> {
  try {
    return (await import("../local-catalog/server.ts")).startCatalog;
  } catch (error) {
    throw isMissing(error) ? new RunError(notInstalled(), "not-installed") : error;
  }
}

// libsql publishes one package for each platform. On unsupported platforms, npm silently skips it, and the import fails.
function isMissing(error: unknown): boolean {
  const isModule = ["ERR_MODULE_NOT_FOUND", "MODULE_NOT_FOUND"].includes(errorCode(error) ?? "");
  return isModule && errorMessage(error).includes("libsql");
}

function notInstalled(): string {
  const { optionalDependencies } = JSON.parse(readFileSync(packageFile("package.json"), "utf8")) as {
    readonly optionalDependencies: Readonly<Record<string, string>>;
  };
  const packages = Object.entries(optionalDependencies).map((each) => each.join("@"));
  return `the local catalog needs SQLite (libsql), which is not installed; install datahub-gitops without --omit=optional, or add it with: npm install --include=optional ${packages.join(" ")}`;
}
