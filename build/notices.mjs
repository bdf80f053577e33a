import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Adds `THIRD-PARTY.txt`: each package that the bundle holds code of, with its version and its licence. */
export function notices() {
  return {
    name: "notices",
    generateBundle(_, bundle) {
      const modules = Object.values(bundle).flatMap(({ moduleIds = [] }) => moduleIds);
      const folders = new Set(
        modules.flatMap((id) => /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(id) ?? []),
      );
      const source = [head, ...[...folders].toSorted().map(noticeOf)].join(`\n${"-".repeat(80)}\n\n`);
      this.emitFile({ type: "asset", fileName: "THIRD-PARTY.txt", source });
    },
  };
}

const head = "The files in this folder hold code of these packages.\n";

function noticeOf(folder) {
  const { name, version, license, author, repository } = JSON.parse(
    readFileSync(join(folder, "package.json"), "utf8"),
  );
  const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
  if (license === undefined) throw new Error(`${name} says nothing of its license`);
  const origin = `The package has no license text. Author: ${author?.name ?? author}, ${repository?.url ?? repository}`;
  const text = file === undefined ? origin : readFileSync(join(folder, file), "utf8").trim();
  return `${name} ${version}, ${license}\n\n${text}\n`;
}
