import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createWriter } from "../../src/datahub/client/client.ts";
import { connectionTo } from "../../src/datahub/client/connection.ts";
import { startCatalog } from "../../src/local-catalog/server.ts";
import type { Change } from "../../src/model/change.ts";
import type { Asset, Rule } from "../../src/model/rule.ts";
import {
  type FacetValue,
  memberKey,
  scalarOf,
  setOf,
  type SetValue,
  type State,
} from "../../src/model/state.ts";
import { compareStates } from "../../src/plan/compare.ts";
import { makePlan } from "../../src/plan/plan.ts";
import { defaultPolicy, type Policy } from "../../src/plan/policy.ts";
import { apply, plan } from "../../src/reconcile.ts";
import type { Expanded } from "../../src/rules/expand.ts";
import { toldOf } from "../../src/rules/told.ts";
import { expand } from "../support/assets.ts";
import { metadataFile } from "../support/catalog.ts";
import { header, liveOf } from "../support/states.ts";
import { lawsOf, patience, seeded } from "./law.ts";
import { aspectsOf, type RuleWorld, ruleWorlds } from "./rule-worlds.ts";

const law = lawsOf(fc.record({ world: ruleWorlds, seed: fc.integer(), index: fc.nat() }));

law("the order of rules, documents and assets changes nothing", ({ world, seed }) => {
  const { assets, rules, state } = world;
  const [one, other] = [
    expand(world, assets),
    expand(
      { ...world, rules: shuffled(rules, seed), state: new Map(shuffled([...state], seed)) },
      shuffled(assets, seed),
    ),
  ];

  expect(plain(other.state)).toEqual(plain(one.state));
  expect(told(other, shuffled(rules, seed))).toEqual(told(one, rules));
});

law("a plan with rules is the plan of the documents that they stand for", ({ world }) => {
  const found = expand(world, world.assets);
  if (found.clashes.length > 0) return;

  expect(digestFor(found.state, world.live)).toBe(digestFor(documentsFor(world), world.live));
});

law("two rules clash exactly where their values differ and neither has the higher priority", ({ world }) => {
  const { clashes } = expand(world, world.assets);
  const clashing = world.assets.filter((asset) => isUndecided(world, asset)).map(({ urn }) => urn);

  expect([...new Set(clashes.flatMap(({ urns }) => urns))].toSorted()).toEqual(clashing.toSorted());
});

law("a rule taken back takes back exactly what only it declared", ({ world, index }) => {
  const gone = world.rules[index % Math.max(1, world.rules.length)];
  const [before, now] = [world, { ...world, rules: world.rules.filter((rule) => rule !== gone) }].map(
    (each) => expand(each, world.assets),
  );
  if (!before || !now || before.clashes.length + now.clashes.length > 0) return;
  const live = adopted(before.state, world);
  const { changes } = planUnder(now.state, live, {
    base: before.state,
    modes: { tags: "merge", "columns.tags": "merge", domain: "merge" },
    pruneAssignments: true,
  });

  expect(changes.flatMap(takenBy).toSorted()).toEqual(onlyIn(before.state, now.state, world).toSorted());
});

law("what a rule is said to match is what of the assets it matches", ({ world }) => {
  const { matching } = told(expand(world, world.assets), world.rules);

  for (const { id, matched } of matching) {
    const own = world.assets.filter((asset) => rulesFor(world, asset).some((rule) => rule.id === id));
    expect(matched).toBe(own.length);
  }
});

test(
  "over HTTP a plan of rules is followed by an empty one: what they match does not depend on what they change",
  async () => {
    await fc.assert(
      fc.asyncProperty(ruleWorlds, async (world) => {
        fc.pre(!world.assets.some((asset) => isUndecided(world, asset)));
        const dataDir = mkdtempSync(join(tmpdir(), "datahub-gitops-law-"));
        const catalog = await startCatalog({ dataDir, port: 0, auth: false });
        try {
          await catalog.load(metadataFile(dataDir, aspectsOf(world)));
          const writer = createWriter(connectionTo(catalog.url));
          const rules = { now: world, isLeftAlone: () => false, select: () => undefined };
          const planned = async (): ReturnType<typeof plan> =>
            await plan(world, writer, defaultPolicy, { header, rules });
          const first = await planned();
          const expected = planUnder(expand(world, world.assets).state, bare(world), {});
          expect(first.changes.map(placeOf)).toEqual(expected.changes.map(placeOf));

          const { outcomes } = await apply(first, writer);
          expect(outcomes.filter(({ status }) => status !== "applied")).toEqual([]);
          const second = await planned();
          expect(second.changes).toEqual([]);
          expect(second.rules?.map(({ matched }) => matched)).toEqual(
            first.rules?.map(({ matched }) => matched),
          );
        } finally {
          await catalog.close();
          rmSync(dataDir, { recursive: true, force: true });
        }
      }),
      { numRuns: Number(process.env["HTTP_LAW_RUNS"] ?? 6), ...seeded },
    );
  },
  patience,
);

/** What is said of the rules of a whole plan. */
function told(found: Expanded, rules: readonly Rule[]): ReturnType<typeof toldOf> {
  const { problems, matching } = toldOf(found, rules, {}, false);
  const sorted = problems.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  return { problems: sorted, matching };
}

function planUnder(desired: State, live: State, policy: Partial<Policy>): ReturnType<typeof makePlan> {
  const all = { ...defaultPolicy, ...policy };
  return makePlan(header, compareStates(desired, liveOf(live, desired), all), all);
}

function digestFor(desired: State, live: State): string {
  return planUnder(desired, live, {}).digest;
}

/** A state in an order of its own, as data. */
function plain(state: State): unknown {
  const plainFacet = (value: FacetValue): unknown =>
    value.shape === "map" ? [...value.entries].toSorted(([a], [b]) => (a < b ? -1 : 1)) : value;
  return [...state.values()]
    .map(({ facets, ...entity }) => ({
      ...entity,
      facets: [...facets]
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([facet, value]) => [facet, plainFacet(value)]),
    }))
    .toSorted((a, b) => (a.urn < b.urn ? -1 : 1));
}

function shuffled<T>(items: readonly T[], seed: number): readonly T[] {
  const start = items.length === 0 ? 0 : Math.abs(seed) % items.length;
  const turned = [...items.slice(start), ...items.slice(0, start)];
  return seed % 2 === 0 ? turned : turned.toReversed();
}

/** The rules that hold for an asset, found in another way: by regular expressions. */
function rulesFor({ rules, exempt }: RuleWorld, asset: Asset): readonly Rule[] {
  const holds = ({ key, patterns }: Rule["conditions"][number]): boolean => {
    const texts: Readonly<Record<string, readonly string[]>> = {
      name: [asset.name ?? ""],
      platform: ["snowflake", "urn:li:dataPlatform:snowflake"],
      container: asset.containers.flatMap((each) => [each, each.replace("urn:li:container:", "")]),
      subtype: asset.subtypes,
    };
    return patterns.some((pattern) => (texts[key] ?? []).some((text) => asRegExp(pattern).test(text)));
  };
  return rules.filter(
    ({ id, conditions, exclusions }) =>
      exempt.get(asset.urn)?.has(id) !== true &&
      conditions.every(holds) &&
      !exclusions.some((all) => all.every(holds)),
  );
}

function asRegExp(pattern: string): RegExp {
  return new RegExp(
    `^${pattern
      .split("*")
      .map((part) => part.replaceAll(/[.[\]()]/g, "\\$&"))
      .join(".*")}$`,
    "s",
  );
}

function topRules(world: RuleWorld, asset: Asset): readonly Rule[] {
  const giving = rulesFor(world, asset).filter(({ facets }) => facets.has("domain"));
  return giving.filter(({ priority }) => giving.every((other) => other.priority <= priority));
}

function isUndecided(world: RuleWorld, asset: Asset): boolean {
  if (world.state.get(asset.urn)?.facets.has("domain") === true) return false;
  return new Set(topRules(world, asset).map(({ facets }) => valueOf(facets.get("domain")))).size > 1;
}

function valueOf(value: FacetValue | undefined): unknown {
  return value?.shape === "scalar" ? value.value : undefined;
}

/** The documents that say without rules what rules and documents say, put together in the plainest way. */
function documentsFor(world: RuleWorld): State {
  const state = new Map(world.state);
  for (const asset of world.assets) {
    const rules = rulesFor(world, asset);
    const own = world.state.get(asset.urn)?.facets ?? new Map<string, FacetValue>();
    const facets = new Map<string, FacetValue>(own);
    const [top] = topRules(world, asset);
    if (!own.has("domain") && top)
      facets.set("domain", scalarOf(valueOf(top.facets.get("domain")) as string | null));
    const sets = [own.get("tags"), ...rules.map((rule) => rule.facets.get("tags"))].flatMap(setIn);
    if (sets.length > 0) facets.set("tags", setOf(sets.flatMap(({ members }) => members)));
    const columns = columnsFor(asset, rules, own.get("columns.tags"));
    if (columns.size > 0) facets.set("columns.tags", { shape: "map", entries: columns });
    if (rules.length > 0) state.set(asset.urn, { urn: asset.urn, kind: asset.kind, facets });
  }
  return state;
}

function columnsFor(
  asset: Asset,
  rules: readonly Rule[],
  own: FacetValue | undefined,
): ReadonlyMap<string, SetValue> {
  const written = own?.shape === "map" ? own.entries : new Map<string, FacetValue>();
  const entries = (asset.columns ?? []).flatMap(
    ({ path, name, nativeType = "" }): readonly [string, SetValue][] => {
      const hits = rules.flatMap(({ columns }) =>
        columns.filter(
          ({ pattern, nativeTypes = ["*"] }) =>
            asRegExp(pattern).test(name) && nativeTypes.some((each) => asRegExp(each).test(nativeType)),
        ),
      );
      const sets = [written.get(name), ...hits.map(({ facets }) => facets.get("columns.tags"))].flatMap(
        setIn,
      );
      return sets.length > 0 ? [[path, setOf(sets.flatMap(({ members }) => members))]] : [];
    },
  );
  return new Map(entries);
}

function setIn(value: FacetValue | undefined): readonly SetValue[] {
  return value?.shape === "set" ? [value] : [];
}

/** The values that a state declares of assets, each as a text: columns by their paths. */
function valuesIn(state: State, { assets }: RuleWorld): ReadonlySet<string> {
  const values = [...state.values()].flatMap(({ urn, facets }) =>
    [...facets].flatMap(([facet, value]) => {
      const parts = value.shape === "map" ? [...value.entries] : [["", value] as const];
      return parts.flatMap(([column, part]) => {
        const path = pathOf(assets, urn, column);
        const members = part.shape === "set" ? part.members : part.value === null ? [] : [String(part.value)];
        return members.map((member) => [urn, facet, path, memberKey(member)].join(" "));
      });
    }),
  );
  return new Set(values);
}

function pathOf(assets: readonly Asset[], of: string, column: string): string {
  const columns = assets.find(({ urn }) => urn === of)?.columns ?? [];
  return columns.find(({ path, name }) => path === column || name === column)?.path ?? column;
}

function onlyIn(before: State, now: State, world: RuleWorld): readonly string[] {
  const [old, kept] = [valuesIn(before, world), valuesIn(now, world)];
  return [...old].filter((value) => !kept.has(value));
}

function takenBy(change: Change): readonly string[] {
  const { urn, facet = "", column = "" } = change;
  const taken =
    change.shape === "set"
      ? change.remove
      : change.shape === "scalar" && change.before !== null
        ? [String(change.before)]
        : [];
  return taken.map((value) => [urn, facet, column, memberKey(value)].join(" "));
}

/** The catalog with exactly what is declared. */
function adopted(declared: State, world: RuleWorld): State {
  const bareState = bare(world);
  return new Map(
    [...bareState].map(([of, entity]) => {
      const facets = new Map(entity.facets);
      for (const [facet, value] of declared.get(of)?.facets ?? []) {
        const live = facets.get(facet);
        if (value.shape !== "map" || live?.shape !== "map") facets.set(facet, value);
        else {
          const entries = [...value.entries].map(
            ([column, part]) => [pathOf(world.assets, of, column), part] as const,
          );
          facets.set(facet, { shape: "map", entries: new Map([...live.entries, ...entries]) });
        }
      }
      return [of, { ...entity, facets }];
    }),
  );
}

/** The catalog with nothing assigned. */
function bare({ live }: RuleWorld): State {
  const emptied = (value: FacetValue): FacetValue => {
    if (value.shape === "map")
      return {
        shape: "map",
        entries: new Map([...value.entries.keys()].map((column) => [column, setOf([])])),
      };
    return value.shape === "set" ? setOf([]) : scalarOf(null);
  };
  return new Map(
    [...live].map(([of, entity]) => {
      const facets = new Map([...entity.facets].map(([facet, value]) => [facet, emptied(value)]));
      return [of, { ...entity, facets: new Map([["owners", setOf([])], ...facets]) }];
    }),
  );
}

function placeOf({ urn, facet, column, ...change }: Change): unknown {
  const values =
    change.shape === "set" ? [change.add, change.remove] : change.shape === "scalar" ? change.after : null;
  return { urn, facet, column, values };
}
