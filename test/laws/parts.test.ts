import { expect } from "vitest";
import { lawsOf } from "./law.ts";
import type { Plan } from "../../src/model/plan.ts";
import { beside, existingIn, planOfPart, restrictedTo } from "./parts.ts";
import { planOf, worldsInPart } from "./worlds.ts";

const law = lawsOf(worldsInPart);

law("the plan of a part is the plan of the whole, restricted to it", ([world, selected]) => {
  const part = planOfPart(world, selected);
  const expected = restrictedTo(world, selected, planOf(world));

  expect(beside(world, part)).toEqual(beside(world, expected));
  for (const action of ["create", "update", "delete"] as const) {
    const urns = part.changes.flatMap((change) => (change.action === action ? [change.urn] : []));
    expect(part.summary[action]).toBe(new Set(urns).size);
  }
});

law("a guard counts what a part takes away, and its share is of the whole", ([world, selected]) => {
  const [part, whole] = [planOfPart(world, selected), planOf(world)];
  const vanished = ({ findings }: Plan): Plan["findings"] =>
    findings.filter(({ guard }) => guard === "vanished");
  expect(vanished(part)).toEqual(vanished(whole));
  const deletes = part.changes.filter(({ action }) => action === "delete").length;
  const isBlocked = part.findings.some(({ guard }) => guard === "deletes");
  expect(isBlocked).toBe(deletes > world.limits.deletes.max_count);
  for (const { guard, facet = "", numbers } of part.findings) {
    if (guard !== "removals" || facet === "members" || facet === "name") continue;
    expect({ facet, existing: numbers["existing"] }).toEqual({
      facet,
      existing: existingIn(world, selected, facet),
    });
  }
});
