import type { State } from "../model/state.ts";

/** The entities whose whole URN matches one of the patterns; `*` stands for any text. */
export function selectTargets(desired: State, patterns: readonly string[]): State {
  const matchers = patterns.map(
    (pattern) => new RegExp(`^${pattern.split("*").map(escapeRegExp).join(".*")}$`, "s"),
  );
  return new Map([...desired].filter(([urn]) => matchers.some((matcher) => matcher.test(urn))));
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
