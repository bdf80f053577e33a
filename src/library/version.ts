import { readFileSync } from "node:fs";

const manifest = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as {
  readonly version: string;
};

/** The version of this package. */
export const version: string = manifest.version;

/** What plans name as the tool that made them. */
export const tool = `datahub-gitops/${version}`;
