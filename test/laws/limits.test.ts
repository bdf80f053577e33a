import fc from "fast-check";
import { expect } from "vitest";
import { isDefinitionKind, kindOf, rankOf } from "../../src/kinds/index.ts";
import { isFacetChange, isSetChange } from "../../src/model/change.ts";
import type { Urn } from "../../src/model/urn.ts";
import { strictest } from "../../src/plan/checks/guards/index.ts";
import { limits, widest } from "../support/limits.ts";
import { lawsOf } from "./law.ts";
import { withLimits } from "./saved.ts";
import { isLeftAlone } from "./table.ts";
import { planOf, type World, worlds } from "./worlds.ts";

const drawn = fc.record({
  world: worlds,
  others: limits,
  winner: fc.constantFrom("desired", "live", undefined),
});

const law = lawsOf(drawn, 32);

law(
  "a prune deletes the definitions of its kinds that base declares and nobody declares any more",
  ({ world }) => {
    const { base, desired, live, ignore, prune } = world;
    const deleted = planOf(world).changes.filter(({ action }) => action === "delete");
    const urns = deleted.map(({ urn: of }) => of);
    expect(new Set(urns).size).toBe(urns.length);
    if (!base || !prune) expect(urns).toEqual([]);
    const due = [...live.values()].filter(
      ({ urn: of, kind }) =>
        prune?.has(kind) === true &&
        isDefinitionKind(kind) &&
        base?.state.has(of) === true &&
        !desired.state.has(of) &&
        !isLeftAlone(ignore, of),
    );
    expect(urns.toSorted()).toEqual(due.map(({ urn: of }) => of).toSorted());
  },
);

law("what is below an entity is deleted before it, and whoever refers to others before them", ({ world }) => {
  const { changes } = planOf(world);
  const deleted = changes.filter(({ action }) => action === "delete");
  expect(changes.slice(-deleted.length || changes.length)).toEqual(deleted);
  const urns = deleted.map(({ urn: of }) => of);
  for (const [index, child] of urns.entries()) {
    const parent = parentOf(world, child);
    if (parent !== undefined && urns.includes(parent)) expect(urns.indexOf(parent)).toBeGreaterThan(index);
  }
  const ranks = deleted.map(({ kind }) => rankOf(kind));
  expect(ranks).toEqual(ranks.toSorted((a, b) => b - a));
});

law(
  "a plan can be judged again under any limits without the catalog, and by its own it is the same",
  ({ world, others }) => {
    const plan = planOf(world);
    expect(withLimits(plan.limits, plan)).toEqual(plan);
    expect(withLimits(others, plan)).toEqual(planOf({ ...world, limits: others }));
  },
);

law("stricter limits never find less, and change nothing but what is found", ({ world, others }) => {
  const loose = planOf(world);
  const strict = planOf({ ...world, limits: strictest(world.limits, others) });
  const found = new Set(strict.findings.map(({ guard, facet }) => `${guard} ${facet}`));
  for (const { guard, facet } of loose.findings) expect(found).toContain(`${guard} ${facet}`);
  expect(strict.changes).toEqual(loose.changes);
  expect(strict.unmanaged).toEqual(loose.unmanaged);
});

law(
  "what goes counts once, not what is replaced or held back, and more than may go is found",
  ({ world, winner }) => {
    const { changes, findings } = planOf(world, winner);
    const gone = new Map<string, number>();
    for (const change of changes.filter(isFacetChange)) {
      const isHeld = !isSetChange(change) && change.conflict !== undefined && winner !== "desired";
      const isUnset = !isSetChange(change) && change.after === null && !isHeld;
      const count = isSetChange(change) ? change.remove.length : Number(isUnset);
      gone.set(change.facet, (gone.get(change.facet) ?? 0) + count);
    }
    const { removals, deletes } = world.limits;
    const tooMany = [...gone].filter(([, count]) => count > removals.max_count);
    const found = findings.filter(({ setting }) => setting === "guards.removals.max_count");
    expect(new Map(found.map(({ facet, numbers }) => [facet, numbers["removals"]]))).toEqual(
      new Map(tooMany),
    );
    const deleted = changes.filter(({ action }) => action === "delete").length;
    const isFound = findings.some(({ guard }) => guard === "deletes");
    expect(isFound).toBe(deleted > deletes.max_count);
  },
);

law("where everything may go nothing is found", ({ world }) => {
  expect(planOf({ ...world, limits: widest }).findings.filter(({ guard }) => guard !== "missing")).toEqual(
    [],
  );
});

function parentOf({ live }: World, of: Urn): Urn | undefined {
  const entity = live.get(of);
  const parent = entity?.facets.get(kindOf(entity.kind).parentFacet ?? "");
  return parent?.shape === "scalar" && parent.value !== null ? (parent.value as Urn) : undefined;
}
