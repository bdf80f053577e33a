import type { Urn } from "../../model/urn.ts";
import type { Declared } from "./base.ts";
import { type Ignored, nothingIgnored } from "../adopt/ignore.ts";
import { matcherOf } from "../../text/pattern.ts";

/** The entities whose whole URN matches one of the patterns, with what they declare; `*` stands for any text. */
export function selectTargets<T extends Declared>(declared: T, patterns: readonly string[]): T {
  const matchers = patterns.map(matcherOf);
  const matches = ([urn]: readonly [Urn, unknown]): boolean => matchers.some((matcher) => matcher(urn));
  return narrowed(declared, matches);
}

/** All but the entities that are left alone. */
export function withoutEntities<T extends Declared>(declared: T, ignored: Ignored): T {
  if (ignored === nothingIgnored) return declared;
  const isOurs = ([urn]: readonly [Urn, unknown]): boolean => !ignored.entity(urn);
  return narrowed(declared, isOurs);
}

function narrowed<T extends Declared>(declared: T, belongs: (entry: readonly [Urn, unknown]) => boolean): T {
  return { ...declared, state: new Map([...declared.state].filter(belongs)) };
}
