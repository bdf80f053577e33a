import { expect, test } from "vitest";
import type { Reader } from "../../../src/datahub/client.ts";
import { facetsOf } from "../../../src/facets/index.ts";
import type { DeclaredReference } from "../../../src/model/reference.ts";
import { type FacetValue, scalarOf } from "../../../src/model/state.ts";
import type { Urn } from "../../../src/model/urn.ts";
import type { SnapshotScope } from "../../../src/sync/snapshot/scope.ts";
import { takeSnapshot } from "../../../src/sync/snapshot/take-snapshot.ts";
import type { MadeAspect } from "../../support/catalog.ts";
import { ruleFor, withColumns } from "../../support/rules.ts";
import { schemaWith } from "../../support/schema.ts";
import { datasetNamed, entityOf, stateOf, urn } from "../../support/states.ts";
import { type Asking, askingCatalog } from "../read/asking.ts";

const [orders, clicks, views] = ["orders", "clicks", "views"].map(datasetNamed) as [Urn, Urn, Urn];
const chart = urn("urn:li:chart:(looker,1)");
const [domain, tag, ada] = [urn("urn:li:domain:d"), urn("urn:li:tag:t"), urn("urn:li:corpuser:ada")];

const world: readonly MadeAspect[] = [
  [orders, "schemaMetadata", schemaWith("id")],
  [orders, "domains", { domains: [domain] }],
  [clicks, "schemaMetadata", schemaWith("id")],
  [views, "schemaMetadata", schemaWith("id")],
  [chart, "chartInfo", { title: "c", description: "", lastModified: {} }],
  [domain, "domainProperties", { name: "d" }],
  [domain, "ownership", { owners: [{ owner: ada, type: "NONE" }], lastModified: { time: 0, actor: ada } }],
  [tag, "tagProperties", { name: "t" }],
];

const header = { tool: "t", createdAt: "2026-01-01T00:00:00.000Z", target: "http://a" };
const ofColumns: FacetValue = { shape: "map", entries: new Map() };

const holds: SnapshotScope["deciding"]["holds"] = ({ kind }, asset) =>
  kind === "Dataset" && asset.urn === clicks;
const deciding = { rules: [withColumns(ruleFor("Dataset")), ruleFor("Chart")], holds };

const referring = (of: Urn, facet: string): DeclaredReference => ({
  urn: of,
  facet,
  from: orders,
  entityType: "",
  origin: { file: "a", line: 1, column: 1 },
});

async function take(
  scope: Partial<SnapshotScope>,
  options: { readonly batch?: number } = {},
): Promise<Asking["asked"]> {
  const { reader, asked } = await askingCatalog(world);
  const none = { desired: { state: stateOf(), references: [] }, deciding: { rules: [], holds } };
  await takeSnapshot(reader, { ...none, ...scope }, { ...header, ...options });
  return asked;
}

/** The entities that were asked for by a query. */
function askedBy(asked: Asking["asked"], query: string): readonly string[] {
  return asked.flatMap(([name, ...urns]) => (name === query ? urns : []));
}

const ownColumns = entityOf("Dataset", clicks, { "columns.tags": ofColumns, description: scalarOf("a") });
const declared = {
  state: stateOf(
    ownColumns,
    entityOf("Dataset", orders, { description: scalarOf("a") }),
    entityOf("Domain", domain, {}),
  ),
  references: [referring(tag, "tags"), referring(domain, "domain"), referring(views, "assets")],
};

test("nothing is asked twice, except whether definitions exist, which their lists ask again", async () => {
  const times = new Map<string, number>();
  for (const [query, ...urns] of await take({ desired: declared, deciding }))
    for (const of of urns) times.set(`${query} ${of}`, (times.get(`${query} ${of}`) ?? 0) + 1);
  const most = (key: string): number => (key.startsWith("ReadExistence") ? 2 : 1);
  expect([...times].filter(([key, each]) => each > most(key))).toEqual([]);
});

test("each request asks for no more entities than a batch has", async () => {
  const asked = await take({ desired: declared, deciding, judged: ["Dataset"] }, { batch: 1 });
  expect(asked.filter(([, ...urns]) => urns.length > 1)).toEqual([]);
});

test("columns are asked for of the declared assets that have values of columns", async () => {
  const state = stateOf(
    ownColumns,
    entityOf("Dataset", orders, { structured_properties: ofColumns }),
    entityOf("Chart", chart, { structured_properties: ofColumns }),
  );
  const asked = await take({ desired: { state, references: [] } });
  expect(askedBy(asked, "ReadAssetColumns")).toEqual([clicks]);
});

test.each<readonly [string, (state: SnapshotScope["desired"]["state"]) => Partial<SnapshotScope>]>([
  ["is declared", (state) => ({ desired: { state, references: [] } })],
  ["was declared before", (before) => ({ before })],
])("values in entities of columns are asked for of all columns where such a value %s", async (_, scope) => {
  const state = stateOf(entityOf("Dataset", orders, { "columns.structured_properties": ofColumns }));
  expect(askedBy(await take(scope(state)), "ReadColumnValues")).toEqual([
    `urn:li:schemaField:(${orders},id)`,
  ]);
  const other = stateOf(entityOf("Dataset", orders, { description: scalarOf("a") }));
  expect(askedBy(await take(scope(other)), "ReadColumnValues")).toEqual([]);
});

test("of what live values name nothing is asked but what is above it", async () => {
  const state = stateOf(entityOf("Dataset", orders, {}));
  const read = askedBy(await take({ desired: { state, references: [] } }), "ReadDefinitions");
  expect(read).toContain(domain);
  expect(read).not.toContain(ada);
});

test("whether an asset exists is asked of what a manifest refers to, and of what is in a group by it", async () => {
  const existing = async (...references: readonly DeclaredReference[]): Promise<readonly string[]> =>
    askedBy(await take({ desired: { state: stateOf(), references } }), "ReadExistence");
  const always = await existing();
  expect(always).not.toContain(orders);
  const without = async (...references: readonly DeclaredReference[]): Promise<readonly string[]> =>
    (await existing(...references)).filter((of) => !always.includes(of));
  expect(await without(referring(tag, "tags"))).toEqual([]);
  expect(await without(referring(views, "assets"))).toEqual([orders, views]);
});

test("of stored aspects those are asked for that keep values of an entity", async () => {
  const { reader } = await askingCatalog(world);
  const asked = new Map<string, readonly string[]>();
  const read: Reader["stored"]["read"] = async (type, wanted, signal) => {
    for (const { urn: of, aspects } of wanted) asked.set(of, aspects);
    return await reader.stored.read(type, wanted, signal);
  };
  const desired = { state: stateOf(entityOf("Group", urn("urn:li:corpGroup:a"), {})), references: [] };
  const none = { rules: [], holds };
  await takeSnapshot({ ...reader, stored: { read } }, { desired, deciding: none }, header);
  const aspects = facetsOf("Group").map(({ storedIn }) => storedIn?.("Group"));
  const stored = new Set(aspects.filter((each) => each !== undefined));
  expect(asked.get("urn:li:corpGroup:a")?.toSorted()).toEqual([...stored].toSorted());
});
