import { isDefinitionKind } from "../../kinds/index.ts";
import type { Live } from "../../model/live.ts";
import { unreadFault } from "../../model/restricted.ts";
import type { Problem, ProblemOf } from "../../model/problem.ts";
import type { Entity, State } from "../../model/state.ts";
import { leafIn } from "../../model/place.ts";
import type { Ignored } from "../adopt/ignore.ts";
import { textsIn } from "../diff/values.ts";

/** What is declared and is not there, or could not be read: one problem an entity, at the place that declares it. */
export function liveProblems(entities: readonly Entity[], live: Live): readonly Problem[] {
  return entities.flatMap((entity) => problemOf(entity, readFailure(entity, live) ?? absence(entity, live)));
}

/** What base declared and could not be read; absence is not a problem. Without a place, which would be in an earlier commit. */
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
  return error === undefined ? undefined : unreadFault({ kind, urn, error });
}

function absence({ urn, kind }: Entity, live: Live): Fault {
  const missing = live.missing.get(urn);
  if (missing === undefined || isDefinitionKind(kind)) return undefined;
  return { code: missing === "absent" ? "asset-missing" : "asset-removed", args: { kind, urn } };
}

/** A warning for each declared single value of which the catalog stores several: only the first is compared, a change replaces all. */
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
