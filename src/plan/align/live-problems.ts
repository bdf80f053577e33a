/** Reports declared entities that are missing or unreadable. */

import { isDefinitionKind } from "../../kinds/index.ts";
import type { Live } from "../../model/live.ts";
import { readProblem } from "../../model/restricted.ts";
import type { Problem, ProblemOf } from "../../model/problem.ts";
import type { Entity } from "../../model/state.ts";

/** Returns a problem for each missing or unreadable entity, with the position of its declaration. */
export function liveProblems(entities: readonly Entity[], live: Live): readonly Problem[] {
  return entities.flatMap((entity) => problemOf(entity, readFailure(entity, live) ?? absence(entity, live)));
}

/**
 * Returns a problem for each unreadable entity that base declares. A missing entity is not a problem. The problems have no
 * positions, because the positions would refer to an earlier commit.
 */
export function unreadProblems(entities: readonly Entity[], live: Live): readonly Problem[] {
  return entities.flatMap(({ origin: _, ...entity }) => problemOf(entity, readFailure(entity, live)));
}

type Fault = FaultOf<"read-failed" | "restricted"> | FaultOf<"asset-missing" | "asset-removed"> | undefined;

/** A problem without its severity and position. */
type FaultOf<Code extends Problem["code"]> = Pick<ProblemOf<Code>, "code" | "args">;

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
