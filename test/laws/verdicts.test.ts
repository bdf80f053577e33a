import fc from "fast-check";
import { expect, test } from "vitest";
import type { Reader } from "../../src/datahub/client.ts";
import { columnFacets, hasKeys, plainFacets } from "../../src/facets/policy-facets.ts";
import type { Facet } from "../../src/facets/facet.ts";
import { kinds } from "../../src/kinds/index.ts";
import type { Kind } from "../../src/kinds/kind.ts";
import type { CatalogPolicy, Judged, Requirement } from "../../src/model/catalog-policy.ts";
import type { Change } from "../../src/model/change.ts";
import type { Urn } from "../../src/model/urn.ts";
import { nothingIgnored } from "../../src/plan/base/ignore.ts";
import type { PolicyResult } from "../../src/plan/policies/judge-policies.ts";
import { refusingProblems } from "../../src/plan/plan.ts";
import { serverSource } from "../../src/sync/read/entity-source.ts";
import {
  evaluateCatalog,
  evaluatePolicies,
  type CurrentPolicies,
} from "../../src/sync/policies/evaluate-policies.ts";
import { counted, runsOf } from "../support/runs.ts";
import { header } from "../support/states.ts";
import { pathsOf } from "../support/values.ts";
import { inCatalog } from "./in-catalog.ts";
import { apply, plan } from "./saved.ts";
import { tallyOf } from "./tally.ts";
import { declaredIn, policyOf, type World, worlds } from "./worlds.ts";

const origin = { file: "catalog/policies.yaml", line: 1, column: 1 };

const common = {
  severity: "error",
  failOn: "introduced",
  conditions: [],
  exclusions: [],
  origin,
} as const;

/** What is asked of the values of a facet, by what it holds. */
function requirementsOf(facet: Facet): readonly Omit<Requirement, "facet">[] {
  const ofSets = facet.set ? [{ max: 1 }] : [];
  const ofOwners = facet.isOwnership ? [{ active: true } as const] : [];
  return [{ present: true }, { present: false }, ...ofSets, ...ofOwners];
}

function policiesAbout(kind: Kind): readonly CatalogPolicy[] {
  const { name } = kind;
  const plain = plainFacets(name).flatMap((facet) => {
    const [path] = hasKeys(facet) ? pathsOf(facet) : [undefined];
    return requirementsOf(facet).map((each, index): CatalogPolicy => ({
      ...common,
      id: `${name} ${facet.name} ${index}`,
      kind: name,
      requirements: [{ facet: facet.name, ...(path && { path }), ...each }],
    }));
  });
  const ofColumns = [...columnFacets(name).values()].flatMap((facet) => {
    const [path] = hasKeys(facet) ? pathsOf(facet).map((each) => each.slice(1)) : [undefined];
    return requirementsOf(facet).map((each, index): CatalogPolicy => ({
      ...common,
      id: `${name} ${facet.name} ${index}`,
      kind: name,
      requirements: [],
      columns: {
        conditions: [],
        exclusions: [],
        requirements: [{ facet: facet.name, ...(path && { path }), ...each }],
      },
    }));
  });
  return [...plain, ...ofColumns];
}

const expressions: readonly CatalogPolicy[] = [
  ["Dataset", "size(asset.data_products) < 2 && asset.owners.all(o, o.active)"],
  ["Dataset", "asset.owners.exists(o, size(o.groups) > 0)"],
  ["User", "size(asset.groups) > 0"],
  ["Group", "size(asset.members) > 0"],
].map(([kind = "", check = ""], index): CatalogPolicy => ({
  ...common,
  id: `expression ${index}`,
  kind,
  requirements: [],
  check,
}));

const all: readonly CatalogPolicy[] = [...kinds.flatMap(policiesAbout), ...expressions];

/** Policies on any facet of any kind. */
const policiesAtHand: fc.Arbitrary<CurrentPolicies> = fc
  .subarray([...all], { minLength: 20, maxLength: 40 })
  .map((policies) => ({
    policies,
    waivers: [],
    declaring: { state: new Map(), rules: [], exempt: new Map(), ignored: nothingIgnored },
    day: "2026-11-24",
  }));

/** A world in which nobody is in a group that is not there: what a plan creates is judged without such members. */
function withoutDangling(world: World): World {
  const isThere = (group: Urn): boolean => world.live.has(group);
  const groupsOf = new Map(
    [...world.groupsOf].map(([of, those]) => [of, new Set([...those].filter(isThere))]),
  );
  return { ...world, groupsOf };
}

const keyOfJudged = ({ urn, column = "" }: Judged): string => `${urn} ${column}`;

/** By policy, of what it is violated, or may be. */
function violatedIn(
  results: readonly PolicyResult[],
  of: (result: PolicyResult) => readonly Judged[],
): Record<string, readonly string[]> {
  return Object.fromEntries(
    results.map((result) => [result.policy.id, of(result).map(keyOfJudged).toSorted()]),
  );
}

async function verdictsIn(
  reader: Reader,
  changes: readonly Change[],
  policies: CurrentPolicies,
): Promise<readonly PolicyResult[]> {
  const source = await serverSource(reader, { conditions: [], values: new Map(), missing: [] }, {});
  return await evaluateCatalog(source, { changes }, policies, {});
}

test(
  "what a plan says of a policy on any facet is what a check of the manifests says, and what the catalog shows after the apply",
  counted,
  async () => {
    const seen = tallyOf("verdicts");
    await fc.assert(
      fc.asyncProperty(worlds.map(withoutDangling), policiesAtHand, async (world, policies) => {
        await inCatalog(world, async (writer) => {
          const made = await plan(
            { state: declaredIn(world), references: [] },
            writer,
            { ...policyOf(world), onConflict: "desired" },
            { header },
          );
          fc.pre(refusingProblems(made).length === 0);
          const { changes } = made;
          const byPlan = await evaluatePolicies(writer, { changes }, policies, {});
          const byCheck = await verdictsIn(writer, changes, policies);
          expect(violatedIn(byPlan, ({ introduced }) => introduced)).toEqual(
            violatedIn(byCheck, ({ introduced }) => introduced),
          );
          expect(violatedIn(byPlan, ({ fixed }) => fixed)).toEqual(violatedIn(byCheck, ({ fixed }) => fixed));
          expect(violatedIn(byCheck, ({ unknown }) => unknown)).toEqual(violatedIn(byCheck, () => []));

          seen.add("worlds");
          for (const { policy, introduced, fixed, existing, passes } of byCheck) {
            seen.add("introduced", introduced.length);
            seen.add("fixed", fixed.length);
            seen.add("existing", existing.length);
            seen.add("passes", passes);
            const [requirement] = [...policy.requirements, ...(policy.columns?.requirements ?? [])];
            seen.add(`on ${requirement?.facet ?? "expressions"}`, introduced.length + fixed.length);
          }
          const { outcomes } = await apply(made, writer);
          fc.pre(outcomes.every(({ status }) => status === "applied"));
          const then = await verdictsIn(writer, [], policies);
          expect(violatedIn(then, ({ existing }) => existing)).toEqual(
            violatedIn(byCheck, ({ introduced, existing }) => [...introduced, ...existing]),
          );
          expect(then.map(({ passes }) => passes)).toEqual(byCheck.map(({ passes }) => passes));
        });
      }),
      { numRuns: runsOf(8) },
    );
    seen.print();
  },
);
