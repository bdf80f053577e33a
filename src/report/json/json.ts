/** Prints results and explanations as JSON. */

import { columnOf, namedKeys, withNamedKeys } from "../../facets/places.ts";
import type { Explanation } from "../../model/explanation.ts";
import { type Change, type FacetChange, isFacetChange, isSetChange } from "../../model/change.ts";
import { nameOfRequest } from "../../model/operation.ts";
import type { Plan } from "../../model/plan.ts";
import type { Outcome, Report } from "../../model/report.ts";
import { isMember, type Member } from "../../model/state.ts";
import { sealed } from "../../plan/base/hash.ts";
import type { Result, View } from "../document/document.ts";
import { checkJson } from "./check.ts";
import { countOutcomes } from "../document/notes.ts";
import { problemsJson } from "../document/problems.ts";
import { printable } from "../printable.ts";
import { printPlaces } from "../saved/place-json.ts";
import type { PlanJson } from "../saved/plan-schema.ts";
import type { FailureJson, OutcomeJson, ReportJson } from "../saved/report-schema.ts";
import { jsonPieces } from "./pieces.ts";

/** Prints a result as JSON, in pieces. Adds a seal to plans and reports. */
export function printJson(result: Result, { lineOf }: View): Iterable<string> {
  return jsonPieces(jsonOf(result, lineOf));
}

/** Prints an explanation as JSON. Locations and problems have the same format as in plans. */
export function printExplanationJson(
  { problems, facets, ...rest }: Explanation,
  { lineOf }: View,
): Iterable<string> {
  return jsonPieces({ ...rest, facets: facets.map(withNamedKeys), problems: problemsJson(problems, lineOf) });
}

function jsonOf(result: Result, lineOf: View["lineOf"]): object {
  if ("plan" in result) return planJson(result.plan, lineOf);
  if ("drift" in result) return planJson(result.drift, lineOf);
  if ("report" in result) return reportJson(result.report, lineOf);
  if ("check" in result) return checkJson(result.check, lineOf);
  if ("problems" in result)
    return { formatVersion: "1", problems: problemsJson(result.problems, lineOf) } satisfies FailureJson;
  const { code, message } = result.failure;
  return { formatVersion: "1", error: { code, message: printable(message) } } satisfies FailureJson;
}

function planJson({ problems = [], ...plan }: Plan, lineOf: View["lineOf"]): PlanJson {
  return sealed({
    ...printPlaces(plan),
    ...(problems.length > 0 && { problems: problemsJson(problems, lineOf) }),
  });
}

function reportJson(
  { plan, outcomes, run, unproved, referencesLeft }: Report,
  lineOf: View["lineOf"],
): ReportJson {
  return sealed({
    formatVersion: "1",
    ...(run && { run }),
    plan: planJson(plan, lineOf),
    outcomes: outcomes.flatMap(outcomeJson),
    summary: countOutcomes(outcomes),
    ...(unproved !== undefined && { unproved }),
    ...(referencesLeft && { referencesLeft }),
  });
}

function outcomeJson(outcome: Outcome): readonly OutcomeJson[] {
  const { request, changes } = outcome.operation;
  const [change] = changes;
  if (!change) return [];
  const facets = changes.flatMap(({ facet }) => facet ?? []);
  const columns = changes.flatMap((each) => columnOf(each) ?? []);
  const column = columnOf(change);
  const removes = changes.filter(isFacetChange).flatMap(removedReferences);
  return [
    {
      status: outcome.status,
      urn: change.urn,
      ...(change.facet !== undefined && { facet: change.facet }),
      ...(facets.length > 1 && { facets }),
      ...(column !== undefined && { column }),
      ...(columns.length > 1 && { columns }),
      ...(!arePlacedByColumn(changes) && {
        paths: changes.filter(isFacetChange).map(({ path = [] }) => path),
      }),
      operation: nameOfRequest(request),
      ...(removes.length > 0 && { removes }),
      ...elementsOf(outcome),
      ...resultOf(outcome),
    },
  ];
}

/** Returns the fields that depend on an outcome's status. */
function resultOf(outcome: Outcome): Partial<OutcomeJson> {
  if (outcome.status === "skipped") return { because: outcome.because };
  const { status: _, operation: _operation, ...result } = outcome;
  return result;
}

/** For an operation that was not applied, returns the elements that it should have added to its set or removed from the set. */
function elementsOf({ status, operation }: Outcome): Partial<OutcomeJson> {
  const { adds, removes, changes } = operation;
  const [change, ...others] = changes;
  if (status === "applied") return {};
  if (adds || removes) return { elements: [...(adds ?? []), ...(removes ?? [])] };
  if (!change || !isSetChange(change) || others.length > 0) return {};
  return { elements: [...change.add, ...change.remove] };
}

/**
 * Whether the facet and the column identify the location of every change. This is the case if all changes with keys have the same
 * facet, and the column is their only key.
 */
function arePlacedByColumn(changes: readonly Change[]): boolean {
  return changes.every((each) => {
    if (!each.path) return true;
    return namedKeys(each).path === undefined && changes.every(({ facet }) => facet === each.facet);
  });
}

/**
 * If a change removes references to deleted entities, returns these references. The plan itself does not contain such changes.
 */
function removedReferences(change: FacetChange): readonly Member[] {
  if (!change.isReference) return [];
  return isSetChange(change) ? change.remove : [change.before].filter(isMember);
}
