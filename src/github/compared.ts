import type { Change } from "../model/change.ts";
import { canonicalJson } from "../model/json.ts";

/** How the changes of a plan differ from those that were reviewed. */
export interface Compared {
  /** Those that nobody reviewed. */
  readonly added: readonly Change[];
  /** Those that were reviewed and are no longer there. */
  readonly gone: readonly Change[];
}

/** Compares changes by all that they do and were computed from. Where they are declared may have moved meanwhile. */
export function compared(changes: readonly Change[], reviewed: readonly Change[]): Compared {
  const [now, before] = [changes, reviewed].map((each) => new Set(each.map(keyOf)));
  return {
    added: changes.filter((change) => !before?.has(keyOf(change))),
    gone: reviewed.filter((change) => !now?.has(keyOf(change))),
  };
}

// What is told of removed values beside them depends on the base, and a pull request may have had another. Older plans have
// no `path`.
function keyOf({ source: _, class: _class, path: _path, ...change }: Change): string {
  return canonicalJson({ ...change, removed: undefined });
}
