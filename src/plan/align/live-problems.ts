/** Reports declared entities that are missing or unreadable, and single values that are stored several times. */

import { isDefinitionKind } from "../../kinds/index.ts";
import type { Live } from "../../model/live.ts";
import { readProblem } from "../../model/restricted.ts";
import type { Problem, ProblemOf } from "../../model/problem.ts";
import type { Entity, State } from "../../model/state.ts";
import { leafIn } from "../../model/place.ts";
import type { Ignored } from "../base/ignore.ts";
import { textsIn } from "../base/values.ts";

/** Problems for declared entities that are missing or unreadable, one each, at the place that declares it. */
export function liveProblems(entities: readonly Entity[], live: Live): readonly Problem[] {
  return entities.flatMap((entity) => problemOf(entity, readFailure(entity, live) ?? absence(entity, live)));
}

/**
 * Problems for unreadable entities that base declares. Absence is not a problem. They have no place, because it would be in an
 * earlier commit.
 */
export function unreadProblems(entities: readonly Entity[], live: Live): readonly Problem[] {
  return entities.flatMap(({ origin: _, ...entity }) => problemOf(entity, readFailure(entity, live)));
}

type Fault =
  | Pick<ProblemOf<"read-failed" | "restricted">, "code" | "args">
  | Pick<ProblemOf<"asset-missing" | "asset-removed">, "code" | "args">
  | undefined;

function problemOf({ origin }: Entity, fault: Fault): readonly Problem[] {
  return fault ? [{ ...fault, severity: "error", ...(origin && { origin }) }] : [];
}

function readFailure({ urn, kind }: Entity, live: Live): Fault {
  const error = live.unreadable.get(urn);
  return error === undefined ? undefined : readProblem({ kind, urn, error });
}

function absence({ urn, kind }: Entity, live: Live): Fault {
  const missing = live.missing.get(urn);
  if (missing === undefined || isDefinitionKind(kind)) return undefined;
  return { code: missing === "absent" ? "asset-missing" : "asset-removed", args: { kind, urn } };
}

/**
 * A warning for each declared single value that the catalog stores several times. Only the first is compared, and a change replaces
 * all.
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
