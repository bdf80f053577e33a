import { expect, test } from "vitest";
import {
  alice,
  catalogWith,
  column,
  missing,
  orders,
  pii,
  proposal,
  shop,
  temporaryDirectory,
} from "../support.ts";
import { chart, glossary, margin, revenue, samples } from "../samples.ts";

const world = [...shop, ...samples, ...glossary];
const user = "urn:li:corpuser:datahub";
const start = 1_700_000_000_000;

/** A catalog whose clock the test moves. */
async function atTime(records: readonly object[]) {
  let time = start;
  const catalog = await catalogWith(records, { now: () => time, dataDir: temporaryDirectory() });
  return { ...catalog, later: (seconds: number) => void (time += seconds * 1_000) };
}

const addTerms = "mutation ($input: AddTermsInput!) { done: addTerms(input: $input) }";
const removeTerm = "mutation ($input: TermAssociationInput!) { done: removeTerm(input: $input) }";
const batchAdd = "mutation ($input: BatchAddTermsInput!) { done: batchAddTerms(input: $input) }";
const batchRemove = "mutation ($input: BatchRemoveTermsInput!) { done: batchRemoveTerms(input: $input) }";

const inColumn = (subResource: string) => ({
  resourceUrn: orders,
  subResourceType: "DATASET_FIELD",
  subResource,
});
const stampAt = (time: number) => ({ time, actor: user });
const terms = (...urns: readonly string[]) => urns.map((urn) => ({ urn }));

test("terms are stored with the stamp of their last change, and without an attribution", async () => {
  const catalog = await atTime(world);
  await catalog.send(addTerms, { input: { termUrns: [revenue], resourceUrn: orders } });
  expect(catalog.stored(orders, "glossaryTerms")).toEqual({
    auditStamp: stampAt(start),
    terms: terms(revenue),
  });
});

test("addTerms appends missing terms, and keeps the attribution of existing ones", async () => {
  const there = { urn: margin, actor: alice, context: "x", attribution: { time: 1, actor: alice } };
  const auditStamp = { time: 1, actor: alice };
  const catalog = await atTime([...world, proposal(orders, "glossaryTerms", { terms: [there], auditStamp })]);
  await catalog.send(addTerms, { input: { termUrns: [margin, revenue], resourceUrn: orders } });
  expect(catalog.stored(orders, "glossaryTerms")).toEqual({
    auditStamp: stampAt(start),
    terms: [there, { urn: revenue }],
  });
  const { data } = await catalog.send(
    `{ dataset(urn: "${orders}") { glossaryTerms { terms { term { urn name } actor { urn } context
       attribution { time actor { urn } } } } } }`,
  );
  expect(data).toEqual({
    dataset: {
      glossaryTerms: {
        terms: [
          {
            term: { urn: margin, name: "margin" },
            actor: { urn: alice },
            context: "x",
            attribution: { time: 1, actor: { urn: alice } },
          },
          { term: { urn: revenue, name: "revenue" }, actor: null, context: null, attribution: null },
        ],
      },
    },
  });
});

test("adding an existing term raises the version, because the stamp is new", async () => {
  const catalog = await atTime(world);
  const add = () => catalog.send(addTerms, { input: { termUrns: [revenue], resourceUrn: orders } });
  const versions = () => catalog.dump().filter((row) => row.urn === orders && row.aspect === "glossaryTerms");
  await add();
  catalog.later(1);
  await add();
  expect(versions().map(({ value }) => value["auditStamp"])).toEqual([
    stampAt(start + 1_000),
    stampAt(start),
  ]);
});

test.each([
  ["term", addTerms, { termUrns: [revenue, revenue] }, "glossaryTerms", terms(revenue, revenue)],
  [
    "tag",
    "mutation ($input: AddTagsInput!) { done: addTags(input: $input) }",
    { tagUrns: [pii, pii] },
    "globalTags",
    [{ tag: pii }, { tag: pii }],
  ],
])("a %s that a request names twice is stored twice", async (_label, document, input, aspect, stored) => {
  const catalog = await catalogWith(world);
  await catalog.send(document, { input: { ...input, resourceUrn: orders } });
  const value = catalog.stored(orders, aspect) as Record<string, unknown>;
  expect(value["terms"] ?? value["tags"]).toEqual(stored);
});

test("data products can have terms", async () => {
  const product = "urn:li:dataProduct:sales";
  const catalog = await atTime([...world, proposal(product, "dataProductProperties", { name: "Sales" })]);
  await catalog.send(addTerms, { input: { termUrns: [revenue], resourceUrn: product } });
  expect(catalog.stored(product, "glossaryTerms")).toEqual({
    auditStamp: stampAt(start),
    terms: terms(revenue),
  });
});

test("terms that are soft-deleted are taken", async () => {
  const catalog = await catalogWith([...world, proposal(revenue, "status", { removed: true })]);
  const { data } = await catalog.send(addTerms, { input: { termUrns: [revenue], resourceUrn: chart } });
  expect(data).toEqual({ done: true });
});

test.each([
  ["removeTerm", removeTerm, { termUrn: revenue, resourceUrn: orders }],
  ["batchRemoveTerms", batchRemove, { termUrns: [revenue], resources: [{ resourceUrn: orders }] }],
])("%s on an entity without terms stores an empty list", async (_name, document, input) => {
  const catalog = await atTime(world);
  expect((await catalog.send(document, { input })).data).toEqual({ done: true });
  expect(catalog.stored(orders, "glossaryTerms")).toEqual({ auditStamp: stampAt(start), terms: [] });
});

test("terms of a column are added to the editable schema, and other edits are kept", async () => {
  const edits = { fieldPath: "id", description: "Key.", globalTags: { tags: [{ tag: pii }] } };
  const catalog = await atTime([
    ...world,
    proposal(orders, "editableSchemaMetadata", { editableSchemaFieldInfo: [edits] }),
  ]);
  await catalog.send(addTerms, { input: { termUrns: [revenue], ...inColumn("id") } });
  expect(catalog.stored(orders, "editableSchemaMetadata")).toEqual({
    editableSchemaFieldInfo: [
      { ...edits, glossaryTerms: { auditStamp: stampAt(start), terms: terms(revenue) } },
    ],
  });
  catalog.later(1);
  await catalog.send(removeTerm, { input: { termUrn: revenue, ...inColumn("id") } });
  // The removal leaves the stamp of the addition.
  expect(catalog.stored(orders, "editableSchemaMetadata")).toEqual({
    editableSchemaFieldInfo: [{ ...edits, glossaryTerms: { auditStamp: stampAt(start), terms: [] } }],
  });
});

test.each([
  ["removeTerm", removeTerm, { termUrn: revenue, ...inColumn("id") }],
  ["batchRemoveTerms", batchRemove, { termUrns: [revenue], resources: [inColumn("id")] }],
])("%s on a column without a record is a server error", async (_name, document, input) => {
  const catalog = await catalogWith(world);
  for (const records of [
    [],
    [
      proposal(orders, "editableSchemaMetadata", {
        editableSchemaFieldInfo: [{ fieldPath: "id", description: "Key." }],
      }),
    ],
  ]) {
    await catalog.loadRecords(...records);
    const before = catalog.dump();
    const { data, errors } = await catalog.send(document, { input });
    expect(data).toEqual({ done: null });
    expect(errors).toMatchObject([
      {
        message: expect.stringContaining("/glossaryTerms/auditStamp :: field is required"),
        extensions: { code: 500, type: "SERVER_ERROR" },
      },
    ]);
    expect(catalog.dump()).toEqual(before);
  }
});

test("batchAddTerms with two columns of a dataset keeps the last", async () => {
  const catalog = await atTime(world);
  const resources = [inColumn("id"), inColumn("customer.email")];
  const { data } = await catalog.send(batchAdd, { input: { termUrns: [revenue], resources } });
  expect(data).toEqual({ done: true });
  expect(catalog.stored(orders, "editableSchemaMetadata")).toEqual({
    editableSchemaFieldInfo: [
      {
        fieldPath: "customer.email",
        glossaryTerms: { auditStamp: stampAt(start), terms: terms(revenue) },
      },
    ],
  });
});

test("batchAddTerms tries one column on the siblings of its dataset", async () => {
  const catalog = await catalogWith([
    ...world,
    proposal(missing, "schemaMetadata", { fields: [column("only.here")] }),
    proposal(orders, "siblings", { siblings: [missing], primary: true }),
  ]);
  await catalog.send(batchAdd, { input: { termUrns: [revenue], resources: [inColumn("only.here")] } });
  expect(catalog.stored(missing, "editableSchemaMetadata")).toMatchObject({
    editableSchemaFieldInfo: [{ fieldPath: "only.here", glossaryTerms: { terms: terms(revenue) } }],
  });
});

test("a plain column name is refused where the schema has paths with types", async () => {
  const path = "[version=2.0].[type=struct].[type=string].email";
  const catalog = await catalogWith([
    ...world,
    proposal(orders, "schemaMetadata", { fields: [column(path)] }),
  ]);
  const add = (subResource: string) =>
    catalog.send(addTerms, { input: { termUrns: [revenue], ...inColumn(subResource) } });
  expect((await add("email")).errors?.[0]?.extensions["code"]).toBe(400);
  expect((await add(path)).data).toEqual({ done: true });
});

test("column terms are read from three aspects, and found by two of them", async () => {
  const field = `urn:li:schemaField:(${orders},id)`;
  const glossaryTerms = { terms: terms(revenue), auditStamp: { time: 0, actor: alice } };
  const catalog = await catalogWith([
    ...world,
    proposal(orders, "schemaMetadata", { fields: [column("id", { glossaryTerms })] }),
    proposal(orders, "editableSchemaMetadata", {
      editableSchemaFieldInfo: [{ fieldPath: "id", glossaryTerms }],
    }),
    proposal(field, "glossaryTerms", glossaryTerms),
  ]);
  const { data, errors } = await catalog.send(
    `{ dataset(urn: "${orders}") {
         schemaMetadata { fields { glossaryTerms { ...t } schemaFieldEntity { glossaryTerms { ...t } } } }
         editableSchemaMetadata { editableSchemaFieldInfo { glossaryTerms { ...t } } } } }
     fragment t on GlossaryTerms { terms { term { urn } associatedUrn } }`,
  );
  expect(errors).toBeUndefined();
  const of = (associatedUrn: string) => ({ terms: [{ term: { urn: revenue }, associatedUrn }] });
  expect(data).toEqual({
    dataset: {
      schemaMetadata: {
        fields: [{ glossaryTerms: of(orders), schemaFieldEntity: { glossaryTerms: of(field) } }],
      },
      editableSchemaMetadata: { editableSchemaFieldInfo: [{ glossaryTerms: of(orders) }] },
    },
  });
  for (const by of ["fieldGlossaryTerms", "editedFieldGlossaryTerms"]) {
    const { data: found } = await catalog.send(
      'query ($and: [FacetFilterInput!]) { searchAcrossEntities(input: { query: "*", orFilters: [{ and: $and }] }) { total } }',
      { and: [{ field: by, values: [revenue] }] },
    );
    expect([by, found]).toEqual([by, { searchAcrossEntities: { total: 1 } }]);
  }
});

test("the uses of a term are its relationships, on assets and on columns", async () => {
  const catalog = await catalogWith(world);
  await catalog.send(addTerms, { input: { termUrns: [revenue], resourceUrn: chart } });
  await catalog.send(addTerms, { input: { termUrns: [revenue], ...inColumn("id") } });
  await catalog.send(
    `mutation { addRelatedTerms(input: { urn: "${margin}", termUrns: ["${revenue}"], relationshipType: isA }) }`,
  );
  const { data } = await catalog.send(
    `{ glossaryTerm(urn: "${revenue}") { relationships(input: { direction: INCOMING, types: ["TermedWith",
       "EditableSchemaFieldWithGlossaryTerm", "IsA"] }) { total relationships { type entity { urn } } } } }`,
  );
  expect(data).toMatchObject({
    glossaryTerm: {
      relationships: {
        total: 3,
        relationships: expect.arrayContaining([
          { type: "TermedWith", entity: { urn: chart } },
          { type: "EditableSchemaFieldWithGlossaryTerm", entity: { urn: orders } },
          { type: "IsA", entity: { urn: margin } },
        ]),
      },
    },
  });
});
