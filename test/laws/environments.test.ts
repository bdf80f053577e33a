import fc from "fast-check";
import { expect, test } from "vitest";
import type { CommitChanges, TreeEntry } from "../../src/git/tree.ts";
import type { PathFilter } from "../../src/manifests/settings/environments.ts";
import { changesWithParts } from "../../src/workflow/scope/environment-files.ts";
import { forAll } from "./law.ts";
import { counted } from "../support/runs.ts";

const paths = ["a", "b", "c"];

const partOf = (drawn: readonly string[]): PathFilter => {
  const own = new Set(drawn);
  return (path) => own.has(path);
};

/** What a commit writes and removes, and its settings where it changes them: `null` where they cannot be used. */
const commits = fc.array(
  fc.record({
    writes: fc.subarray(paths),
    removes: fc.subarray(paths),
    settings: fc.option(fc.option(fc.subarray(paths)), { nil: undefined }),
  }),
  { maxLength: 6 },
);

interface Commit {
  readonly changes: CommitChanges;
  /** All files after it. */
  readonly files: ReadonlyMap<string, TreeEntry>;
}

function lineOf(
  drawn: readonly { writes: readonly string[]; removes: readonly string[] }[],
): readonly Commit[] {
  let files = new Map<string, TreeEntry>();
  return drawn.map(({ writes, removes }, index) => {
    const changed = writes.map((path) => ({ path, type: "file" as const, id: `${index}` }));
    const removed = removes.filter((path) => files.has(path) && !writes.includes(path));
    files = new Map([...files].filter(([path]) => !removed.includes(path)));
    for (const entry of changed) files.set(entry.path, entry);
    return { changes: { commit: `${index}`, changed, removed }, files };
  });
}

test(
  "an environment sees what stands in its files by the settings of each commit, whichever way they came and went",
  counted,
  () => {
    forAll(fc.tuple(fc.subarray(paths), commits), 2000, ([first, drawn]) => {
      const line = lineOf(drawn);
      const turns = drawn.flatMap(({ settings }, index) =>
        settings === undefined
          ? []
          : [[`${index}`, settings === null ? undefined : partOf(settings)] as const],
      );
      const seen = changesWithParts(
        line.map(({ changes }) => changes),
        new Map(turns),
        { part: partOf(first), tree: [] },
      );
      const files = new Map<string, TreeEntry>();
      let part: PathFilter | undefined = partOf(first);
      for (const [index, { changed, removed, declaresNothing }] of seen.entries()) {
        for (const path of removed) files.delete(path);
        for (const entry of changed) files.set(entry.path, entry);
        const settings = drawn[index]?.settings;
        if (settings !== undefined) part = settings === null ? undefined : partOf(settings);
        const own: PathFilter | undefined = part;
        expect(declaresNothing).toBe(own === undefined);
        if (own) {
          const expected = [...(line[index]?.files.values() ?? [])].filter(({ path }) => own(path));
          expect(new Set(files.values())).toEqual(new Set(expected));
        }
      }
    });
  },
);
