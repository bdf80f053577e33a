/** Reads policies and waivers from manifests. */

import type { Kind } from "../../kinds/kind.ts";
import type { Facet } from "../../facets/facet.ts";
import { facetNamed } from "../../facets/index.ts";
import { columnFacets, hasKeys, plainFacets } from "../../facets/policy-facets.ts";
import { appendTo } from "../../model/append.ts";
import type {
  CatalogPolicy,
  ColumnPolicy,
  Matching,
  PolicyCondition,
  Requirement,
} from "../../model/catalog-policy.ts";
import { urnOfId } from "../../model/identifier.ts";
import { isJsonObject, type Json, type JsonObject } from "../../model/json.ts";
import type { Problem } from "../../model/problem.ts";
import { isDay } from "../../model/text/date-text.ts";
import { messageFields } from "../../plan/policies/message.ts";
import { expressionFault } from "../../plan/policies/policy.ts";
import type { Collected } from "../base/collected.ts";
import { exclusionsIn, kindMatched, textsIn } from "../values/match-reading.ts";
import { errorAt } from "../base/problem.ts";
import { regexHints } from "../rules/regex-hints.ts";
import { schemaErrors } from "../schema/schema-check.ts";
import { schemaProblems } from "../schema/schema-problems.ts";
import { originAt, type Root } from "../schema/schema-path.ts";
import { originIn, placesIn, sourceAt, type ParsedDocument } from "../yaml/parsed-document.ts";
import { policyKind, policySchemaName, waiverKind } from "../schema/policy-kinds.ts";
import type { PolicyContent } from "../schema/policy-schema.ts";
import type { RequirementContent } from "../schema/requirement-schema.ts";
import type { WaiverContent } from "../schema/waiver-schema.ts";

/** Reads a policy and collects its problems. Returns whether the policy is valid. */
export function readPolicy(root: Root, collected: Collected): boolean {
  const { document, value } = root;
  const kind = kindMatched(value);
  const errors = schemaErrors(kind ? policySchemaName(kind.name) : policyKind, value);
  appendTo(collected.problems, schemaProblems({ ...root, what: policyKind }, errors));
  if (!kind || errors.length > 0) return false;
  const problems = [...conflictIn(root), ...messageProblems(root), ...checkProblems(root, kind)];
  appendTo(collected.problems, problems);
  if (problems.length > 0) return false;
  appendTo(collected.problems, regexHints(document, value["match"]));
  collected.policies.push(policyOf(root, kind));
  return true;
}

/** Reads a waiver and collects its problems. Returns whether the waiver is valid. */
export function readWaiver(root: Root, collected: Collected): boolean {
  const { document, value } = root;
  const errors = schemaErrors(waiverKind, value);
  appendTo(collected.problems, schemaProblems({ ...root, what: waiverKind }, errors));
  if (errors.length > 0) return false;
  const { policy, match, reason, expires } = value as unknown as WaiverContent;
  if (!isDay(expires)) {
    const origin = originAt(root, ["expires"]);
    collected.problems.push(errorAt(origin, "malformed-day", { field: "expires", text: expires }));
    return false;
  }
  collected.waivers.push({
    policy,
    ...matchingIn(document, match),
    reason,
    expires,
    origin: originIn(document, root.start),
    places: {
      policy: originAt(root, ["policy"]),
      expires: originAt(root, ["expires"]),
    },
  });
  return true;
}

/** Reports a policy that checks both entities and columns, because a policy cannot count both in one total. */
function conflictIn(root: Root): readonly Problem[] {
  const { value } = root;
  const other = ["require", "check"].find((key) => value[key] !== undefined);
  if (value["columns"] === undefined || other === undefined) return [];
  const origin = originAt(root, ["columns"], true);
  return [errorAt(origin, "conflicting-fields", { field: "columns", other })];
}

function messageProblems(root: Root): readonly Problem[] {
  const { message = "" } = root.value as unknown as PolicyContent;
  const named = [...message.matchAll(/\{([a-z_]*)\}/g)].map(([, name = ""]) => name);
  const unknown = named.find((name) => !messageFields.some((field) => field === name));
  if (unknown === undefined) return [];
  const origin = originAt(root, ["message"]);
  const args = {
    field: "message",
    value: `{${unknown}}`,
    allowed: messageFields.map((field) => `{${field}}`),
  };
  return [errorAt(origin, "unknown-value", args)];
}

function checkProblems({ document, value }: Root, kind: Kind): readonly Problem[] {
  const { check } = value as unknown as PolicyContent;
  const place = placesIn(document, value).get("check");
  if (check === undefined || !place) return [];
  const fault = expressionFault(kind.name, check);
  if (!fault) return [];
  // The offset of the fault applies to the source only if the source contains the expression unchanged.
  const inSource = sourceAt(document, place).indexOf(check);
  const at = place.value + (inSource === -1 ? 0 : inSource + fault.at);
  return [errorAt(originIn(document, at), "bad-expression", { field: "check", reason: fault.reason })];
}

/** Facets, keyed by their names in a policy. */
type NamedFacets = ReadonlyMap<string, Facet>;

function policyOf(root: Root, kind: Kind): CatalogPolicy {
  const { document } = root;
  const content = root.value as unknown as PolicyContent;
  const { id, description, severity = "error", match, require = {}, columns } = content;
  const { check, coverage, fail_on: failOn = "introduced", message } = content;
  const facets = new Map(plainFacets(kind.name).map((facet) => [facet.name, facet]));
  return {
    id,
    ...(description !== undefined && { description }),
    severity,
    kind: kind.name,
    ...matchingIn(document, match),
    requirements: requirementsIn(document, require, facets),
    ...(columns && { columns: columnsIn(document, columns, kind) }),
    ...(check !== undefined && {
      check,
      checkOrigin: originAt(root, ["check"], true),
    }),
    ...(coverage && { minPercent: coverage.min_percent }),
    failOn,
    ...(message !== undefined && { message }),
    origin: originIn(document, root.start),
  };
}

function columnsIn(
  document: ParsedDocument,
  { match = {}, require }: NonNullable<PolicyContent["columns"]>,
  { name }: Kind,
): ColumnPolicy {
  const facets = columnFacets(name);
  return {
    ...matchingIn(document, match, facets),
    requirements: requirementsIn(document, require, facets),
  };
}

function matchingIn(document: ParsedDocument, match: JsonObject, facets: NamedFacets = new Map()): Matching {
  return {
    conditions: conditionsIn(document, match, facets),
    exclusions: exclusionsIn(match).map((each) => conditionsIn(document, each, facets)),
  };
}

function conditionsIn(
  document: ParsedDocument,
  match: JsonObject,
  facets: NamedFacets,
): readonly PolicyCondition[] {
  const { kind: _kind, not: _not, ...keys } = match;
  const places = placesIn(document, match);
  return Object.entries(keys).flatMap(([written, value]): readonly PolicyCondition[] => {
    const key = facets.get(written)?.name ?? written;
    const origin = originIn(document, places.get(written)?.key ?? 0);
    if (!isJsonObject(value)) return [{ key, patterns: textsIn(value), origin }];
    return Object.entries(value).map(([each, patterns]) => ({
      key,
      path: [keyMeant(facetNamed(key), each)],
      patterns: textsIn(patterns),
      origin,
    }));
  });
}

function requirementsIn(
  document: ParsedDocument,
  require: JsonObject,
  facets: NamedFacets,
): readonly Requirement[] {
  const places = placesIn(document, require);
  return Object.entries(require).flatMap(([key, written]): readonly Requirement[] => {
    const facet = facets.get(key);
    if (!facet) return [];
    const place = { facet: facet.name, origin: originIn(document, places.get(key)?.key ?? 0) };
    if (!hasKeys(facet)) return [requirementOf(place, written)];
    return Object.entries(isJsonObject(written) ? written : {}).map(([each, below]) =>
      requirementOf({ ...place, path: [keyMeant(facet, each)] }, below),
    );
  });
}

/** Converts a key in a manifest to a facet key: a URN if the facet's keys refer to entities, otherwise the key as written. */
function keyMeant(facet: Facet, written: string): string {
  const { entityType } = (facet.shape === "map" && facet.keys.at(-1)) || {};
  const result = entityType === undefined ? undefined : urnOfId(entityType, written);
  return result && "urn" in result ? result.urn : written;
}

function requirementOf(place: Requirement, written: Json | undefined): Requirement {
  if (typeof written === "boolean") return { ...place, present: written };
  const {
    type,
    kind,
    any_of: anyOf,
    none_of: noneOf,
    one_of: oneOf,
    ...same
  } = written as RequirementContent;
  return {
    ...place,
    ...same,
    ...(type !== undefined && { types: textsIn(type) }),
    ...(kind && { ownerKind: kind }),
    ...(anyOf && { anyOf }),
    ...(noneOf && { noneOf }),
    ...(oneOf && { oneOf: oneOf.map(String) }),
  };
}
