/** Reads a saved report, and connects its outcomes to the changes in its plan. */

import { facetsOf } from "../../facets/index.ts";
import { kindOfUrn } from "../../kinds/index.ts";
import { type Change, type FacetChange, isSetChange } from "../../model/change.ts";
import type { JsonObject } from "../../model/json.ts";
import { pathKey, type Place, placeAt } from "../../model/place.ts";
import type { Operation, Request } from "../../model/operation.ts";
import type { Plan } from "../../model/plan.ts";
import type { Outcome, Report, Values } from "../../model/report.ts";
import { type Member, memberKey } from "../../model/state.ts";
import { isUrn } from "../../model/urn.ts";
import { textsIn } from "../../plan/base/values.ts";
import { creationOf } from "../../plan/base/changes.ts";
import { fitting, parseObject, parsePlan, planIn, type SavedFault } from "./saved-plan.ts";
import { isSealValid } from "../../plan/base/hash.ts";
import { type OutcomeJson, reportSchema } from "./report-schema.ts";

/** Reads a plan or report from JSON. Returns a fault if the document was edited. */
export function parseSaved(text: string): { readonly plan: Plan } | { readonly report: Report } | SavedFault {
  const read = parseObject(text);
  if ("fault" in read) return read;
  return read.value["outcomes"] === undefined ? parsePlan(read.value) : reportIn(read.value);
}

function reportIn(value: JsonObject): { readonly report: Report } | SavedFault {
  const fitted = fitting(reportSchema, value);
  if ("fault" in fitted) return fitted;
  if (!isSealValid(value)) return { fault: "edited" };
  const read = planIn(fitted.value.plan);
  if ("fault" in read) return read;
  const { plan } = read;
  const { outcomes: printed, formatVersion: _, summary: _counted, seal: _seal, ...known } = fitted.value;
  const outcomes = printed.flatMap((each, index) => outcomeOf(each, `${index}`, plan) ?? []);
  if (outcomes.length < printed.length) return { fault: "edited" };
  return { report: { ...known, plan, outcomes } };
}

/** Connects an outcome to its changes in the plan. The report contains only the name of the request. */
function outcomeOf(printed: OutcomeJson, id: string, { changes }: Plan): Outcome | undefined {
  const { urn, facet, facets = [facet], column, columns = [column], operation: name, paths } = printed;
  const removes = isList(printed.removes) ? printed.removes : undefined;
  const elements = isList(printed.elements) ? printed.elements : undefined;
  const found = facets.flatMap((each, index) => {
    const own = columns[index] ?? column;
    const place = placeAt(each ?? "", paths?.[index] ?? (own === undefined ? [] : [own]));
    const isAtPlace = (change: Change): boolean =>
      change.urn === urn && change.facet === each && pathKey(change.path) === pathKey(place.path);
    return (
      (removes && removalAt({ urn, ...place }, removes, changes)) ??
      changes.find(isAtPlace) ??
      (each === undefined ? creationIn(changes, urn) : [])
    );
  });
  const [first] = found;
  if (!first || found.length < facets.length) return undefined;
  const request = requestNamed(name, first);
  const parts = elements && partsOf(elements, first);
  const operation: Operation = { id, request, locks: [], after: [], changes: found, ...parts };
  return resultOf(printed, operation);
}

/** Returns an operation's outcome with the fields that its status allows. */
function resultOf(
  { status, error = "", because = "", stored, expected, found }: OutcomeJson,
  operation: Operation,
): Outcome {
  const difference = expected !== undefined && found !== undefined && { expected, found };
  if (status === "applied") return { status, operation, ...(stored !== undefined && { stored }) };
  if (status === "failed") return { status, operation, error, ...difference };
  return status === "skipped"
    ? { status, operation, because }
    : { status, operation, because, ...difference };
}

/** Whether the values are a list. No version of this tool has ever written a single value instead of a list. */
function isList(values: Values | undefined): values is readonly Member[] {
  return Array.isArray(values);
}

/** Returns the elements that a change adds, and the elements that it removes. */
function partsOf(elements: readonly Member[], change: Change): Pick<Operation, "adds" | "removes"> {
  if (!isSetChange(change)) return {};
  const keys = new Set(elements.map(memberKey));
  const isIn = (member: Member): boolean => keys.has(memberKey(member));
  return { adds: change.add.filter(isIn), removes: change.remove.filter(isIn) };
}

/**
 * Returns a change that removes references to deleted entities. Returns `undefined` if the entity's kind does not have the facet.
 */
function removalAt(
  { urn, ...place }: Place & { readonly urn: string },
  removes: readonly Member[],
  changes: readonly Change[],
): FacetChange | undefined {
  if (!isUrn(urn)) return undefined;
  const kind = kindOfUrn(urn)?.name ?? "";
  const facet = facetsOf(kind).find(({ name }) => name === place.facet);
  if (!facet) return undefined;
  const named = new Set([urn, ...removes.flatMap(textsIn)]);
  const source = changes.find((change) => change.action === "delete" && named.has(change.urn))?.source;
  const about = { ...place, urn, action: "update", kind, fingerprint: "", isReference: true } as const;
  const all = { ...about, ...(source && { source }) };
  const [first] = removes;
  if (facet.shape === "scalar") return { ...all, shape: "scalar", before: first ?? null, after: null };
  return { ...all, shape: "set", add: [], remove: removes };
}

/**
 * Returns the change that creates an entity. If the plan lists only the values of the new entity, the change is derived from one
 * of them.
 */
function creationIn(changes: readonly Change[], urn: string): readonly Change[] {
  const created = changes.find((change) => change.urn === urn && change.action === "create");
  return created ? [creationOf(created)] : [];
}

/** Returns the request for a name printed by `nameOfRequest`. */
function requestNamed(name: string, { urn }: Change): Request {
  const [field = "", aspect] = name.split(" ");
  return aspect === undefined
    ? { type: "mutation", field, args: [] }
    : { type: "proposal", urn, aspect, initial: {}, set: {} };
}
