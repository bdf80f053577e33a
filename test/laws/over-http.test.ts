import fc from "fast-check";
import { expect, test } from "vitest";
import { edgeSetOf, edgeSetOfInverse } from "../../src/facets/index.ts";
import { leafAt } from "../../src/model/place.ts";
import type { Writer } from "../../src/datahub/client.ts";
import { kindOf } from "../../src/kinds/index.ts";
import { type Change, isFacetChange } from "../../src/model/change.ts";
import { canonicalJson } from "../../src/model/json.ts";
import type { Plan } from "../../src/model/plan.ts";
import type { DeclaredReference } from "../../src/model/reference.ts";
import { entityTypeOf, type Urn } from "../../src/model/urn.ts";
import type { Policy, OnConflict } from "../../src/plan/base/policy.ts";
import type { State } from "../../src/model/state.ts";
import { pendingIn, heldBackIn } from "../../src/model/held-back.ts";
import { refusingProblems } from "../../src/plan/plan.ts";
import { shardOf } from "../../src/plan/shard.ts";
import { entitiesToRead } from "../../src/plan/base/group-lists.ts";
import type { CurrentPolicies } from "../../src/sync/policies/evaluate-policies.ts";
import { evaluatePlan } from "../../src/workflow/evaluate-plan.ts";
import { header } from "../support/states.ts";
import { inCatalog } from "./in-catalog.ts";
import { policiesAtHand } from "./policies.ts";
import { apply, mergePlans, plan } from "./saved.ts";
import { tallyOf } from "./tally.ts";
import { type Aspects, besideIn, storableOf, storedIn } from "./stored.ts";
import { deletedIn, falls, fillsWhatFell, valuesOf } from "./table.ts";
import { beside, restrictedTo } from "./parts.ts";
import { after, declaredIn, isSoft, planOf, policyOf, type World, worlds, worldsInPart } from "./worlds.ts";
import { counted, runsOf } from "../support/runs.ts";

const numRuns = runsOf(4);

test(
  "over HTTP an apply does what the plan says, leaves alone all else, and is followed by an empty plan",
  counted,
  async () => {
    const seen = tallyOf("applies");
    await fc.assert(
      fc.asyncProperty(worlds, fc.constantFrom("desired", "live"), async (world, winner) => {
        // What has others below it that stay cannot be deleted, and says so.
        fc.pre(!leavesChildren(world, winner));
        await inCatalog(world, async (writer, aspects) => {
          const before = aspects();
          const planned = await planIn(world, writer, { onConflict: winner });
          const asStored = { ...writer, reads: "openapi" } as const;
          expect(await planIn(world, asStored, { onConflict: winner })).toEqual(planned);
          fc.pre(refusingProblems(planned).length === 0);
          // Below a parent that is not in the catalog nothing is moved.
          fc.pre(!planned.changes.some((change) => isBelowNothing(change, before)));
          const expected = planOf(world, winner);
          expect(planned.changes.map(withoutKnowledge)).toEqual(expected.changes.map(withoutKnowledge));
          const unmanaged = planned.unmanaged.map(({ actor, time, lastWriterOfAspect, ...each }) => each);
          expect(unmanaged).toEqual(expected.unmanaged);

          seen.add("worlds");
          for (const { action, facet } of planned.changes) seen.add(`${action} ${facet ?? "entity"}`);
          for (const { reason } of planned.unmanaged) seen.add(`kept: ${reason}`);
          const { outcomes } = await apply(planned, writer);
          for (const { status } of outcomes) seen.add(`outcome ${status}`);
          const pending = pendingIn(planned.changes);
          const held = heldBackIn(planned.changes);
          const failed = outcomes.filter(({ status }) => status === "failed");
          expect(failed).toEqual([]);
          const skipped = outcomes.filter(({ status }) => status === "skipped");
          expect(new Set(skipped.flatMap(({ operation }) => operation.changes))).toEqual(new Set(held));
          const applied = outcomes.filter(({ status }) => status === "applied");
          const done = applied.flatMap(({ operation }) => operation.changes);
          // What a deletion takes references away with is no change of the plan.
          const isOwn = (change: Change): boolean =>
            isFacetChange(change) ? change.isReference !== true : pending.includes(change);
          expect(new Set(done.filter(isOwn))).toEqual(new Set(pending));

          const then = aspects();
          const next = after(world, planned);
          const entities = new Set([...world.live.keys(), ...world.desired.state.keys()]);
          expect(storedIn(then, entities)).toEqual(storableOf(next));
          expect(besideIn(then, before)).toEqual(besideIn(before, then));
          expect([...before.keys()].filter((of) => !then.has(of))).toEqual(
            [...deletedIn(world)]
              .filter((of) => !isSoft({ kind: world.live.get(of)?.kind ?? "" }))
              .toSorted(),
          );
          expect(planned.unmanaged.filter((each) => !isThere(each, next))).toEqual([]);

          const again = await planIn(world, writer, { onConflict: winner });
          const left = held.filter(
            (change) => !("before" in change && falls(change.before, deletedIn(world))),
          );
          expect(
            again.changes.filter((change) => !fillsWhatFell(world, change)).map(withoutKnowledge),
          ).toEqual(left.map(withoutKnowledge));
        });
      }),
      { numRuns },
    );
    seen.print();
  },
);

test("over HTTP, too, the plan of a part is the plan of the whole, restricted to it", counted, async () => {
  await fc.assert(
    fc.asyncProperty(worldsInPart, async ([world, selected]) => {
      await inCatalog(world, async (writer) => {
        const whole = await planIn(world, writer);
        const part = await planIn(world, writer, { part: selected });
        const [is, should] = [part, restrictedTo(world, selected, whole)].map((each) => beside(world, each));

        expect(is?.changes.map(withoutKnowledge)).toEqual(should?.changes.map(withoutKnowledge));
        expect(is?.unmanaged).toEqual(should?.unmanaged);
      });
    }),
    { numRuns },
  );
});

test(
  "over HTTP, too, the plans of all shards, merged, are the plan of the whole, with the verdicts of policies",
  counted,
  async () => {
    await fc.assert(
      fc.asyncProperty(
        worlds,
        fc.integer({ min: 1, max: 5 }),
        policiesAtHand,
        async (world, of, policies) => {
          await inCatalog(world, async (writer) => {
            const whole = await planIn(world, writer, {}, policies);
            const urns = [...entitiesToRead(declaredIn(world), policyOf(world).base).keys()];
            const plans = Array.from({ length: of }, async (_, at) => {
              const shard = { index: at + 1, of };
              const part = new Set(urns.filter((each) => shardOf(each, of) === shard.index));
              return await planIn(world, writer, { part, shard }, policies);
            });
            const merged = mergePlans(await Promise.all(plans));

            expect(merged).toEqual({ plan: whole });
            // By what is read anew, the verdicts are those by what the plan has read.
            const { base, day, declaring } = policies;
            const given = { policies, base, declaring, at: day };
            expect(await evaluatePlan(whole, writer, given)).toEqual(whole);
          });
        },
      ),
      { numRuns },
    );
  },
);

async function planIn(
  world: World,
  writer: Writer,
  more: Partial<Policy> = {},
  policies?: CurrentPolicies,
): Promise<Plan> {
  const desired = declaredIn(world);
  const references = referencesIn(desired);
  const told = more.shard
    ? { ...header, shard: { ...more.shard, inputs: `sha256:${"0".repeat(64)}` } }
    : header;
  return await plan(
    { state: desired, references },
    writer,
    { ...policyOf(world), ...more },
    { header: told, policies },
  );
}

/** What manifests of this state would refer to. */
function referencesIn(state: State): readonly DeclaredReference[] {
  const origin = { file: "catalog/a.yaml", line: 1, column: 1 };
  const referenceTo = (text: unknown, from: Urn, facet: string): readonly DeclaredReference[] => {
    if (typeof text !== "string" || !text.startsWith("urn:li:")) return [];
    const of = text as Urn;
    return [{ urn: of, entityType: entityTypeOf(of), from, facet, origin }];
  };
  return [...state.values()].flatMap(({ urn: from, facets }) =>
    [...facets].flatMap(([facet, value]) => {
      const parts = value.shape === "map" ? [...value.entries.values()] : [value];
      const texts = parts
        .flatMap(valuesOf)
        .flatMap((each) => (typeof each === "object" && each !== null ? Object.values(each) : [each]));
      return texts.flatMap((text) => referenceTo(text, from, facet));
    }),
  );
}

/** Whether an entity would be deleted while another one stays below it. */
function leavesChildren(world: World, winner: OnConflict): boolean {
  const made = planOf(world, winner);
  const deleted = deletedIn(world);
  const changes = made.changes.filter(({ action }) => action !== "delete");
  return [...after(world, { ...made, changes }).live.values()].some(({ urn: of, kind, facets }) => {
    const parent = facets.get(kindOf(kind).parentFacet ?? "");
    return !deleted.has(of) && parent?.shape === "scalar" && falls(parent.value, deleted);
  });
}

/** Whether a change moves an entity below one whose own parent is not in the catalog. */
function isBelowNothing(change: Change, catalog: Aspects): boolean {
  return isFacetChange(change) && (change.above ?? []).some((of) => !catalog.has(of));
}

/** A change without what the catalog knows of what it takes away, and of what is above, and without what manifests cannot express. */
function withoutKnowledge(change: Change): unknown {
  if (!isFacetChange(change)) {
    const {
      assignments: _,
      assignedTo: _to,
      above: _above,
      references: _refs,
      fingerprint,
      values,
      aspects: _aspects,
      ...rest
    } = change;
    if (change.action !== "delete") return { ...rest, fingerprint };
    // A world has edges at one end, and the catalog at the end that stores them.
    return { ...rest, values: values?.filter(({ facet }) => !edgeSetOfInverse(facet)) };
  }
  const { removed, above: _, ...rest } = change;
  const told = removed?.map(({ value, declaredBefore }) => ({ value, declaredBefore }));
  return { ...rest, ...(told && { removed: told }) };
}

function isThere({ urn: of, facet, path, value }: Plan["unmanaged"][number], world: World): boolean {
  if (facet === undefined) return world.live.has(of);
  if (edgeSetOf(facet)) return world.groupsOf.get(value as Urn)?.has(of) === true;
  const values = valuesOf(leafAt(world.live.get(of)?.facets.get(facet), path));
  return values.some((each) => canonicalJson(each) === canonicalJson(value));
}
