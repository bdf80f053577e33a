import type { Urn } from "../model/urn.ts";
import type { Declared } from "./base.ts";
import { matcherOf } from "./pattern.ts";

/** The entities whose whole URN matches one of the patterns, with what they declare; `*` stands for any text. */
export function selectTargets<T extends Declared>(declared: T, patterns: readonly string[]): T {
  const matchers = patterns.map(matcherOf);
  const matches = ([urn]: readonly [Urn, unknown]): boolean => matchers.some((matcher) => matcher(urn));
  return {
    ...declared,
    state: new Map([...declared.state].filter(matches)),
    groups: new Map([...declared.groups].filter(matches)),
  };
}
