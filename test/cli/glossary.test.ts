import { expect, test } from "vitest";
import { type MadeAspect, metadataFile, temporaryDirectory } from "../support/catalog.ts";
import { schemaWith } from "../support/schema.ts";
import { appliedRef, settingsWith, type Site, siteWith, writesIn } from "../support/site.ts";
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
  serving: Parameters<typeof siteWith>[2] = {},
  ...settings: readonly string[]
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

test("a term that is stored twice is one value, and both of its entries are taken off", async () => {
  const live: MadeAspect = [orders, "glossaryTerms", termed("revenue", "revenue")];
  const site = await siteOn([dataset, revenue, live], { "a.yaml": ordersWith("glossary_terms: [revenue]") });
  expect((await site.plan()).stdout).toContain("No changes.");
  site.commit({ "catalog/a.yaml": ordersWith("glossary_terms: []") });
  expect(await site.apply()).toMatchObject({ code: 0 });
  expect(site.aspect(orders, "glossaryTerms")).toMatchObject({ terms: [] });
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

test.each(["graphql", "conditional"])(
  "terms that others put there keep their attribution, with writes: %s",
  async (writes) => {
    const attribution = { time: 7, actor: "urn:li:corpuser:ada", source: "urn:li:dataHubAction:propagation" };
    const aspect = { auditStamp, terms: [{ urn: term("margin"), attribution }] };
    const site = await siteOn(
      [dataset, revenue, termInfo("margin"), [orders, "glossaryTerms", aspect]],
      { "a.yaml": ordersWith("manage: { glossary_terms: merge }, glossary_terms: [revenue]") },
      {},
      `writes: ${writes}`,
    );
    expect(await site.apply()).toMatchObject({ code: 0 });
    expect(site.aspect(orders, "glossaryTerms")).toMatchObject({
      terms: [{ urn: term("margin"), attribution }, { urn: term("revenue") }],
    });
  },
);

test("a proposal takes a circle with what is in the catalog as the parent of a group: a plan refuses it", async () => {
  const site = await siteOn([nodeInfo("a"), nodeInfo("b", { parentNode: node("a") })], {
    "a.yaml": "kind: GlossaryNode\nid: a\nparent_node: b\n",
  });
  const refused = await site.plan();
  expect(refused).toMatchObject({ code: 3, stderr: expect.stringContaining("a → b → a") });
});

/** A site of which a term and the group above it were applied, and are no longer declared. */
async function prunedSite(
  live: readonly MadeAspect[],
  serving: Parameters<typeof siteWith>[2] = {},
): Promise<Site> {
  const site = await siteOn(
    [
      ["urn:li:tag:keep", "tagProperties", { name: "keep" }],
      nodeInfo("a"),
      termInfo("x", { parentNode: node("a") }),
      ...live,
    ],
    {
      "keep.yaml": "kind: Tag\nid: keep\n",
      "gone.yaml": "- { kind: GlossaryNode, id: a }\n- { kind: GlossaryTerm, id: x, parent_node: a }\n",
    },
    serving,
  );
  site.git("update-ref", appliedRef, "HEAD");
  site.commit({ "catalog/gone.yaml": undefined });
  return site;
}

test("a group is not deleted as long as something is below it that nobody declares", async () => {
  const site = await prunedSite([
    termInfo("y", { parentNode: node("a") }),
    nodeInfo("b", { parentNode: node("a") }),
  ]);
  const { problems } = await site.planned("--prune");
  expect(problems).toMatchObject([
    { code: "deleted-parent", args: { urn: node("a"), below: [node("b"), term("y")] } },
  ]);
});

const uses: readonly MadeAspect[] = [
  revenue,
  dataset,
  [orders, "glossaryTerms", termed("x", "revenue")],
  [
    orders,
    "editableSchemaMetadata",
    { editableSchemaFieldInfo: [{ fieldPath: "email", glossaryTerms: termed("x", "revenue") }] },
  ],
  [term("revenue"), "glossaryRelatedTerms", { isRelatedTerms: [term("x")], values: [term("x")] }],
];

let time = 1_700_000_000_000;

test("deleteGlossaryEntity looks for nothing: uses of a term go first, then what is below, where the index is there late", async () => {
  const site = await prunedSite(uses, { lag: 5, now: () => (time += 100) });
  const { code, stdout, stderr } = await site.apply("--prune");
  expect({ code, stdout, stderr }).toMatchObject({ code: 0 });
  const deletions = site.catalog.requests
    .map(({ body }) => JSON.stringify(body ?? {}))
    .filter((body) => body.includes("deleteGlossaryEntity"));
  const order = deletions.join("").match(/urn:li:glossary\w+:\w+/g) ?? [];
  expect([...new Set(order)]).toEqual([term("x"), node("a")]);
  expect(sentTo(site).slice(-2)).toEqual(["deleteGlossaryEntity", "deleteGlossaryEntity"]);
  const rest = JSON.stringify(site.catalog.aspects().filter(({ version }) => version === 0));
  expect(rest).not.toContain(`"${term("x")}"`);
});

test("a proposal takes a term as related to itself, which a manifest cannot say: export leaves the relation out", async () => {
  const related = { isRelatedTerms: [term("revenue")], hasRelatedTerms: [term("margin")] };
  const site = await siteOn(
    [revenue, termInfo("margin"), [term("revenue"), "glossaryRelatedTerms", related]],
    { "keep.yaml": "kind: Tag\nid: keep\n" },
  );
  expect(await site.run(["export", "exported"])).toMatchObject({ code: 0 });
  const plan = await site.run(["plan", "exported", "--detailed-exitcode"]);
  expect(plan).toMatchObject({ code: 0, stdout: expect.stringContaining("No changes.") });
});

test("terms that inherit each other are a problem of validate, and an export leaves that out", async () => {
  const inherits = (id: string, ...others: readonly string[]): MadeAspect => [
    term(id),
    "glossaryRelatedTerms",
    { isRelatedTerms: others.map(term) },
  ];
  const terms = ["a", "b"].map(
    (id) => `kind: GlossaryTerm\nid: ${id}\ninherits: [${id === "a" ? "b" : "a"}]\n`,
  );
  const site = await siteOn([termInfo("a"), termInfo("b"), inherits("a", "b"), inherits("b", "a")], {
    "a.yaml": terms.join("---\n"),
  });

  expect(await site.run(["plan"])).toMatchObject({
    code: 3,
    stderr: expect.stringContaining(
      "catalog/a.yaml:3:1 error self-reference: glossary terms form a cycle through `inherits`: a → b → a",
    ),
  });
  expect(await site.run(["export", "exported"])).toMatchObject({ code: 0 });
  expect(await site.run(["plan", "exported", "--detailed-exitcode"])).toMatchObject({ code: 0 });
});
