import fc from "fast-check";
import { expect } from "vitest";
import { facetsOf } from "../../src/facets/index.ts";
import { leavesOf } from "../../src/model/place.ts";
import type { Change } from "../../src/model/change.ts";
import type { ValueCount } from "../../src/model/rule-count.ts";
import type { Asset, Rule } from "../../src/model/rule.ts";
import { type FacetValue, type Member, memberKey, type Scalar, type State } from "../../src/model/state.ts";
import { compareStates } from "../support/compare-states.ts";
import { defaultPolicy, type Policy } from "../../src/plan/base/policy.ts";
import type { Expanded } from "../../src/plan/rules/expand.ts";
import { countRules } from "../../src/plan/rules/count.ts";
import { ruleProblems } from "../../src/plan/rules/problems.ts";
import { matchesColumn } from "../../src/plan/rules/match.ts";
import { expand } from "../support/assets.ts";
import { header, liveOf } from "../support/states.ts";
import { lawsOf } from "./law.ts";
import { planOf } from "./plan-of.ts";
import { bare, documentsFor, isUndecided, rulesFor } from "./rule-model.ts";
import { type RuleWorld, ruleWorlds } from "./rule-worlds.ts";
import { makePlan } from "./saved.ts";
import { valueKey } from "../../src/model/values.ts";

const law = lawsOf(fc.record({ world: ruleWorlds, seed: fc.integer(), index: fc.nat() }), 40);

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

  const [planned, expected] = [found.state, documentsFor(world)].map((state) => planOf(state, world.live));
  expect(planned?.digest).toBe(expected?.digest);
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
    modes: Object.fromEntries(facetsOf("Dataset").map(({ name }) => [name, "merge"])),
    pruneAssignments: true,
  });

  expect(changes.flatMap(takenBy).toSorted()).toEqual(onlyIn(before.state, now.state, world).toSorted());
});

law(
  "the numbers of a rule are those of the assets that it matches, counted one by one",
  ({ world, index }) => {
    const found = expand(world, world.assets);
    const part = index % 2 === 0 ? undefined : new Set(world.assets.slice(index % 3).map(({ urn }) => urn));
    const { changes } = planUnder(found.state, world.live, part ? { part } : {});
    const counted = countRules(found, world.rules, { part, changes, unknown: [], unreadable: [] });

    expect(counted.map(({ id }) => id)).toEqual(world.rules.map(({ id }) => id).toSorted());
    for (const { id, matched, matchedInPart, changed, values } of counted) {
      const all = world.assets.filter((asset) => rulesFor(world, asset).some((rule) => rule.id === id));
      const own = all.filter(({ urn }) => part?.has(urn) !== false);
      expect({ matched, matchedInPart }).toEqual({ matched: all.length, matchedInPart: own.length });
      const changing = changes.filter(({ rules = [] }) => rules.includes(id));
      expect(changed).toBe(new Set(changing.map(({ urn }) => urn)).size);
      const rule = world.rules.find((each) => each.id === id);
      if (rule)
        expect(values.map(textOf).toSorted()).toEqual(effectsOf(rule, own, found.state, world).toSorted());
    }
  },
);

function textOf({ facet, value, on, new: fresh, overruled }: ValueCount): string {
  return `${facet} ${memberText(value)}: on ${on}, new ${fresh}, overruled ${overruled}`;
}

function memberText(value: Member | Scalar): string {
  return typeof value === "object" && value !== null ? memberKey(value) : String(value);
}

/** The numbers of each value of a rule, from what is declared of each of its assets and what is there. */
function effectsOf(rule: Rule, own: readonly Asset[], state: State, world: RuleWorld): readonly string[] {
  const declared = [...rule.facets, ...rule.columns.flatMap(({ facets }) => [...facets])];
  const values = new Set(
    declared.flatMap(([facet, value]) => textsIn(value).map((text) => `${facet} ${text}`)),
  );
  return [...values].map((each) => {
    const [facet = "", text = ""] = each.split(" ");
    const verdicts = own.map((asset) => {
      const places = placesOf(rule, asset, facet, text).map((column): string => {
        const [there, live] = [state, world.live].map((side) => textsAt(side, world, asset, facet, column));
        if (!there || there.length === 0) return "undecided";
        if (!there.includes(text)) return "overruled";
        return live?.includes(text) === true ? "on" : "new";
      });
      return new Set(places);
    });
    const count = (...names: readonly string[]): number =>
      verdicts.filter((places) => names.some((name) => places.has(name))).length;
    return `${each}: on ${count("on", "new")}, new ${count("new")}, overruled ${count("overruled")}`;
  });
}

function textsIn(value: FacetValue | undefined): readonly string[] {
  if (value?.shape === "scalar") return [valueKey(value.value)];
  if (value?.shape !== "set") return [];
  return value.members.length === 0 ? ["null"] : value.members.map(memberKey);
}

/** The columns of an asset for which a rule declares a value; of a facet of the asset itself that is one without a name. */
function placesOf(
  { facets, columns }: Rule,
  { columns: all = [] }: Asset,
  facet: string,
  text: string,
): readonly string[] {
  if (textsIn(facets.get(facet)).includes(text)) return [""];
  const declaring = columns.filter((each) => textsIn(each.facets.get(facet)).includes(text));
  return all
    .filter((column) => declaring.some((each) => matchesColumn(each, column)))
    .map(({ path }) => path);
}

function textsAt(
  side: State,
  { assets }: RuleWorld,
  { urn }: Asset,
  facet: string,
  column: string,
): readonly string[] {
  const value = side.get(urn)?.facets.get(facet);
  if (value?.shape !== "map") return textsIn(value);
  const entry = [...value.entries].find(([name]) => pathOf(assets, urn, name) === column);
  return textsIn(entry?.[1]);
}

/** What is said of the rules of a whole catalog. */
function told(found: Expanded, rules: readonly Rule[]): object {
  const problems = ruleProblems(found, rules, {}, false);
  const sorted = problems.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  const counts = countRules(found, rules, { part: undefined, changes: [], unknown: [], unreadable: [] });
  return { problems: sorted, counts };
}

function planUnder(desired: State, live: State, policy: Partial<Policy>): ReturnType<typeof makePlan> {
  const all = { ...defaultPolicy, ...policy };
  return makePlan(header, compareStates(desired, liveOf(live, desired), all), all);
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

/** The values that a state declares of assets, each as a text: columns by their paths. */
function valuesIn(state: State, { assets }: RuleWorld): ReadonlySet<string> {
  const values = [...state.values()].flatMap(({ urn, facets }) =>
    [...facets].flatMap(([facet, value]) => {
      return leavesOf(value).flatMap(([[column = ""], part]) => {
        const path = pathOf(assets, urn, column);
        const members =
          part.shape === "set" ? part.members : part.value === null ? [] : [valueKey(part.value)];
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
  const { urn, facet = "", path: [column = ""] = [] } = change;
  const taken =
    change.shape === "set"
      ? change.remove
      : change.shape === "scalar" && change.before !== null
        ? [valueKey(change.before)]
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
