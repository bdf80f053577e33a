import { resolve } from "node:path";
import type { PulledFile } from "../../scope/pull.ts";
import type { Scope } from "../../scope/scope.ts";
import type { Io } from "../io.ts";
import { digestsByPath, pathBelow } from "./export-files.ts";
import { readRecord, writeRecord } from "./export-record.ts";
import { existing } from "./export-run.ts";

/** Writes into the record of the last export what files declare that were written. */
export type Recording = (files: readonly PulledFile[]) => Promise<void>;

/**
 * Prepares to record what a pull writes: then the next export does not take it for an edit. A file that was edited before
 * stays edited. Throws `RunError` where the record cannot be read or written.
 */
export function recordingOf({ desired, repository }: Scope, io: Io): Recording {
  const { cwd, directory } = repository;
  const place = { root: resolve(cwd, directory), cwd, record: readRecord(resolve(cwd, directory)) };
  const before = digestsByPath({ ...place, declarations: [...desired.declarations] });
  return async (files) => {
    const paths = files.map(({ name }) => pathBelow(name, place));
    const known = paths.filter((path) => place.record.get(path) === (before.get(path) ?? ""));
    if (known.length === 0) return;
    const { declarations } = await existing(repository, io);
    const after = digestsByPath({ ...place, declarations: [...declarations] });
    const own = known.flatMap((path): readonly (readonly [string, string])[] => {
      const digest = after.get(path);
      return digest === undefined ? [] : [[path, digest]];
    });
    await writeRecord(place.root, new Map([...place.record, ...own]));
  };
}
