import type { CatalogPolicy, Waiver } from "../../../src/model/catalog-policy.ts";
import { valueFrom } from "../../../src/model/place.ts";
import type { Asset } from "../../../src/model/rule.ts";
import { type FacetValue, type SetValue, type Leaf, type Member, setOf } from "../../../src/model/state.ts";
import type { Urn } from "../../../src/model/urn.ts";
import type { policyJudge } from "../../../src/plan/policies/judge-policies.ts";
import type { People, Subject } from "../../../src/plan/policies/subject.ts";
import { assetNamed } from "../../support/assets.ts";
import { urn } from "../../support/states.ts";

/** A table with these facets, which documents declare. */
export function subjectOf(
  facets: Readonly<Record<string, FacetValue>>,
  { name = "orders", ...more }: Parameters<typeof assetNamed>[1] = {},
): Subject {
  return { asset: assetNamed(name, more), facets: new Map(Object.entries(facets)), isDeclared: true };
}

/** Judges an entity by all policies. */
export function addTo(
  { each }: ReturnType<typeof policyJudge>,
  ...judged: Parameters<ReturnType<typeof policyJudge>["each"][number]>
): void {
  for (const judgeBy of each) judgeBy(...judged);
}

/** The same where what it is matched by could not be read. */
export function unread({ asset: { urn: own, kind, containers, subtypes } }: Subject): Subject {
  const asset: Asset = { urn: own, kind, containers, subtypes };
  return { asset, isUnread: true, facets: new Map(), isDeclared: false };
}

/** Tags by their ids. */
export function tags(...ids: readonly string[]): SetValue {
  return setOf(ids.map((id) => `urn:li:tag:${id}`));
}

/** A value for each column, or for each list of keys. */
export function byKeys(...leaves: readonly (readonly [path: readonly string[], leaf: Leaf])[]): FacetValue {
  return valueFrom(leaves);
}

/** Owners by what is after `urn:li:` in their URNs, each with the name of a type that DataHub has. */
export function owners(...all: readonly (readonly [owner: string, type: string])[]): FacetValue {
  return setOf(all.map(([owner, type]) => owned(owner, type)));
}

function owned(owner: string, type: string): Member {
  return { owner: `urn:li:${owner}`, type: `urn:li:ownershipType:__system__${type.toLowerCase()}` };
}

/** Users, of whom some are active, and the groups that they are in. */
export function peopleOf(active: Readonly<Record<string, boolean>>, groups: readonly string[] = []): People {
  const urns = groups.map((group) => urn(`urn:li:corpGroup:${group}`));
  return new Map(
    Object.entries(active).map(([id, isActive]): [Urn, { isActive: boolean; groups: readonly Urn[] }] => [
      urn(`urn:li:${id}`),
      { isActive, groups: urns },
    ]),
  );
}

/** A policy of datasets that requires nothing but what is given. */
export function policyOf(id: string, more: Partial<CatalogPolicy> = {}): CatalogPolicy {
  return {
    id,
    severity: "error",
    kind: "Dataset",
    conditions: [],
    exclusions: [],
    requirements: [],
    failOn: "introduced",
    origin: { file: "catalog/policies.yaml", line: 1, column: 1 },
    ...more,
  };
}

/** A waiver of a policy for everything, until the end of the year. */
export function waiverOf(policy: string, more: Partial<Waiver> = {}): Waiver {
  return {
    policy,
    conditions: [],
    exclusions: [],
    reason: "Later.",
    expires: "2026-12-31",
    origin: { file: "catalog/waivers.yaml", line: 2, column: 3 },
    ...more,
  };
}
