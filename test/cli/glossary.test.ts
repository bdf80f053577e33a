import { expect, test } from "vitest";
import { type MadeAspect, metadataFile, temporaryDirectory } from "../support/catalog.ts";
import { schemaWith } from "../support/schema.ts";
import { settingsWith, type Site, siteWith, writesIn } from "../support/site.ts";
import { datasetNamed } from "../support/states.ts";

const orders = datasetNamed("orders");
const term = (id: string): string => `urn:li:glossaryTerm:${id}`;
const node = (id: string): string => `urn:li:glossaryNode:${id}`;
const auditStamp = { time: 0, actor: "urn:li:corpuser:x" };
const termed = (...ids: readonly string[]) => ({ terms: ids.map((id) => ({ urn: term(id) })), auditStamp });

function termInfo(id: string, more: object = {}): MadeAspect {
  return [term(id), "glossaryTermInfo", { definition: "", termSource: "INTERNAL", name: id, ...more }];
}

function nodeInfo(id: string, more: object = {}): MadeAspect {
  return [node(id), "glossaryNodeInfo", { definition: "", name: id, ...more }];
}

const dataset: MadeAspect = [orders, "schemaMetadata", schemaWith("email", "name")];

function ordersWith(fields: string): string {
  return `{ kind: Dataset, platform: snowflake, name: orders, ${fields} }\n`;
}

const lenient = "guards: { removals: { max_percent: 100 }, deletes: { max_count: 9 } }";

/** A site with what is in the catalog. */
async function siteOn(
  live: readonly MadeAspect[],
  files: Readonly<Record<string, string>>,
  {
    settings = [],
    serving = {},
  }: { settings?: readonly string[]; serving?: Parameters<typeof siteWith>[2] } = {},
): Promise<Site> {
  const site = await siteWith(files, settingsWith(lenient, ...settings), serving);
  await site.catalog.load(metadataFile(temporaryDirectory(), live));
  return site;
}

/** The names of the mutations that were sent, in order. */
function sentTo(site: Site): readonly string[] {
  return writesIn(site.catalog).flatMap((text) =>
    [...text.matchAll(/o\d+: (\w+)/g)].map(([, name = ""]) => name),
  );
}

const revenue = termInfo("revenue");

test("addTerms stores a term twice that it is given twice: it is sent once, however often it is declared", async () => {
  const site = await siteOn([dataset, revenue], {
    "a.yaml": ordersWith("glossary_terms: [revenue]"),
    "b.yaml": ordersWith(`glossary_terms: ["${term("revenue")}"]`),
  });
  expect(await site.apply()).toMatchObject({ code: 0 });
  expect(site.aspect(orders, "glossaryTerms")).toMatchObject({ terms: [{ urn: term("revenue") }] });
  expect(sentTo(site)).toEqual(["addTerms"]);
});

test("a term that is stored twice is one value, and both of its entries are taken off", async () => {
  const live: MadeAspect = [orders, "glossaryTerms", termed("revenue", "revenue")];
  const site = await siteOn([dataset, revenue, live], { "a.yaml": ordersWith("glossary_terms: [revenue]") });
  expect((await site.plan()).stdout).toContain("No changes.");
  site.commit({ "catalog/a.yaml": ordersWith("glossary_terms: []") });
  expect(await site.apply()).toMatchObject({ code: 0 });
  expect(site.aspect(orders, "glossaryTerms")).toMatchObject({ terms: [] });
});

test("addTerms raises the version of terms that are there: what is in sync is not written", async () => {
  const site = await siteOn([dataset, revenue, [orders, "glossaryTerms", termed("revenue")]], {
    "a.yaml": ordersWith("glossary_terms: [revenue]"),
  });
  expect(await site.apply()).toMatchObject({ code: 0 });
  expect(sentTo(site)).toEqual([]);
});

const ingested: MadeAspect = [
  orders,
  "schemaMetadata",
  {
    ...schemaWith("email"),
    fields: [
      { ...(schemaWith("email")["fields"] as readonly object[])[0], glossaryTerms: termed("revenue") },
    ],
  },
];

test("removeTerm fails on a column without a record: it is not sent for a term that ingestion put there", async () => {
  const site = await siteOn([ingested, revenue], {
    "a.yaml": ordersWith("columns: { email: { glossary_terms: [] } }"),
  });
  const { code, stdout } = await site.apply();
  expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining("No changes.") });
  expect(sentTo(site)).toEqual([]);
});

test("batchAddTerms keeps the terms of the last of several columns: each column has a write of its own", async () => {
  const site = await siteOn([dataset, revenue, termInfo("email")], {
    "a.yaml": ordersWith(
      "columns: { email: { glossary_terms: [email] }, name: { glossary_terms: [revenue] } }",
    ),
  });
  expect(await site.apply()).toMatchObject({ code: 0 });
  expect(sentTo(site)).toEqual(["addTerms", "addTerms"]);
  expect(site.aspect(orders, "editableSchemaMetadata")).toMatchObject({
    editableSchemaFieldInfo: [
      { fieldPath: "email", glossaryTerms: { terms: [{ urn: term("email") }] } },
      { fieldPath: "name", glossaryTerms: { terms: [{ urn: term("revenue") }] } },
    ],
  });
});

const gone: MadeAspect = [term("revenue"), "status", { removed: true }];

test("addTerms takes a soft-deleted term: a plan refuses it, unless a manifest declares the term, which restores it first", async () => {
  const site = await siteOn([dataset, revenue, gone], { "a.yaml": ordersWith("glossary_terms: [revenue]") });
  const refused = await site.plan();
  expect(refused).toMatchObject({ code: 3 });
  expect(refused.stderr + refused.stdout).toContain("revenue");

  site.commit({ "catalog/b.yaml": "kind: GlossaryTerm\nid: revenue\n" });
  expect(await site.apply()).toMatchObject({ code: 0 });
  expect(site.aspect(term("revenue"), "status")).toEqual({ removed: false });
  expect(site.aspect(orders, "glossaryTerms")).toMatchObject({ terms: [{ urn: term("revenue") }] });
});

test.each(["graphql", "conditional"])(
  "terms that others put there keep their attribution, with writes: %s",
  async (writes) => {
    const attribution = { time: 7, actor: "urn:li:corpuser:ada", source: "urn:li:dataHubAction:propagation" };
    const theirs = { ...auditStamp, ...termed(), terms: [{ urn: term("margin"), attribution }] };
    const { time: _, actor: _actor, ...aspect } = theirs;
    const site = await siteOn(
      [dataset, revenue, termInfo("margin"), [orders, "glossaryTerms", aspect]],
      { "a.yaml": ordersWith("manage: { glossary_terms: merge }, glossary_terms: [revenue]") },
      { settings: [`writes: ${writes}`] },
    );
    expect(await site.apply()).toMatchObject({ code: 0 });
    expect(site.aspect(orders, "glossaryTerms")).toMatchObject({
      terms: [{ urn: term("margin"), attribution }, { urn: term("revenue") }],
    });
  },
);

test.each([
  ["a missing group above", [], "kind: GlossaryNode\nid: a\nparent_node: missing\n", "missing"],
  ["itself", [], "kind: GlossaryNode\nid: a\nparent_node: a\n", "a → a"],
  [
    "a circle of manifests",
    [],
    "- { kind: GlossaryNode, id: a, parent_node: b }\n- { kind: GlossaryNode, id: b, parent_node: a }\n",
    "a → b → a",
  ],
  [
    "a circle with what is in the catalog",
    [nodeInfo("a"), nodeInfo("b", { parentNode: node("a") })],
    "kind: GlossaryNode\nid: a\nparent_node: b\n",
    "a → b → a",
  ],
] as const)(
  "a proposal takes %s as the parent of a group: a plan refuses it",
  async (_, live, manifest, said) => {
    const site = await siteOn(live, { "a.yaml": manifest });
    const refused = await site.apply();
    expect(refused).toMatchObject({ code: 3 });
    expect(refused.stderr + refused.stdout).toContain(said);
    expect(writesIn(site.catalog)).toEqual([]);
  },
);

test("createGlossaryTerm alone refuses a name that a sibling has: an apply takes it", async () => {
  const site = await siteOn([nodeInfo("a"), termInfo("x", { name: "Revenue", parentNode: node("a") })], {
    "a.yaml": "kind: GlossaryTerm\nid: y\nname: Revenue\nparent_node: a\n",
  });
  expect(await site.apply()).toMatchObject({ code: 0 });
  expect(site.aspect(term("y"), "glossaryTermInfo")).toMatchObject({
    name: "Revenue",
    parentNode: node("a"),
  });
});

const tree = {
  "keep.yaml": "kind: Tag\nid: keep\n",
  "gone.yaml": "- { kind: GlossaryNode, id: a }\n- { kind: GlossaryTerm, id: x, parent_node: a }\n",
};

/** A site of which a term and the group above it were applied, and are no longer declared. */
async function prunedSite(serving: Parameters<typeof siteWith>[2] = {}): Promise<Site> {
  const site = await siteWith(tree, settingsWith(lenient), serving);
  expect(await site.apply()).toMatchObject({ code: 0 });
  site.commit({ "catalog/gone.yaml": undefined });
  return site;
}

test("deleteGlossaryEntity looks for nothing below: what is below goes first", async () => {
  const site = await prunedSite();
  const { code, stdout } = await site.apply("--prune");
  expect({ code, stdout }).toMatchObject({ code: 0 });
  expect(sentTo(site)).toEqual(["deleteGlossaryEntity", "deleteGlossaryEntity"]);
  const deletions = site.catalog.requests
    .map(({ body }) => JSON.stringify(body ?? {}))
    .filter((body) => body.includes("deleteGlossaryEntity"));
  const order = deletions.join().match(/urn:li:glossary\w+:\w+/g) ?? [];
  expect([...new Set(order)]).toEqual([term("x"), node("a")]);
  expect(site.catalog.aspects().filter(({ urn }) => /glossary/.test(urn))).toEqual([]);
});

test.each([
  ["a term", termInfo("y", { parentNode: node("a") })],
  ["a group", nodeInfo("b", { parentNode: node("a") })],
])("a group is not deleted as long as %s is below it that nobody declares", async (_, child) => {
  const site = await prunedSite();
  await site.catalog.load(metadataFile(temporaryDirectory(), [child]));
  const refused = await site.apply("--prune");
  expect(refused).toMatchObject({ code: 3 });
  expect(refused.stderr + refused.stdout).toContain(child[0]);
  expect(sentTo(site)).toEqual([]);
});

const uses: readonly (readonly [string, readonly MadeAspect[]])[] = [
  ["on an asset", [dataset, [orders, "glossaryTerms", termed("x", "revenue")]]],
  [
    "on a column",
    [
      dataset,
      [
        orders,
        "editableSchemaMetadata",
        { editableSchemaFieldInfo: [{ fieldPath: "email", glossaryTerms: termed("x", "revenue") }] },
      ],
    ],
  ],
  [
    "in a relation of another term",
    [[term("revenue"), "glossaryRelatedTerms", { isRelatedTerms: [term("x")], values: [term("x")] }]],
  ],
];

test.each(uses)("deleteGlossaryEntity looks for no uses: a term %s is taken off first", async (_, live) => {
  const site = await prunedSite();
  await site.catalog.load(metadataFile(temporaryDirectory(), [revenue, ...live]));
  const { code, stdout, stderr } = await site.apply("--prune");
  expect({ code, stdout, stderr }).toMatchObject({ code: 0 });
  const rest = JSON.stringify(site.catalog.aspects().filter(({ version }) => version === 0));
  expect(rest).not.toContain(`"${term("x")}"`);
});

test.each(uses)("a term %s leaves nothing behind where the index is late", async (_, live) => {
  let time = 1_700_000_000_000;
  const site = await prunedSite({ lag: 5, now: () => (time += 100) });
  await site.catalog.load(metadataFile(temporaryDirectory(), [revenue, ...live]));
  const { code, stdout, stderr } = await site.apply("--prune");
  expect({ code, stdout, stderr }).toMatchObject({ code: 0 });
  const rest = JSON.stringify(site.catalog.aspects().filter(({ version }) => version === 0));
  expect(rest).not.toContain(`"${term("x")}"`);
});

test.each([
  ["a term below it", `createGlossaryTerm(input: { id: "y", name: "y", parentNode: "${node("a")}" })`],
  ["a group below it", `createGlossaryNode(input: { id: "b", name: "b", parentNode: "${node("a")}" })`],
])("a group that got %s since the plan is not deleted", async (_, mutation) => {
  const site = await prunedSite();
  expect(await site.plan("--prune", "--out", "plan.json")).toMatchObject({ code: 0 });
  await site.edit(mutation);
  expect(await site.run(["apply", "plan.json"])).toMatchObject({ code: 6 });
  expect(site.aspect(node("a"), "glossaryNodeInfo")).toBeDefined();
});

test("a proposal takes a term as related to itself, which a manifest cannot say: export leaves the relation out", async () => {
  const related = { isRelatedTerms: [term("revenue")], hasRelatedTerms: [term("margin")] };
  const site = await siteOn(
    [revenue, termInfo("margin"), [term("revenue"), "glossaryRelatedTerms", related]],
    {
      "keep.yaml": "kind: Tag\nid: keep\n",
    },
  );
  expect(await site.run(["export", "exported"])).toMatchObject({ code: 0 });
  const plan = await site.run(["plan", "exported", "--detailed-exitcode"]);
  expect(plan).toMatchObject({ code: 0, stdout: expect.stringContaining("No changes.") });
});
