import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { dist } from "../support/dist.ts";

export const root = dirname(dist);

/** Installs the package from its tarball in an empty folder, without its optional part: it needs nothing else. */
export function installPackage(folder: string): void {
  const packing = ["pack", "--ignore-scripts", "--silent", "--pack-destination", folder];
  const tarball = execFileSync("npm", packing, { cwd: root, encoding: "utf8" }).trim();
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
  const installing = [
    "install",
    "--offline",
    "--omit=optional",
    "--no-audit",
    "--no-fund",
    "--ignore-scripts",
  ];
  execFileSync("npm", [...installing, join(folder, tarball)], { cwd: folder, stdio: "pipe" });
}

/** The command line of a package that is installed in a folder. */
export function installedCommand(folder: string): string {
  return join(folder, "node_modules/datahub-gitops/dist/cli.js");
}
