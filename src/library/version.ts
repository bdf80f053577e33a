import { readFileSync } from "node:fs";
import { packageFile } from "../files/package-file.ts";

const manifest = JSON.parse(readFileSync(packageFile("package.json"), "utf8")) as {
  readonly version: string;
};

/** The version of this package. */
export const version: string = manifest.version;

/** What plans name as the tool that made them. */
export const tool = `datahub-gitops/${version}`;
