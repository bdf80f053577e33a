import { isDefinitionKind } from "../kinds/index.ts";
import type { Live } from "../model/live.ts";
import type { Problem } from "../model/problem.ts";
import type { Entity, State } from "../model/state.ts";

/** What is declared and is not there, or could not be read: one problem an entity, at the place that declares it. */
export function liveProblems(desired: State, live: Live): readonly Problem[] {
  return [...desired.values()].flatMap((entity) => {
    const problem = liveProblem(entity, live);
    return problem
      ? [{ ...problem, severity: "error" as const, ...(entity.origin && { origin: entity.origin }) }]
      : [];
  });
}

function liveProblem({ urn, kind }: Entity, live: Live): Pick<Problem, "code" | "args"> | undefined {
  const error = live.unreadable.get(urn);
  if (error !== undefined) return { code: "read-failed", args: { kind, urn, error } };
  const missing = live.missing.get(urn);
  if (missing === undefined || isDefinitionKind(kind)) return undefined;
  return { code: missing === "absent" ? "asset-missing" : "asset-removed", args: { kind, urn } };
}
