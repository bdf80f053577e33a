import fc from "fast-check";
import { expect, test } from "vitest";
import type {
  CatalogPolicy,
  Matching,
  Policies,
  Requirement,
  Waiver,
} from "../../../src/model/catalog-policy.ts";
import { type FacetValue, scalarOf, setOf } from "../../../src/model/state.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { matchedBy, percentOf, policyJudge } from "../../../src/plan/policies/judge-policies.ts";
import type { People, Subject } from "../../../src/plan/policies/subject.ts";
import { counted, runsOf } from "../../support/runs.ts";
import { addTo } from "./subjects.ts";

const day = "2026-11-24";
const origin = { file: "catalog/policies.yaml", line: 1, column: 1 };

/** What the tests know of a dataset; what is `undefined` could not be read. */
interface World {
  readonly name: string;
  readonly env: string;
  readonly domain: string | null | undefined;
  readonly owners: readonly (readonly [user: string, type: string])[] | undefined;
  readonly tags: readonly string[] | undefined;
  readonly description: string | null | undefined;
  readonly columns: Readonly<Record<string, readonly string[]>> | undefined;
}

type Status = boolean | undefined;

/** A policy, and what it says by the rules of the documentation, written a second time. */
interface Known {
  readonly policy: Omit<CatalogPolicy, "id">;
  readonly matches: (world: World) => Status;
  /** By column, or by an empty text. */
  readonly holds: (world: World, active: ReadonlyMap<string, boolean>) => Readonly<Record<string, Status>>;
}

const base = { severity: "error", kind: "Dataset", failOn: "introduced", exclusions: [], origin } as const;

const prod: Matching["conditions"] = [{ key: "env", patterns: ["PROD"], origin }];

const need = (facet: string, rest: Omit<Requirement, "facet">): Requirement => ({ facet, ...rest });

const both = (...all: readonly Status[]): Status =>
  all.includes(false) ? false : all.includes(undefined) ? undefined : true;

const known: readonly Known[] = [
  {
    policy: { ...base, conditions: prod, requirements: [need("domain", { present: true })] },
    matches: ({ env }) => env === "PROD",
    holds: ({ domain }) => ({ "": domain === undefined ? undefined : domain !== null }),
  },
  {
    policy: {
      ...base,
      conditions: [],
      exclusions: [[{ key: "name", patterns: ["*_tmp"], origin }]],
      requirements: [
        need("domain", { anyOf: ["fin*", "urn:li:domain:ops"] }),
        need("description", { pattern: "??*" }),
      ],
    },
    matches: ({ name }) => !name.endsWith("_tmp"),
    holds: ({ domain, description }) => ({
      "": both(
        domain === undefined ? undefined : domain === "finance" || domain === "ops",
        description === undefined ? undefined : (description ?? "").length >= 2,
      ),
    }),
  },
  {
    policy: {
      ...base,
      conditions: [],
      requirements: [need("owners", { types: ["DATA_STEWARD"], active: true, min: 1 })],
    },
    matches: () => true,
    holds: ({ owners }, active) => {
      const stewards = owners
        ?.filter(([, type]) => type === "DATA_STEWARD")
        .map(([user]) => active.get(user));
      if (!stewards) return { "": undefined };
      return { "": stewards.includes(true) || (stewards.includes(undefined) ? undefined : false) };
    },
  },
  {
    policy: {
      ...base,
      conditions: [{ key: "tags", patterns: ["pii"], origin }],
      requirements: [need("owners", { min: 2 }), need("tags", { noneOf: ["old"] })],
    },
    matches: ({ tags }) => tags?.includes("pii"),
    holds: ({ owners, tags }) => ({
      "": both(owners && owners.length >= 2, tags && !tags.includes("old")),
    }),
  },
  {
    policy: {
      ...base,
      conditions: prod,
      requirements: [],
      columns: {
        conditions: [{ key: "name", patterns: ["*mail*"], origin }],
        exclusions: [],
        requirements: [need("columns.tags", { anyOf: ["pii"] })],
      },
    },
    matches: ({ env }) => env === "PROD",
    holds: ({ columns }) => ({ email: columns && (columns["email"] ?? []).includes("pii") }),
  },
  {
    policy: {
      ...base,
      conditions: [{ key: "domain", patterns: ["finance"], origin }],
      requirements: [],
      check: 'asset.owners.exists(o, o.type == "DATA_STEWARD" && o.active) || "old" in asset.tags',
    },
    matches: ({ domain }) => (domain === undefined ? undefined : domain === "finance"),
    holds: ({ owners, tags }, active) => {
      const isKnown = owners?.every(([user]) => active.has(user));
      if (!owners || !tags || isKnown === false) return { "": undefined };
      const isSteward = owners.some(([user, type]) => type === "DATA_STEWARD" && active.get(user));
      return { "": isSteward || tags.includes("old") };
    },
  },
];

const users = ["ann", "bob", "cyd"] as const;

const readable = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> =>
  fc.oneof({ weight: 9, arbitrary: value }, { weight: 1, arbitrary: fc.constant(undefined) });

const world = (name: string, env: string): fc.Arbitrary<World> =>
  fc.record({
    name: fc.constant(name),
    env: fc.constant(env),
    domain: readable(fc.constantFrom(null, "finance", "ops", "growth")),
    owners: readable(
      fc.subarray(
        users.flatMap((user) => ["DATA_STEWARD", "TECHNICAL_OWNER"].map((type) => [user, type] as const)),
      ),
    ),
    tags: readable(fc.subarray(["pii", "old", "tier-1"])),
    description: readable(fc.constantFrom(null, "x", "An invoice.")),
    columns: readable(fc.record({ id: fc.subarray(["pii"]), email: fc.subarray(["pii", "old"]) })),
  });

const pair = fc
  .tuple(fc.constantFrom("invoices", "invoices_tmp", "orders"), fc.constantFrom("PROD", "DEV"), fc.nat(99))
  .chain(([name, env, number]) =>
    fc.record({
      live: fc.option(world(`${number}.${name}`, env), { nil: undefined, freq: 5 }),
      planned: fc.option(world(`${number}.${name}`, env), { nil: undefined, freq: 5 }),
    }),
  );

const waiver = fc.record({
  policy: fc.constantFrom("p0", "p1", "p2", "p3", "p4", "p5"),
  by: fc.constantFrom("name", "tags"),
  expires: fc.constantFrom("2026-11-23", "2026-11-24", "2027-01-31"),
});

type WaiverSample = typeof waiver extends fc.Arbitrary<infer Each> ? Each : never;

const policiesOf = fc.record({
  chosen: fc.array(fc.nat(known.length - 1), { minLength: known.length, maxLength: known.length }),
  waivers: fc.array(waiver, { maxLength: 3 }),
});

type Sample = typeof policiesOf extends fc.Arbitrary<infer Each> ? Each : never;

const activity = fc.record(Object.fromEntries(users.map((user) => [user, fc.boolean()])), {
  requiredKeys: [],
});

/** Which of the policies have which ids: another choice for base makes policies stricter and looser. */
function policiesIn({ chosen, waivers }: Sample): Policies {
  return {
    policies: chosen.map((index, id) => ({ ...(known[index] as Known).policy, id: `p${id}` })),
    waivers: waivers.map(waiverOf),
  };
}

function waiverOf({ policy, by, expires }: WaiverSample): Waiver {
  const condition =
    by === "name" ? { key: by, patterns: ["*orders"], origin } : { key: by, patterns: ["tier-1"], origin };
  return { policy, conditions: [condition], exclusions: [], reason: "Later.", expires, origin };
}

/** The verdicts of a policy by the rules, as statuses by column. */
function expectedOf(
  { chosen, waivers }: Sample,
  id: number,
  each: World | undefined,
  active: ReadonlyMap<string, boolean>,
): Map<string, string> {
  const { matches, holds } = known[chosen[id] ?? 0] as Known;
  const found = new Map<string, string>();
  if (!each) return found;
  const isMatch = matches(each);
  if (isMatch === false) return found;
  for (const [column, status] of Object.entries(holds(each, active))) {
    const own = waivers.filter(({ policy, expires }) => policy === `p${id}` && expires >= day);
    const waives = new Set(
      own.map(({ by }) => (by === "name" ? each.name.endsWith("orders") : each.tags?.includes("tier-1"))),
    );
    const waived = waives.has(true) ? "waived" : waives.has(undefined) ? "unknown" : "violates";
    const judged = status === true ? "passes" : status === undefined ? "unknown" : waived;
    found.set(column, isMatch === undefined ? "unknown" : judged);
  }
  return found;
}

function urnOf({ name, env }: World): Urn {
  return `urn:li:dataset:(urn:li:dataPlatform:snowflake,${name},${env})` as Urn;
}

function subjectOf(each: World | undefined): Subject | undefined {
  if (!each) return undefined;
  const { name, env, domain, owners, tags, description, columns } = each;
  const facets = new Map<string, FacetValue>();
  if (domain !== undefined) facets.set("domain", scalarOf(domain && `urn:li:domain:${domain}`));
  if (tags) facets.set("tags", setOf(tags.map((tag) => `urn:li:tag:${tag}`)));
  if (description !== undefined) facets.set("description", { ...scalarOf(null), fallback: description });
  if (owners) {
    const members = owners.map(([user, type]) => ({
      owner: `urn:li:corpuser:${user}`,
      type: `urn:li:ownershipType:__system__${type.toLowerCase()}`,
    }));
    facets.set("owners", setOf(members));
  }
  if (columns) {
    const entries = Object.entries(columns).map(
      ([column, own]) => [column, setOf(own.map((tag) => `urn:li:tag:${tag}`))] as const,
    );
    facets.set("columns.tags", { shape: "map", entries: new Map(entries) });
  }
  const fields = ["id", "email"].map((path) => ({ path, name: path, nativeType: "VARCHAR" }));
  const asset = {
    urn: urnOf(each),
    kind: "Dataset",
    name,
    env,
    platform: "snowflake",
    containers: [],
    subtypes: [],
  };
  return { asset: { ...asset, columns: fields }, facets, isDeclared: true };
}

function peopleOf(active: ReadonlyMap<string, boolean>): People {
  return new Map(
    [...active].map(([user, isActive]) => [`urn:li:corpuser:${user}` as Urn, { isActive, groups: [] }]),
  );
}

const runs = runsOf(240);

test(
  "what is introduced, fixed, existing, waived and unknown follows from the rules, and is all that matches",
  counted,
  () => {
    const samples = fc.record({
      now: policiesOf,
      before: fc.option(policiesOf, { nil: undefined }),
      pairs: fc.array(pair, { maxLength: 12 }),
      active: fc.tuple(activity, activity),
    });
    fc.assert(
      fc.property(samples, ({ now, before, pairs, active }) => {
        const [activeLive, activePlanned] = active.map(
          (each) => new Map(Object.entries(each as Record<string, boolean>)),
        );
        const [live, planned] = [activeLive ?? new Map(), activePlanned ?? new Map()];
        const judge = policyJudge(policiesIn(now), { base: before && policiesIn(before), day });
        for (const each of pairs) {
          addTo(
            judge,
            { live: subjectOf(each.live), planned: subjectOf(each.planned) },
            { live: peopleOf(live), planned: peopleOf(planned) },
          );
        }
        for (const [id, result] of judge.results().entries()) {
          const counts = {
            passes: 0,
            introduced: 0,
            fixed: 0,
            existing: 0,
            waived: 0,
            unknown: 0,
            matched: 0,
          };
          for (const each of pairs) {
            const earlier = expectedOf(now, id, each.live, live);
            const earlierByBase = before
              ? expectedOf(before, id, each.live, live)
              : new Map<string, string>();
            const later = expectedOf(now, id, each.planned, planned);
            for (const column of new Set([...earlier.keys(), ...earlierByBase.keys(), ...later.keys()])) {
              const [was, is] = [earlier.get(column), later.get(column)];
              const violated = was === "violates" || earlierByBase.get(column) === "violates";
              if (is !== undefined) counts.matched += 1;
              if ((is === undefined || is === "passes") && violated) counts.fixed += 1;
              if (is === "passes") counts.passes += 1;
              else if (is === "waived") counts.waived += 1;
              else if (is === "unknown" || (is !== undefined && was === "unknown")) counts.unknown += 1;
              else if (is === "violates") counts[was === "violates" ? "existing" : "introduced"] += 1;
            }
          }
          const { passes, introduced, fixed, existing, waived, unknown } = result;
          expect({
            passes,
            introduced: introduced.length,
            fixed: fixed.length,
            existing: existing.length,
            waived: waived.length,
            unknown: unknown.length,
            matched: matchedBy(result),
          }).toEqual(counts);
          const share = counts.matched === 0 ? 1 : counts.passes / counts.matched;
          expect(percentOf(result)).toBeCloseTo(100 * share);
        }
      }),
      { numRuns: runs },
    );
  },
);
