import { expect, test } from "vitest";
import type { Change } from "../../src/model/change.ts";
import type { Live } from "../../src/model/live.ts";
import { type Entity, scalarOf, setOf } from "../../src/model/state.ts";
import type { Urn } from "../../src/model/urn.ts";
import { noEdges } from "../../src/model/membership.ts";
import type { Comparison } from "../../src/plan/compare.ts";
import { readLeftoversAndNames, ownersOf } from "../../src/sync/details.ts";
import type { PlanContent } from "../../src/plan/plan.ts";
import { defaultPolicy } from "../../src/plan/base/policy.ts";
import type { Declarations } from "../../src/sync/rules/expand-rules.ts";
import { datasetNamed, entityOf, liveOf, stateOf, urn } from "../support/states.ts";
import { type Asking, askingCatalog } from "./read/asking.ts";

const [orders, clicks, fresh] = ["orders", "clicks", "fresh"].map(datasetNamed) as [Urn, Urn, Urn];
const [alice, bob, carol] = ["alice", "bob", "carol"].map((id) => urn(`urn:li:corpuser:${id}`)) as [
  Urn,
  Urn,
  Urn,
];
const [pii, sales] = [urn("urn:li:tag:pii"), urn("urn:li:domain:sales")];
const none = urn("urn:li:ownershipType:__system__none");

const ownedBy = (owner: Urn): object => ({
  owners: [{ owner, type: "NONE" }],
  lastModified: { time: 0, actor: alice },
});
const owners = (owner: Urn): Entity["facets"] => new Map([["owners", setOf([{ owner, type: none }])]]);

const world = [
  [orders, "ownership", ownedBy(alice)],
  [clicks, "ownership", ownedBy(bob)],
  [pii, "tagProperties", { name: "Personal data" }],
  [sales, "domainProperties", { name: "Sales" }],
] as const;

const changing = (of: Urn, kind = "Dataset", action: "update" | "create" = "update"): Change => {
  const about = { action, kind, urn: of, fingerprint: "" } as const;
  return { ...about, shape: "scalar", facet: "description", before: null, after: "d" };
};

interface World {
  readonly desired?: readonly Entity[];
  readonly live?: readonly Entity[];
}

/** What was declared, and what was read for it. */
function compared({ desired = [], live = [] }: World) {
  const state = stateOf(...desired);
  const found: Live = liveOf(stateOf(...live));
  const declared = { desired: { state, references: [] }, policy: defaultPolicy } as unknown as Declarations;
  return { declared, catalog: { live: found, edges: noEdges, existence: new Map() } };
}

/** The owners of what changes, and of what they were asked. */
async function ownersFound(changes: readonly Change[], world_: World, asking?: Asking) {
  const { reader, asked } = asking ?? (await askingCatalog(world));
  const result = await ownersOf(reader, { changes } as unknown as Comparison, compared(world_), {});
  return { ...result, asked: asked.flatMap(([, ...urns]) => urns) };
}

test("owners are read of what changes, where they were not read before, and of nothing that is created", async () => {
  const live = [
    { ...entityOf("Dataset", orders, {}), facets: owners(carol) },
    entityOf("Dataset", clicks, { tags: setOf([]) }),
  ];
  const changes = [
    changing(orders),
    changing(clicks),
    changing(fresh, "Dataset", "create"),
    changing(alice, "User"),
  ];
  expect(await ownersFound(changes, { live })).toEqual({
    owners: [bob, carol],
    problems: [],
    asked: [clicks],
  });
});

test("the owners that are declared count, too", async () => {
  const desired = [{ ...entityOf("Dataset", fresh, {}), facets: owners(carol) }];
  const changes = [changing(fresh, "Dataset", "create"), changing(orders)];
  expect(await ownersFound(changes, { desired })).toMatchObject({ owners: [alice, carol], asked: [orders] });
});

test("where owners cannot be read it is a warning, at the place of the declaration", async () => {
  const origin = { file: "catalog/a.yaml", line: 4, column: 1 };
  const desired = [{ ...entityOf("Dataset", orders, {}), origin }];
  const asking = await askingCatalog(world, { ReadAssets: [orders, clicks] });
  const { problems, owners: known } = await ownersFound(
    [changing(orders), changing(clicks)],
    { desired },
    asking,
  );
  const problem = { code: "ownership-unread", severity: "warning" };
  expect(problems).toEqual([
    { ...problem, args: { urn: orders, error: expect.any(String) }, origin },
    { ...problem, args: { urn: clicks, error: expect.any(String) } },
  ]);
  expect(known).toEqual([]);
});

test("a plan has the names of what it shows; those that manifests or the catalog know are not read again", async () => {
  const { reader, asked } = await askingCatalog(world);
  const change: Change = {
    action: "update",
    kind: "Dataset",
    urn: orders,
    fingerprint: "",
    shape: "scalar",
    facet: "domain",
    before: null,
    after: sales,
  };
  const tagging: Change = { ...change, shape: "set", facet: "tags", add: [pii], remove: [] };
  const content = { changes: [change, tagging], unmanaged: [], findings: [] } as unknown as PlanContent;
  const live = [entityOf("Domain", sales, { name: scalarOf("Sales"), removed: scalarOf(false) })];
  const { names } = await readLeftoversAndNames(reader, content, compared({ live }), {});
  expect(names).toEqual({ [pii]: "Personal data", [sales]: "Sales" });
  expect(asked.flatMap(([, ...urns]) => urns)).not.toContain(sales);
});
