import { expect, test } from "vitest";
import { change, ingest } from "../rest.ts";
import { alice, catalogWith, finance, proposal, shop, type TestCatalog } from "../support.ts";
import { finances, glossary, margin, revenue } from "../samples.ts";

const world = [...shop, ...glossary];
const assets = "urn:li:glossaryNode:assets";
const cash = "urn:li:glossaryTerm:cash";
const user = "urn:li:corpuser:datahub";

/** Two more levels below the node: a node, and a term in it. */
const tree = [
  ...world,
  proposal(assets, "glossaryNodeInfo", { definition: "", parentNode: finances }),
  proposal(cash, "glossaryTermInfo", { definition: "", termSource: "INTERNAL", parentNode: assets }),
];

const create = (kind: "Term" | "Node") =>
  `mutation ($input: CreateGlossaryEntityInput!) { made: createGlossary${kind}(input: $input) }`;

const stored = (catalog: TestCatalog, urn: string): unknown =>
  catalog.stored(urn, urn.includes("Term") ? "glossaryTermInfo" : "glossaryNodeInfo");

test.each([
  ["Term", "urn:li:glossaryTerm:a", { definition: "Text.", termSource: "INTERNAL" }],
  ["Node", "urn:li:glossaryNode:a", { definition: "Text." }],
] as const)("createGlossary%s makes it in a node, owned by its creator", async (kind, urn, info) => {
  const catalog = await catalogWith(world);
  const input = { id: "a", name: "A", description: "Text.", parentNode: finances };
  expect((await catalog.send(create(kind), { input })).data).toEqual({ made: urn });
  expect(stored(catalog, urn)).toEqual({ ...info, name: "A", parentNode: finances });
  expect(catalog.stored(urn, "ownership")).toMatchObject({
    owners: [{ owner: user, type: "TECHNICAL_OWNER" }],
  });
});

test.each(["Term", "Node"] as const)(
  "createGlossary%s needs a name only: it makes an id, and the definition is empty",
  async (kind) => {
    const catalog = await catalogWith([]);
    const { data } = await catalog.send(create(kind), { input: { name: "A" } });
    const urn = String(data?.["made"]);
    expect(urn).toMatch(/^urn:li:glossary(?:Term|Node):[0-9a-f-]{36}$/);
    expect(stored(catalog, urn)).toMatchObject({ name: "A", definition: "" });
  },
);

test.each(["Term", "Node"] as const)(
  "createGlossary%s with an id that the server does not store answers null without an error",
  async (kind) => {
    const catalog = await catalogWith([]);
    const before = catalog.dump();
    expect(await catalog.send(create(kind), { input: { id: "trailing ", name: "A" } })).toEqual({
      status: 200,
      data: { made: null },
    });
    expect(catalog.dump()).toEqual(before);
  },
);

test("sibling names are compared by createGlossaryTerm only, not for nodes, moves and renames", async () => {
  const catalog = await catalogWith(world);
  const taken = await catalog.send(create("Term"), {
    input: { name: "Revenue", parentNode: finances },
  });
  expect(taken.errors?.[0]?.extensions["code"]).toBe(400);
  await catalog.send(create("Term"), { input: { id: "other", name: "Other" } });
  const { data } = await catalog.send(
    `mutation { node: createGlossaryNode(input: { id: "f2", name: "Finances" })
       moved: updateParentNode(input: { resourceUrn: "urn:li:glossaryTerm:other", parentNode: "${finances}" })
       renamed: updateName(input: { urn: "urn:li:glossaryTerm:other", name: "Revenue" }) }`,
  );
  expect(data).toEqual({ node: "urn:li:glossaryNode:f2", moved: true, renamed: true });
});

test("a term at the root is refused the name of any term, also in a node", async () => {
  const catalog = await catalogWith(world);
  const atRoot = await catalog.send(create("Term"), { input: { name: "Revenue" } });
  expect(atRoot.errors?.[0]?.message).toContain("already exists at this level");
  const elsewhere = await catalog.send(create("Term"), {
    input: { id: "r", name: "Revenue", parentNode: "urn:li:glossaryNode:other" },
  });
  expect(elsewhere.data).toEqual({ made: "urn:li:glossaryTerm:r" });
});

const move = "mutation ($input: UpdateParentNodeInput!) { done: updateParentNode(input: $input) }";

test("updateParentNode changes the parent alone, and to the root removes it", async () => {
  const catalog = await catalogWith(tree);
  await catalog.send(move, { input: { resourceUrn: revenue, parentNode: assets } });
  expect(stored(catalog, revenue)).toEqual({
    name: "Revenue",
    definition: "What comes in.",
    termSource: "INTERNAL",
    parentNode: assets,
  });
  await catalog.send(move, { input: { resourceUrn: assets, parentNode: null } });
  expect(stored(catalog, assets)).toEqual({ definition: "" });
});

test.each([finances, assets])(
  "updateParentNode refuses to move a node below itself: %s",
  async (parentNode) => {
    const catalog = await catalogWith(tree);
    const { errors } = await catalog.send(move, { input: { resourceUrn: finances, parentNode } });
    expect(errors).toMatchObject([
      {
        message: "Cannot move a glossary node under one of its own descendants.",
        extensions: { code: 400 },
      },
    ]);
  },
);

test.each([
  ["a missing parent", assets, "urn:li:glossaryNode:none", ["urn:li:glossaryNode:none"]],
  ["a parent of itself", assets, assets, []],
  ["a circle", finances, assets, [assets]],
])("proposals take %s, and reads come to an end", async (_title, urn, parentNode, nodes) => {
  const catalog = await catalogWith(tree);
  const info = { definition: "", parentNode };
  expect((await ingest(catalog, change(urn, "glossaryNodeInfo", info))).status).toBe(200);
  const { data, errors } = await catalog.send(
    `query ($urn: String!) { glossaryNode(urn: $urn) { parentNodes { count nodes { urn } } } }`,
    { urn },
  );
  expect(errors).toBeUndefined();
  const parents = { count: nodes.length, nodes: nodes.map((each) => ({ urn: each })) };
  expect(data).toEqual({ glossaryNode: { parentNodes: parents } });
  const out = await catalog.send(move, { input: { resourceUrn: urn, parentNode: null } });
  expect(out.data).toEqual({ done: true });
});

test.each([
  [assets, "glossaryNodeInfo", { definition: "" }],
  [cash, "glossaryTermInfo", { definition: "", termSource: "INTERNAL" }],
])("the least that a proposal needs for %s", async (urn, aspect, least) => {
  const catalog = await catalogWith([]);
  for (const field of Object.keys(least)) {
    const { [field as "definition"]: _left, ...rest } = least;
    expect([field, (await ingest(catalog, change(urn, aspect, rest))).status]).toEqual([field, 422]);
  }
  expect((await ingest(catalog, change(urn, aspect, least))).status).toBe(200);
});

const relate = (verb: "add" | "remove") =>
  `mutation ($input: RelatedTermsInput!) { done: ${verb}RelatedTerms(input: $input) }`;

test.each([
  ["isA", "isRelatedTerms", "IsA"],
  ["hasA", "hasRelatedTerms", "HasA"],
])("relationships %s are in the aspect of one of both terms", async (relationshipType, list, type) => {
  const catalog = await catalogWith(world);
  const input = { urn: margin, termUrns: [revenue], relationshipType };
  const versions = () => catalog.dump().filter(({ aspect }) => aspect === "glossaryRelatedTerms").length;
  await catalog.send(relate("add"), { input });
  expect(catalog.stored(margin, "glossaryRelatedTerms")).toEqual({ [list]: [revenue] });
  expect(catalog.stored(revenue, "glossaryRelatedTerms")).toBeUndefined();
  // Adding what is there is no write.
  await catalog.send(relate("add"), { input });
  expect(versions()).toBe(1);
  const { data } = await catalog.send(
    `query ($types: [String!]!) {
      glossaryTerm(urn: "${margin}") { relationships(input: { types: $types, direction: OUTGOING }) {
        relationships { type entity { urn } } } } }`,
    { types: [type] },
  );
  expect(data).toEqual({
    glossaryTerm: { relationships: { relationships: [{ type, entity: { urn: revenue } }] } },
  });
  await catalog.send(relate("remove"), { input });
  expect(catalog.stored(margin, "glossaryRelatedTerms")).toEqual({ [list]: [] });
});

test("other lists of related terms are kept, and a term that a request names twice is stored twice", async () => {
  const lists = { values: [revenue], relatedTerms: [revenue], isRelatedTerms: [cash] };
  const catalog = await catalogWith([...tree, proposal(margin, "glossaryRelatedTerms", lists)]);
  const input = { urn: margin, termUrns: [revenue, revenue, cash], relationshipType: "isA" };
  await catalog.send(relate("add"), { input });
  expect(catalog.stored(margin, "glossaryRelatedTerms")).toEqual({
    ...lists,
    isRelatedTerms: [cash, revenue, revenue],
  });
});

test("deleteGlossaryEntity does not look for children and uses, and removes the references to what it deletes", async () => {
  const catalog = await catalogWith([
    ...tree,
    proposal(margin, "glossaryRelatedTerms", { isRelatedTerms: [cash, revenue] }),
    proposal("urn:li:chart:(looker,a)", "glossaryTerms", {
      terms: [{ urn: cash }, { urn: revenue }],
      auditStamp: { time: 0, actor: alice },
    }),
  ]);
  const remove = "mutation ($urn: String!) { done: deleteGlossaryEntity(urn: $urn) }";
  expect((await catalog.send(remove, { urn: finances })).data).toEqual({ done: true });
  expect([stored(catalog, assets), stored(catalog, revenue)]).toEqual([
    { definition: "" },
    { name: "Revenue", definition: "What comes in.", termSource: "INTERNAL" },
  ]);
  await catalog.send(remove, { urn: cash });
  expect(catalog.stored(margin, "glossaryRelatedTerms")).toEqual({ isRelatedTerms: [revenue] });
  expect(catalog.stored("urn:li:chart:(looker,a)", "glossaryTerms")).toMatchObject({
    terms: [{ urn: revenue }],
  });
});

test("a term is read with its node, domain, owners and names", async () => {
  const catalog = await catalogWith([
    ...world,
    proposal(revenue, "ownership", { owners: [{ owner: alice, type: "NONE" }] }),
  ]);
  await catalog.send(`mutation { setDomain(entityUrn: "${revenue}", domainUrn: "${finance}") }`);
  const { data, errors } = await catalog.send(
    `query ($urns: [String!]!) { entities(urns: $urns) { ... on GlossaryTerm {
       exists name hierarchicalName properties { name description definition termSource sourceUrl customProperties { key } }
       glossaryTermInfo { name } parentNodes { nodes { urn properties { name } } } domain { domain { urn } }
       ownership { owners { owner { ... on CorpUser { urn } } } } aspects(input: { aspectNames: ["glossaryTermInfo"] }) { aspectName } } } }`,
    { urns: [revenue, margin, "urn:li:glossaryTerm:none"] },
  );
  expect(errors).toBeUndefined();
  expect(data).toMatchObject({
    entities: [
      {
        exists: true,
        name: "revenue",
        hierarchicalName: "finances.revenue",
        properties: {
          name: "Revenue",
          description: "What comes in.",
          definition: "What comes in.",
          termSource: "INTERNAL",
          sourceUrl: null,
          customProperties: [],
        },
        glossaryTermInfo: { name: "Revenue" },
        parentNodes: { nodes: [{ urn: finances, properties: { name: "Finances" } }] },
        domain: { domain: { urn: finance } },
        ownership: { owners: [{ owner: { urn: alice } }] },
        aspects: [{ aspectName: "glossaryTermInfo" }],
      },
      { exists: true, properties: { name: "margin" }, parentNodes: { nodes: [] }, domain: null },
      { exists: false, properties: null, parentNodes: { nodes: [] } },
    ],
  });
});

test("a node has a name even if it does not exist, which `exists` says", async () => {
  const catalog = await catalogWith(tree);
  const { data } = await catalog.send(
    `query ($urns: [String!]!) { entities(urns: $urns) { ... on GlossaryNode {
       exists properties { name description customProperties { key } } childrenCount { termsCount nodesCount } } } }`,
    { urns: [finances, assets, "urn:li:glossaryNode:none"] },
  );
  expect(data).toEqual({
    entities: [
      {
        exists: true,
        properties: { name: "Finances", description: "Money.", customProperties: [] },
        childrenCount: { termsCount: 1, nodesCount: 1 },
      },
      {
        exists: true,
        properties: { name: "assets", description: "", customProperties: [] },
        childrenCount: { termsCount: 1, nodesCount: 0 },
      },
      {
        exists: false,
        properties: { name: "none", description: null, customProperties: null },
        childrenCount: { termsCount: 0, nodesCount: 0 },
      },
    ],
  });
});

test("what is in a node is found by glossaryChildrenSearch, page by page, and by the filter parentNode", async () => {
  const catalog = await catalogWith(tree);
  const children = `query ($id: String) { glossaryNode(urn: "${finances}") { glossaryChildrenSearch(input: {
    types: [GLOSSARY_TERM, GLOSSARY_NODE], query: "*", count: 1, scrollId: $id }) {
    nextScrollId total searchResults { entity { urn } } } } }`;
  const page = async (id: unknown) => {
    const { data } = await catalog.send(children, { id });
    return (data as never)["glossaryNode"]["glossaryChildrenSearch"] as Record<string, unknown>;
  };
  const first = await page(null);
  const second = await page(first["nextScrollId"]);
  const last = await page(second["nextScrollId"]);
  expect([first, second, last]).toMatchObject([
    { total: 2, searchResults: [{ entity: { urn: assets } }] },
    { total: 2, searchResults: [{ entity: { urn: revenue } }] },
    { nextScrollId: null, searchResults: [] },
  ]);
  const found = async (field: string, value: string): Promise<unknown> => {
    const { data } = await catalog.send(
      `query ($and: [FacetFilterInput!]) { searchAcrossEntities(input: { types: [GLOSSARY_TERM, GLOSSARY_NODE],
         query: "*", orFilters: [{ and: $and }] }) { searchResults { entity { urn } } } }`,
      { and: [{ field, values: [value] }] },
    );
    return (data as never)["searchAcrossEntities"]["searchResults"];
  };
  expect(await found("parentNode", assets)).toEqual([{ entity: { urn: cash } }]);
  expect(await found("name", "Revenue")).toEqual([{ entity: { urn: revenue } }]);
  expect(await found("id", "finances.revenue")).toEqual([{ entity: { urn: revenue } }]);
  expect(await found("displayName", "Finances")).toEqual([{ entity: { urn: finances } }]);
  expect(await found("name", "finances")).toEqual([{ entity: { urn: finances } }]);
});

test("whoever has the token may manage the glossary", async () => {
  const catalog = await catalogWith([]);
  const { data } = await catalog.send("{ me { platformPrivileges { manageGlossaries } } }");
  expect(data).toEqual({ me: { platformPrivileges: { manageGlossaries: true } } });
});
