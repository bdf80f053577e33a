import { columnOf } from "../facets/places.ts";
import { withPrintedPlaces } from "./place-json.ts";
import { type FacetChange, isFacetChange, isSetChange } from "../model/change.ts";
import type { JsonObject } from "../model/json.ts";
import { nameOfRequest } from "../model/operation.ts";
import type { Plan } from "../model/plan.ts";
import type { Outcome, Report } from "../model/report.ts";
import type { Member, Scalar } from "../model/state.ts";
import { sealed } from "../plan/hash.ts";
import { countOutcomes } from "./text/report-text.ts";

/** A plan as JSON, with its problems as JSON, sealed. */
export function planJson({ problems: _, ...plan }: Plan, problems: readonly object[]): object {
  return sealed({ ...withPrintedPlaces(plan), ...(problems.length > 0 && { problems }) });
}

/** A report as JSON, sealed, and so is its plan. */
export function reportJson(
  { plan, outcomes, run, unproved, referencesLeft }: Report,
  problems: readonly object[],
): object {
  return sealed({
    formatVersion: "1",
    ...(run && { run }),
    plan: planJson(plan, problems),
    outcomes: outcomes.map(outcomeJson),
    summary: countOutcomes(outcomes),
    ...(unproved !== undefined && { unproved }),
    ...(referencesLeft && { referencesLeft }),
  });
}

function outcomeJson(outcome: Outcome): JsonObject {
  const { request, changes } = outcome.operation;
  const [change] = changes;
  const facets = changes.flatMap(({ facet }) => facet ?? []);
  const columns = changes.flatMap((each) => columnOf(each) ?? []);
  const removes = changes.filter(isFacetChange).flatMap(removedReferences);
  return {
    status: outcome.status,
    urn: change?.urn,
    facet: change?.facet,
    ...(facets.length > 1 && { facets }),
    column: change && columnOf(change),
    ...(columns.length > 1 && { columns }),
    operation: nameOfRequest(request),
    ...(removes.length > 0 && { removes }),
    error: outcome.status === "failed" ? outcome.error : undefined,
    because: "because" in outcome ? outcome.because : undefined,
    ...("expected" in outcome && { expected: outcome.expected, found: outcome.found }),
  };
}

/** The references to what is deleted that a change removes: the plan has no change for them. */
function removedReferences(change: FacetChange): readonly (Member | Scalar)[] {
  if (!change.isReference) return [];
  return isSetChange(change) ? change.remove : [change.before];
}
