import { expect, test } from "vitest";
import type { Live } from "../../../src/model/live.ts";
import { type Entity, scalarOf } from "../../../src/model/state.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { withAncestors } from "../../../src/sync/read/ancestors.ts";
import { entityOf, liveOf, stateOf, urn } from "../../support/states.ts";
import type { MadeAspect } from "../../support/catalog.ts";
import { askingCatalog } from "./asking.ts";

const named = (name: string): Urn => urn(`urn:li:domain:${name}`);
const [leaf, low, middle, root] = ["leaf", "low", "middle", "root"].map(named) as [Urn, Urn, Urn, Urn];

const under = (of: Urn, parent: Urn | null): Entity =>
  entityOf("Domain", of, { parent_domain: scalarOf(parent) });
const stored = (of: Urn, parent?: Urn): MadeAspect => [
  of,
  "domainProperties",
  { name: "d", description: "D.", ...(parent !== undefined && { parentDomain: parent }) },
];

const world = [stored(low, middle), stored(middle, root), stored(root)];
const declared = stateOf(under(leaf, low), under(low, middle));
const nothing = liveOf(stateOf());

/** Which domains were found where. */
function summary({ state, above, missing, unreadable }: Live): object {
  const keys = { state: [...state.keys()], above: [...(above?.keys() ?? [])] };
  return { ...keys, missing: Object.fromEntries(missing), unreadable: Object.fromEntries(unreadable) };
}

test("the domains above are read level by level up to the root, those that are not declared by themselves", async () => {
  const { reader, asked } = await askingCatalog(world);
  const live = await withAncestors(reader, { declared, from: [leaf] }, nothing);
  expect(summary(live)).toEqual({ state: [low], above: [middle, root], missing: {}, unreadable: {} });
  expect(asked).toEqual([low, middle, root].map((of) => ["ReadDefinitions", of]));
  expect(live.above?.get(middle)?.facets.get("parent_domain")).toEqual(scalarOf(root));
});

test("a domain that is declared below another than in the catalog has the domains above both", async () => {
  const { reader, asked } = await askingCatalog(world);
  const sides = { declared: stateOf(under(low, root)), from: [low] };
  const live = await withAncestors(reader, sides, liveOf(stateOf(under(low, middle))));
  expect(summary(live)).toMatchObject({ state: [low], above: [root] });
  expect(asked).toEqual([["ReadDefinitions", root]]);
  const both = { declared: stateOf(under(leaf, low), under(low, root)), from: [leaf] };
  expect(summary(await withAncestors(reader, both, nothing))).toMatchObject({
    state: [low],
    above: [root, middle],
  });
});

test("a declared domain that is not there is missing, of another one nothing is said", async () => {
  const { reader } = await askingCatalog([]);
  const live = await withAncestors(reader, { declared, from: [leaf] }, nothing);
  expect(summary(live)).toEqual({ state: [], above: [], missing: { [low]: "absent" }, unreadable: {} });
});

test("a domain that cannot be read is unreadable, whether it is declared or not", async () => {
  const { reader } = await askingCatalog(world, { ReadDefinitions: [low, middle] });
  const live = await withAncestors(reader, { declared, from: [leaf] }, nothing);
  expect(summary(live)).toEqual({
    state: [],
    above: [],
    missing: {},
    unreadable: { [low]: "no", [middle]: "no" },
  });
});

test.each<readonly [string, Partial<Live>]>([
  ["there", { state: stateOf(under(low, null)) }],
  ["missing", { missing: new Map([[low, "absent"]]) }],
  ["unreadable", { unreadable: new Map([[low, "busy"]]) }],
])("a domain that is known to be %s is not read again, and its own ones are", async (_, known) => {
  const { reader, asked } = await askingCatalog(world);
  const live = await withAncestors(reader, { declared, from: [leaf] }, { ...nothing, ...known });
  expect(asked.map(([, ...urns]) => urns)).toEqual([[middle], [root]]);
  expect(live).toMatchObject(known);
});

test("domains in a circle are read once each", async () => {
  const { reader, asked } = await askingCatalog([stored(low, middle), stored(middle, low)]);
  await withAncestors(reader, { declared: stateOf(under(leaf, low)), from: [leaf] }, nothing);
  expect(asked).toEqual([low, middle].map((of) => ["ReadDefinitions", of]));
});
