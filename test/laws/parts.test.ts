import { edgeSetOf } from "../../src/facets/index.ts";
import { expect } from "vitest";
import { lawsOf } from "./law.ts";
import type { Plan } from "../../src/model/plan.ts";
import { beside, existingIn, planOfPart, restrictedTo } from "./parts.ts";
import { declaredIn, planOf, worldsInPart } from "./worlds.ts";

const law = lawsOf(worldsInPart, 60);

law("the plan of a part is the plan of the whole, restricted to it", ([world, selected]) => {
  const part = planOfPart(world, selected);
  const expected = restrictedTo(world, selected, planOf(world));

  expect(beside(world, part)).toEqual(beside(world, expected));
  const held = part.changes.filter((change) => change.shape === "scalar" && change.conflict !== undefined);
  expect(part.summary.heldBack).toBe(held.length);
  for (const action of ["create", "update", "delete"] as const) {
    const urns = part.changes.filter((change) => change.action === action && !held.includes(change));
    expect(part.summary[action]).toBe(new Set(urns.map(({ urn }) => urn)).size);
  }
});

law(
  "a plan of the whole or of a part counts as unchanged what is declared there and has no change",
  (drawn) => {
    const [world, selected] = drawn;
    const all = new Set(declaredIn(world).keys());
    for (const [plan, asked] of [
      [planOf(world), all],
      [planOfPart(world, selected), selected],
    ] as const) {
      const changed = new Set(plan.changes.map(({ urn }) => urn));
      const inSync = [...asked].filter((urn) => all.has(urn) && world.live.has(urn) && !changed.has(urn));
      expect(plan.summary.unchanged).toBe(inSync.length);
    }
  },
);

law("a guard counts what a part takes away, and its share is of the whole", ([world, selected]) => {
  const [part, whole] = [planOfPart(world, selected), planOf(world)];
  const vanished = ({ findings }: Plan): Plan["findings"] =>
    findings.filter(({ guard }) => guard === "vanished");
  expect(vanished(part)).toEqual(vanished(whole));
  const deletes = part.changes.filter(({ action }) => action === "delete").length;
  const isBlocked = part.findings.some(({ guard }) => guard === "deletes");
  expect(isBlocked).toBe(deletes > world.limits.deletes.max_count);
  for (const { guard, facet = "", numbers } of part.findings) {
    if (guard !== "removals" || facet === "name" || edgeSetOf(facet ?? "")) continue;
    expect({ facet, existing: numbers["existing"] }).toEqual({
      facet,
      existing: existingIn(world, selected, facet),
    });
  }
});
