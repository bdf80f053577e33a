import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";

/** What a folder of tests is about, beside the folder of `src` that has its name. */
const subjects: readonly (readonly [tests: RegExp, about: RegExp])[] = [
  [
    /^test\/(?:laws|places|histories|storms|scenarios)/,
    /^src\/(?:facets|kinds|manifests|model|plan|run|scope)\//,
  ],
  [/^test\/architecture\//, /^src\//],
  [/^test\/cli\//, /^src\/(?:git|run|scope)\//],
  [/^test\/acceptance\//, /^src\/(?:facets|kinds|run|local-catalog)\//],
  [/^test\/storms\//, /^src\/local-catalog\//],
  [/^test\/browser\//, /^src\/(?:page|report\/html)\//],
  [/^test\/editor\//, /^(?:schemas|src\/manifests\/schema)\//],
  [/^test\/workflows\//, /^(?:\.github|examples|src\/github)\/|^action\.yml$/],
  [/^test\/library\//, /^(?:build|examples|src\/cli)\/|^package(?:-lock)?\.json$/],
  [/^test\/docs\//, /^docs\//],
  [
    /^test\/long\//,
    /^CONTRIBUTING\.md$|^src\/(?:facets\/list|kinds\/index|report\/(?:format|printers))|^src\/(?:cli\/commands|plan\/checks\/guards)\//,
  ],
];

/** The test files whose subject one of the changed files is: first those that changed, then all others by chance. */
export function touchedBy(
  changed: readonly string[],
  files: readonly string[],
  seed: string,
): readonly string[] {
  const touched = files.filter((file) => changed.some((path) => isAbout(file, path)));
  const turn = (file: string): string => createHash("sha256").update(`${seed} ${file}`).digest("hex");
  const keyOf = (file: string): string => `${changed.includes(file) ? 0 : 1}${turn(file)}`;
  return touched.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

function isAbout(file: string, changed: string): boolean {
  const [, folder = ""] = /^test\/(.*\/)/.exec(file) ?? [];
  // Of a test in a folder of a folder that changed, too: `src/plan/diff/` is the subject of `test/plan/`, and the other way round.
  const [, source = ""] = /^(?:src|test)\/(.*\/)/.exec(changed) ?? [];
  const isOwn = folder !== "" && source !== "" && (source.startsWith(folder) || folder.startsWith(source));
  return (
    isOwn || file === changed || subjects.some(([tests, about]) => tests.test(file) && about.test(changed))
  );
}

/**
 * The files that the last commits change: those since `CI_BASE`, or else of the last twelve hours before the newest one.
 * All files where no commit is older.
 */
export function changedFiles(): readonly string[] {
  const git = (...argv: readonly string[]): string => execFileSync("git", argv, { encoding: "utf8" }).trim();
  const newest = Number(git("log", "-1", "--format=%ct"));
  const base = process.env["CI_BASE"] ?? git("rev-list", "-1", `--before=${newest - 12 * 60 * 60}`, "HEAD");
  const names = base === "" ? git("ls-files", "-z") : git("diff", "--name-only", "-z", base, "HEAD");
  return names.split("\0").filter((name) => name !== "");
}
