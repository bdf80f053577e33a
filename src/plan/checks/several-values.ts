/** Reports single-value fields for which the catalog stores several values. */

import type { Live } from "../../model/live.ts";
import { leafIn } from "../../model/place.ts";
import type { ProblemOf } from "../../model/problem.ts";
import type { State } from "../../model/state.ts";
import { isUrn } from "../../model/urn.ts";
import type { Ignored } from "../base/ignore.ts";
import { textsIn } from "../base/values.ts";
import type { Check } from "./check.ts";

/** Checks the single-value fields of the selected entities. */
export const checkSeveralValues: Check = ({ desired, catalog: { live }, policy: { ignored }, part }) =>
  severalValues(desired.state, live, ignored).filter(({ args: { urn } }) => isUrn(urn) && part.has(urn));

/**
 * Returns a warning for each declared single-value field for which the catalog stores several values. Only the first value is
 * compared, but a change replaces all values.
 */
export function severalValues(
  declared: State,
  live: Live,
  ignored: Ignored,
): readonly ProblemOf<"several-values">[] {
  return (live.several ?? []).flatMap(({ urn, facet, values }): readonly ProblemOf<"several-values">[] => {
    const entity = declared.get(urn);
    const value = leafIn(entity, { facet });
    if (!entity || !value || live.missing.has(urn) || ignored.value(urn, facet, values[0] ?? null)) return [];
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
