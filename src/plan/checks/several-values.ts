import { leafIn } from "../../model/place.ts";
import type { Live } from "../../model/live.ts";
import type { ProblemOf } from "../../model/problem.ts";
import type { State } from "../../model/state.ts";
import type { Ignored } from "../adopt/ignore.ts";
import { textsIn } from "../diff/values.ts";

/**
 * A warning for each declared facet of which the catalog stores several values where there is one here: only the first is
 * compared, and a change replaces all. Where the first is ignored nothing changes, so nothing is said.
 */
export function severalValues(
  declared: State,
  live: Live,
  ignored: Ignored,
): readonly ProblemOf<"several-values">[] {
  return (live.several ?? []).flatMap(({ urn, facet, values }): readonly ProblemOf<"several-values">[] => {
    const entity = declared.get(urn);
    const value = leafIn(entity, { facet });
    if (!entity || !value || ignored.value(urn, facet, values[0] ?? null)) return [];
    return [
      {
        code: "several-values",
        severity: "warning",
        args: { kind: entity.kind, urn, facet, values: values.flatMap(textsIn) },
        ...(value.origin && { origin: value.origin }),
      },
    ];
  });
}
