/** Reads the version of this package from `package.json`, and builds the tool's name for plans. */

import { readFileSync } from "node:fs";
import { packageFile } from "../files/package-file.ts";

const manifest = JSON.parse(readFileSync(packageFile("package.json"), "utf8")) as {
  readonly version: string;
};

export const version: string = manifest.version;

/** The tool's name in plans. */
export const tool = `datahub-gitops/${version}`;
