import fc from "fast-check";
import { expect } from "vitest";
import { isExpressible } from "../../src/facets/expressible.ts";
import type { Facet } from "../../src/facets/facet.ts";
import { facetsOf, plannedFacets } from "../../src/facets/index.ts";
import { kindOf } from "../../src/kinds/index.ts";
import { isFacetChange, isSetChange } from "../../src/model/change.ts";
import { type Path, valueFrom } from "../../src/model/place.ts";
import type { Mode } from "../../src/model/settings.ts";
import { type Member, memberKey, scalarOf, setOf, type State } from "../../src/model/state.ts";
import { entityManifest } from "../../src/manifests/edit/export/entity-manifest.ts";
import { ignoring, nothingIgnored } from "../../src/plan/base/ignore.ts";
import { compareStates } from "../support/compare-states.ts";
import { defaultPolicy } from "../../src/plan/base/policy.ts";
import { entityOf, liveOf, membershipsIn, stateOf, urn } from "../support/states.ts";
import { elementsOf, pathsOf, shapeAt } from "../support/values.ts";
import { lawsOf } from "./law.ts";

/** Elements of which each facet refuses some. */
const odd: readonly Member[] = [
  "urn:li:futureThing:x",
  "",
  { owner: "urn:li:futureThing:x", type: "urn:li:ownershipType:__system__none" },
  { url: "jdbc:postgresql://db/shop", label: "Source" },
  { value: "" },
];

interface Case {
  readonly facet: Facet;
  readonly path: Path;
  readonly kind: string;
  readonly of: ReturnType<typeof urn>;
  readonly foreign: Member;
}

const cases = plannedFacets.flatMap((facet): readonly Case[] => {
  const [kind = ""] = facet.kinds;
  const of = urn(
    kind === "Dataset"
      ? "urn:li:dataset:(urn:li:dataPlatform:kafka,a,PROD)"
      : `urn:li:${kindOf(kind).entityType}:own`,
  );
  const path = pathsOf(facet).find((each) => shapeAt(facet, each) === "set");
  if (facet.schema === undefined || !facet.set || !path) return [];
  const foreign = odd.find(
    (each) => shapesAlike(each, elementsOf(facet)[0]) && !isExpressible(facet, of, each),
  );
  if (foreign === undefined) throw new Error(`${facet.name} expresses everything`);
  return [{ facet, path, kind, of, foreign }];
});

function shapesAlike(one: Member, other: Member | undefined): boolean {
  if (typeof one !== "object" || typeof other !== "object")
    return typeof one !== "object" && typeof other !== "object";
  return Object.keys(one).every((field) => Object.hasOwn(other, field));
}

interface World extends Case {
  readonly live: readonly Member[];
  readonly desired: readonly Member[];
  readonly base: readonly Member[] | undefined;
  readonly mode: Mode;
  readonly prunes: boolean;
  readonly ignores: boolean;
}

const worlds: fc.Arbitrary<World> = fc.constantFrom(...cases).chain((each) => {
  const some = fc.subarray([...elementsOf(each.facet)]);
  return fc
    .record({
      live: some,
      desired: some,
      base: fc.option(some, { nil: undefined }),
      mode: fc.constantFrom<Mode>("authoritative", "merge", "additive"),
      prunes: fc.boolean(),
      ignores: fc.boolean(),
    })
    .map((drawn) => ({ ...each, ...drawn }));
});

function stateWith({ facet: { name }, path, kind, of }: Case, members: readonly Member[]): State {
  const implied = facetsOf(kind).flatMap(({ name: each, implied: rule }) =>
    rule?.for === "every-entity" ? [[each, scalarOf(rule.value("own"))] as const] : [],
  );
  return stateOf(
    entityOf(kind, of, { [name]: valueFrom([[path, setOf(members)]]), ...Object.fromEntries(implied) }),
  );
}

const law = lawsOf(worlds, 200);

law(
  "no plan removes an element that a manifest cannot express, whatever is declared, before or now",
  (world) => {
    const { facet, live, desired, base, mode, prunes, ignores, foreign } = world;
    const there = stateWith(world, [...live, foreign]);
    const { changes, unmanaged, counts } = compareStates(
      stateWith(world, desired),
      liveOf(there),
      {
        ...defaultPolicy,
        modes: { [facet.name]: mode },
        ignored: ignores
          ? ignoring([{ facet: facet.name, value: "something-else", reason: "x" }])
          : nothingIgnored,
        base: base && stateWith(world, base),
        pruneAssignments: prunes,
      },
      membershipsIn(there),
    );
    const sets = changes.filter(isFacetChange).filter(isSetChange);
    expect(sets.flatMap(({ add, remove }) => [...add, ...remove]).map(memberKey)).not.toContain(
      memberKey(foreign),
    );
    expect(unmanaged.filter(({ reason }) => reason === "not-expressible").map(({ value }) => value)).toEqual([
      foreign,
    ]);
    for (const existing of Object.values(counts.existing ?? {}))
      expect(existing).toBeLessThanOrEqual(live.length);
  },
);

law("an export declares exactly the elements that a manifest can express", (world) => {
  const { facet, live, foreign, of, kind } = world;
  const entity = entityOf(kind, of, { [facet.name]: valueFrom([[world.path, setOf([...live, foreign])]]) });
  const { facets, notExpressible } = entityManifest(entity, {
    names: new Map(),
    ignored: nothingIgnored,
    isWanted: () => true,
    elsewhere: () => [],
  });
  expect(notExpressible).toEqual([{ facet: facet.name, value: foreign, isElement: true }]);
  expect(facets.has(facet.name)).toBe(live.length > 0);
});
