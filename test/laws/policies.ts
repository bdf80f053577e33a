import fc from "fast-check";
import type { CatalogPolicy, Waiver } from "../../src/model/catalog-policy.ts";
import { nothingIgnored } from "../../src/plan/base/ignore.ts";
import type { CurrentPolicies } from "../../src/sync/policies/evaluate-policies.ts";

const origin = { file: "catalog/policies.yaml", line: 1, column: 1 };

const common = { severity: "error", failOn: "introduced", conditions: [], exclusions: [], origin } as const;

/** Policies about most of what a plan can do to the entities of a world. */
const policies: readonly CatalogPolicy[] = [
  {
    ...common,
    id: "active",
    kind: "Dataset",
    requirements: [{ facet: "owners", active: true, types: ["TECHNICAL_OWNER"] }],
  },
  {
    ...common,
    id: "any",
    kind: "Dataset",
    failOn: "any",
    conditions: [{ key: "name", patterns: ["a", "b"], origin }],
    requirements: [{ facet: "domain", present: true }],
  },
  {
    ...common,
    id: "check",
    kind: "Dataset",
    requirements: [],
    check: "asset.declared && size(asset.tags) < 2 && asset.owners.all(o, o.active)",
  },
  {
    ...common,
    id: "columns",
    kind: "Dataset",
    requirements: [],
    columns: { conditions: [], exclusions: [], requirements: [{ facet: "columns.tags", present: true }] },
  },
  { ...common, id: "described", kind: "Tag", requirements: [{ facet: "description", present: true }] },
  {
    ...common,
    id: "group",
    severity: "warning",
    kind: "Group",
    requirements: [{ facet: "owners", active: true }],
  },
  { ...common, id: "term", kind: "GlossaryTerm", requirements: [{ facet: "owners", min: 1 }] },
  { ...common, id: "user", kind: "User", requirements: [{ facet: "title", present: true }] },
];

const waivers: fc.Arbitrary<Waiver> = fc
  .record({
    policy: fc.constantFrom(...policies.map(({ id }) => id)),
    pattern: fc.constantFrom("*:1", "*", "urn:li:dataset:*"),
    expires: fc.constantFrom("2026-11-23", "2026-11-24"),
  })
  .map(({ policy, pattern, expires }) => ({
    policy,
    conditions: [{ key: "urn", patterns: [pattern], origin }],
    exclusions: [],
    reason: "Later.",
    expires,
    origin,
  }));

/** Some policies and waivers, and those of the last applied commit. */
export const policiesAtHand: fc.Arbitrary<CurrentPolicies> = fc
  .record({
    now: fc.subarray([...policies], { minLength: 1 }),
    before: fc.option(fc.subarray([...policies]), { nil: undefined }),
    waived: fc.array(waivers, { maxLength: 2 }),
  })
  .map(({ now, before, waived }) => ({
    policies: now,
    waivers: waived,
    ...(before && { base: { policies: before, waivers: [] } }),
    declaring: { state: new Map(), rules: [], exempt: new Map(), ignored: nothingIgnored },
    day: "2026-11-24",
  }));
