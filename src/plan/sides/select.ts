import type { State } from "../../model/state.ts";
import type { Urn } from "../../model/urn.ts";
import { type Ignored, nothingIgnored } from "../adopt/ignore.ts";
import { matcherOf } from "../../text/pattern.ts";

/** Says of a URN whether it matches one of the patterns as a whole; `*` stands for any text. */
export function matching(patterns: readonly string[]): (urn: Urn) => boolean {
  const matchers = patterns.map(matcherOf);
  return (urn) => matchers.some((matches) => matches(urn));
}

/** All but the entities that are left alone. */
export function withoutEntities(state: State, ignored: Ignored): State {
  if (ignored === nothingIgnored) return state;
  return new Map([...state].filter(([urn]) => !ignored.entity(urn)));
}
