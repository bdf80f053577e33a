import { expect } from "vitest";
import { edgeSetOf, facetNamed } from "../../src/facets/index.ts";
import { pathKey } from "../../src/model/place.ts";
import { type FacetChange, isFacetChange, isSetChange } from "../../src/model/change.ts";
import { canonicalJson } from "../../src/model/json.ts";
import type { Plan, UnmanagedValue } from "../../src/model/plan.ts";
import type { Member, Scalar } from "../../src/model/state.ts";
import { lawsOf } from "./law.ts";
import { baseHolds } from "./table.ts";
import { planOf, type World, worlds } from "./worlds.ts";

const law = lawsOf(worlds, 32);

law(
  "a prune of values takes away what is listed as no longer declared and base declares, and nothing else",
  (world) => {
    const [plain, pruned] = [planOf(world), planOf(pruning(world))];
    expect(additionsIn(pruned)).toEqual(additionsIn(plain));
    const before = removalsIn(plain);
    const after = removalsIn(pruned);
    expect([...before].filter((value) => !after.has(value))).toEqual([]);
    const listed = leftIn({ ...world, prune: undefined }, planOf({ ...world, prune: undefined }));
    const more = [...after].filter((value) => !before.has(value));
    expect(more.filter((value) => !listed.has(value))).toEqual([]);
  },
);

law(
  "after a prune of values only required ones, members of external groups and what a mode keeps are still left of base",
  (world) => {
    if (!world.base) return;
    const { desired, external } = world;
    const left = valuesLeft(planOf(pruning(world))).filter(
      ({ urn, facet, path, value, reason }) =>
        reason === "no-longer-declared" &&
        !facetNamed(facet).isRequired &&
        !external.has(urn) &&
        baseHolds(world, { urn, facet, ...(path && { path }) }, value),
    );
    for (const { urn, facet, value } of left) {
      const isDeclared = desired.state.get(urn)?.facets.has(facet) === true;
      const inverse = edgeSetOf(facet)?.inverse;
      const isByUser =
        inverse !== undefined && desired.state.get(value as typeof urn)?.facets.has(inverse) === true;
      expect({ urn, facet, value, isDeclared: isDeclared || isByUser }).toMatchObject({ isDeclared: true });
    }
  },
);

law("a change that only prunes says so, and adds nothing", (world) => {
  for (const change of planOf(pruning(world)).changes.filter(isFacetChange)) {
    if (!change.pruned) continue;
    expect(isSetChange(change) ? change.add : (change.after ?? [])).toEqual([]);
    expect(change.removed?.map(({ declaredBefore }) => declaredBefore)).not.toContain(false);
  }
});

function pruning(world: World): World {
  return { ...world, pruneAssignments: true };
}

function keyOf(
  { urn, facet, path }: Pick<FacetChange, "urn" | "facet" | "path">,
  value: Member | Scalar,
): string {
  return `${urn} ${facet} ${pathKey(path)} ${canonicalJson(value)}`;
}

function additionsIn({ changes }: Plan): readonly string[] {
  return changes
    .filter(isFacetChange)
    .flatMap((change) =>
      (isSetChange(change) ? change.add : change.after === null ? [] : [change.after]).map((value) =>
        keyOf(change, value),
      ),
    )
    .toSorted();
}

function removalsIn({ changes }: Plan): ReadonlySet<string> {
  return new Set(
    changes
      .filter(isFacetChange)
      .flatMap((change) =>
        (isSetChange(change) ? change.remove : [change.before]).map((value) => keyOf(change, value)),
      ),
  );
}

function valuesLeft({ unmanaged }: Plan): readonly UnmanagedValue[] {
  return unmanaged.flatMap((each) => (each.facet === undefined ? [] : [each]));
}

function leftIn(world: World, plan: Plan): ReadonlySet<string> {
  const left = valuesLeft(plan).filter(
    ({ urn, facet, path, value, reason }) =>
      reason === "no-longer-declared" && baseHolds(world, { urn, facet, ...(path && { path }) }, value),
  );
  return new Set(left.map((each) => keyOf(each, each.value)));
}
