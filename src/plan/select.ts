import type { DeclaredGroups } from "../model/membership.ts";
import type { State } from "../model/state.ts";
import type { Urn } from "../model/urn.ts";

/** What manifests declare of entities, and of the groups that users are in. */
interface Declared {
  readonly state: State;
  readonly groups: ReadonlyMap<Urn, DeclaredGroups>;
}

/** The entities whose whole URN matches one of the patterns, with what they declare; `*` stands for any text. */
export function selectTargets<T extends Declared>(declared: T, patterns: readonly string[]): T {
  const matchers = patterns.map(
    (pattern) => new RegExp(`^${pattern.split("*").map(escapeRegExp).join(".*")}$`, "s"),
  );
  const matches = ([urn]: readonly [Urn, unknown]): boolean => matchers.some((matcher) => matcher.test(urn));
  return {
    ...declared,
    state: new Map([...declared.state].filter(matches)),
    groups: new Map([...declared.groups].filter(matches)),
  };
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
