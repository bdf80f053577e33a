import fc from "fast-check";
import { expect, test } from "vitest";
import { kindOf } from "../../src/kinds/index.ts";
import { leafAt, pathKey } from "../../src/model/place.ts";
import { adopt } from "../../src/plan/align/adopt.ts";
import { diff } from "../../src/plan/diff/diff.ts";
import { nothingIgnored } from "../../src/plan/base/ignore.ts";
import { operationsOf } from "../../src/plan/order/operations.ts";
import type { Change } from "../../src/model/change.ts";
import type { Plan } from "../../src/model/plan.ts";
import { type FacetValue, memberKey, setOf, type State, without } from "../../src/model/state.ts";
import { applied, desiredStates, liveStates } from "../support/states.ts";
import { forAll, lawsOf } from "./law.ts";
import { compared, planOf } from "./plan-of.ts";
import { counted } from "../support/runs.ts";

/** A desired and a live state, what is found when they are compared, and the plan. */
const drawn = fc
  .record({ desired: desiredStates, live: liveStates, ranks: fc.infiniteStream(fc.nat()) })
  .map(({ desired, live, ranks }) => ({ desired, live, ranks, plan: planOf(desired, live) }));

const law = lawsOf(drawn, 48);

function isImplied(facet: string | undefined): boolean {
  return facet === "removed" || facet === "incomplete";
}

law("nothing differs from itself", ({ live }) => {
  expect(diff(live, live)).toEqual([]);
  // What is declared shall be complete, and not soft-deleted: these are the differences.
  expect(compared(live, live).changes.filter(({ facet }) => !isImplied(facet))).toEqual([]);
});

law("after its changes a plan is empty", ({ desired, live, plan }) => {
  expect(compared(desired, applied(live, plan.changes)).changes).toEqual([]);
});

law("a plan touches only what is declared", ({ desired, plan }) => {
  const isDeclared = ({ urn, facet = "", path, action }: Change): boolean => {
    const declared = desired.get(urn)?.facets.get(facet);
    const hasPlace = declared?.shape !== "map" || leafAt(declared, path) !== undefined;
    return (
      desired.has(urn) && hasPlace && (declared !== undefined || action !== "update" || isImplied(facet))
    );
  };
  expect(plan.changes.filter((change) => !isDeclared(change))).toEqual([]);
});

law("the order of the input changes neither plan nor digest", ({ desired, live, plan, ranks }) => {
  expect(planOf(shuffled(desired, ranks), shuffled(live, ranks))).toEqual(plan);
});

law("adopting twice is adopting once", ({ desired, live }) => {
  const rules = { modes: {}, ignored: nothingIgnored, base: undefined };
  const once = adopt(desired, live, rules);
  // What no manifest can express is adopted the first time, and listed then.
  const kept = once.kept.filter(({ reason }) => reason !== "not-expressible");
  expect(adopt(once.state, live, rules)).toEqual({ ...once, kept });
});

law("there is at most one change for a place of an entity, and each leads to an operation", ({ plan }) => {
  const places = plan.changes.map(({ urn, facet, path }) => `${urn} ${facet} ${pathKey(path)}`);
  expect(new Set(places).size).toBe(places.length);
  const operations = operationsOf(plan);
  expect(new Set(operations.map(({ id }) => id)).size).toBe(operations.length);
  const created = new Set(plan.changes.map(({ urn, action }) => `${action} ${urn}`));
  const changes = operations.flatMap((each) => each.changes);
  const others = changes.filter((change) => !plan.changes.includes(change));
  expect(plan.changes.filter((change) => !changes.includes(change))).toEqual([]);
  // The first writes of a new entity may write nothing that is declared of it.
  expect(others.filter(({ shape, urn }) => shape !== "entity" || !created.has(`create ${urn}`))).toEqual([]);
  // A move is written by itself, because others wait for it alone; so is a reference that would close a circle of new entities.
  const proposals = operations.flatMap(({ request, changes: [first] }) => {
    const isMove = first?.action === "update" && first.facet === kindOf(first.kind).parentFacet;
    if (request.type !== "proposal" || request.edits || isMove) return [];
    if (first && closesCircle(first, plan.changes)) return [];
    return [`${request.urn} ${request.aspect}`];
  });
  expect(new Set(proposals).size).toBe(proposals.length);
});

/** Whether a change has a new entity refer to another one, from which references lead back to it. */
function closesCircle(change: Change, changes: readonly Change[]): boolean {
  const referredBy = ({ action, ...each }: Change): readonly unknown[] =>
    action === "create" && each.shape === "scalar" ? [each.after] : [];
  const reached = new Set(referredBy(change));
  for (const urn of reached) {
    for (const each of changes.filter((other) => other.urn === urn)) {
      for (const next of referredBy(each)) reached.add(next);
    }
  }
  return reached.has(change.urn);
}

law("the summary counts what the changes say", ({ desired, live, plan: { summary, changes } }) => {
  expect(summary.create + summary.update + summary.unchanged).toBe(desired.size);
  expect(summary.create).toBe([...desired.keys()].filter((urn) => !live.has(urn)).length);
  expect(summary.create + summary.update).toBe(new Set(changes.map(({ urn }) => urn)).size);
  const created = changes.flatMap(({ action, ...change }) =>
    action === "create" ? bareCreation(change) : [],
  );
  expect(summary).toMatchObject(valueCounts(applied(live, created), applied(live, changes)));
});

/** The change that creates an entity with no values. */
function bareCreation({ kind, urn }: Pick<Change, "kind" | "urn">): Change {
  return { action: "create", shape: "entity", kind, urn, fingerprint: "" };
}

/** How many values one state has and another does not. A single value in the place of another is a replacement. */
function valueCounts(
  before: State,
  after: State,
): Pick<Plan["summary"], "additions" | "replacements" | "removals"> {
  const [old, now] = [placesIn(before), placesIn(after)];
  const counts = { additions: 0, replacements: 0, removals: 0 };
  for (const place of new Set([...old.keys(), ...now.keys()])) {
    const gone = [...(old.get(place) ?? [])].filter((value) => !now.get(place)?.has(value)).length;
    const added = [...(now.get(place) ?? [])].filter((value) => !old.get(place)?.has(value)).length;
    const replaced = place.startsWith("scalar ") ? Math.min(gone, added) : 0;
    counts.additions += added - replaced;
    counts.replacements += replaced;
    counts.removals += gone - replaced;
  }
  return counts;
}

/** The values of a state by where they are. */
function placesIn(state: State): ReadonlyMap<string, ReadonlySet<unknown>> {
  const places = new Map<string, ReadonlySet<unknown>>();
  const put = (place: string, value: FacetValue): void => {
    if (value.shape === "map") {
      for (const [column, entry] of value.entries) put(`${place} ${column}`, entry);
    } else if (value.shape === "set") {
      places.set(`set ${place}`, new Set(value.members.map(memberKey)));
    } else if (value.value !== null) places.set(`scalar ${place}`, new Set([value.value]));
  };
  for (const { urn, facets } of state.values())
    for (const [facet, value] of facets) put(`${urn} ${facet}`, value);
  return places;
}

const members = fc.array(fc.oneof(fc.string(), fc.dictionary(fc.string(), fc.string())));

test(
  "the normal form of a set in normal form is itself, whatever the order and the repetitions",
  counted,
  () => {
    forAll(members, 1000, (drawnMembers) => {
      const once = setOf(drawnMembers);
      expect(setOf(once.members)).toEqual(once);
      expect(setOf(drawnMembers.toReversed()).members.map(memberKey)).toEqual(once.members.map(memberKey));
      expect(without(once.members, drawnMembers)).toEqual([]);
    });
  },
);

function shuffled<K, V>(map: ReadonlyMap<K, V>, ranks: fc.Stream<number>): ReadonlyMap<K, V> {
  const keyed = [...map].map((entry) => ({ entry, rank: ranks.next().value as number }));
  return new Map(keyed.toSorted((a, b) => a.rank - b.rank).map(({ entry }) => entry));
}
