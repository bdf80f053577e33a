import { describe, expect, test } from "vitest";
import {
  catalogWith,
  column,
  finance,
  missing,
  orders,
  pii,
  proposal,
  shop,
  stewards,
  alice,
} from "../support.ts";
import {
  chart,
  dashboard,
  finances,
  flow,
  glossary,
  job,
  revenue,
  sampleAssets,
  samples,
} from "../samples.ts";

const world = [...shop, ...samples, ...glossary];
const update = "mutation ($input: DescriptionUpdateInput!) { done: updateDescription(input: $input) }";
const product = "urn:li:dataProduct:sales";

const others = [
  ["Domain", finance, "domainProperties", "description"],
  ["Tag", pii, "tagProperties", "description"],
  ["CorpGroup", stewards, "corpGroupEditableInfo", "description"],
  ["GlossaryTerm", revenue, "glossaryTermInfo", "definition"],
  ["GlossaryNode", finances, "glossaryNodeInfo", "definition"],
  ["DataProduct", product, "dataProductProperties", "description"],
] as const;
const own: readonly string[] = [chart, dashboard, flow, job];
const described = [
  ...sampleAssets
    .filter(([, , urn]) => !own.includes(urn))
    .map(([typename, , urn, , , edited]) => [typename, urn, edited, "description"] as const),
  ...others,
];

describe.each(described)("updateDescription of a %s", (_typename, urn, aspect, field) => {
  test("changes the description alone, and an empty one is stored", async () => {
    const catalog = await catalogWith([
      ...world,
      proposal(product, "dataProductProperties", { name: "Sales" }),
    ]);
    const before = catalog.stored(urn, aspect) as object | undefined;
    for (const description of ["One\r\ntwo 🎉.", ""]) {
      const { data } = await catalog.send(update, { input: { resourceUrn: urn, description } });
      expect(data).toEqual({ done: true });
      expect(catalog.stored(urn, aspect)).toEqual({ ...before, [field]: description });
    }
  });

  test("is refused for what does not exist, and without a text", async () => {
    const catalog = await catalogWith([]);
    const { errors } = await catalog.send(update, { input: { resourceUrn: urn, description: "d" } });
    expect(errors).toMatchObject([
      { message: `Failed to update ${urn}. ${urn} does not exist.`, extensions: { code: 400 } },
    ]);
    const none = await catalog.send(update, { input: { resourceUrn: urn, description: null } });
    expect(none.errors).toHaveLength(1);
    expect(catalog.stored(urn, aspect)).toBeUndefined();
  });
});

test("the edited description of a dataset is beside its edited name", async () => {
  const catalog = await catalogWith([
    ...world,
    proposal(orders, "editableDatasetProperties", { name: "Orders", description: "Old." }),
  ]);
  await catalog.send(update, { input: { resourceUrn: orders, description: "New." } });
  const { data } = await catalog.send(
    `{ dataset(urn: "${orders}") { editableProperties { name description } properties { description } } }`,
  );
  expect(data).toEqual({
    dataset: {
      editableProperties: { name: "Orders", description: "New." },
      properties: { description: "Ingested." },
    },
  });
});

const inColumn = { resourceUrn: orders, subResourceType: "DATASET_FIELD", subResource: "id" };

test("the description of a column is in the editable schema, and its other edits are kept", async () => {
  const edits = { fieldPath: "id", globalTags: { tags: [{ tag: pii }] } };
  const catalog = await catalogWith([
    ...world,
    proposal(orders, "editableSchemaMetadata", { editableSchemaFieldInfo: [edits] }),
  ]);
  await catalog.send(update, { input: { ...inColumn, description: "Key." } });
  expect(catalog.stored(orders, "editableSchemaMetadata")).toEqual({
    editableSchemaFieldInfo: [{ ...edits, description: "Key." }],
  });
});

test("a column without its subResourceType describes the dataset", async () => {
  const catalog = await catalogWith(world);
  const input = { resourceUrn: orders, subResource: "id", description: "Key." };
  expect((await catalog.send(update, { input })).data).toEqual({ done: true });
  expect(catalog.stored(orders, "editableDatasetProperties")).toEqual({ description: "Key." });
  expect(catalog.stored(orders, "editableSchemaMetadata")).toBeUndefined();
});

test("a subResourceType without a column is refused", async () => {
  const catalog = await catalogWith(world);
  const input = { resourceUrn: orders, subResourceType: "DATASET_FIELD", description: "Key." };
  expect((await catalog.send(update, { input })).errors?.[0]?.extensions["code"]).toBe(400);
});

test("a column that the dataset does not have is described on a sibling", async () => {
  const catalog = await catalogWith([
    ...world,
    proposal(missing, "schemaMetadata", { fields: [column("only.here")] }),
    proposal(orders, "siblings", { siblings: [missing], primary: true }),
  ]);
  await catalog.send(update, { input: { ...inColumn, subResource: "only.here", description: "Here." } });
  expect(catalog.stored(missing, "editableSchemaMetadata")).toEqual({
    editableSchemaFieldInfo: [{ fieldPath: "only.here", description: "Here." }],
  });
});

test.each(own)("updateDescription of %s is a server error", async (urn) => {
  const catalog = await catalogWith(world);
  const before = catalog.dump();
  const { errors } = await catalog.send(update, { input: { resourceUrn: urn, description: "d" } });
  expect(errors?.[0]?.extensions["code"]).toBe(500);
  expect(catalog.dump()).toEqual(before);
});

const updates = [
  ["updateDataset", "DatasetUpdateInput", orders, "editableDatasetProperties"],
  ["updateChart", "ChartUpdateInput", chart, "editableChartProperties"],
  ["updateDashboard", "DashboardUpdateInput", dashboard, "editableDashboardProperties"],
  ["updateDataFlow", "DataFlowUpdateInput", flow, "editableDataFlowProperties"],
  ["updateDataJob", "DataJobUpdateInput", job, "editableDataJobProperties"],
] as const;

describe.each(updates)("%s", (name, input, urn, aspect) => {
  const send = `mutation ($urn: String!, $input: ${input}!) {
    ${name}(urn: $urn, input: $input) { urn exists editableProperties { description } } }`;

  test("replaces the edited properties, and answers the entity", async () => {
    const catalog = await catalogWith([...world, proposal(urn, aspect, { description: "Old." })], {
      now: () => 7,
    });
    const { data } = await catalog.send(send, {
      urn,
      input: { editableProperties: { description: "New." } },
    });
    expect(data).toEqual({ [name]: { urn, exists: true, editableProperties: { description: "New." } } });
    const stamp = { time: 7, actor: "urn:li:corpuser:datahub" };
    expect(catalog.stored(urn, aspect)).toEqual({ description: "New.", created: stamp, lastModified: stamp });
  });

  test("makes an entity that does not exist", async () => {
    const catalog = await catalogWith([]);
    const exists = `query ($urn: String!) { entityExists(urn: $urn) }`;
    expect((await catalog.send(exists, { urn })).data).toEqual({ entityExists: false });
    await catalog.send(send, { urn, input: { editableProperties: { description: "New." } } });
    expect((await catalog.send(exists, { urn })).data).toEqual({ entityExists: true });
  });
});

test("updateDataset erases the edited name", async () => {
  const catalog = await catalogWith([
    ...world,
    proposal(orders, "editableDatasetProperties", { name: "Orders", description: "Old." }),
  ]);
  await catalog.send(
    `mutation { updateDataset(urn: "${orders}", input: { editableProperties: { description: "New." } }) { urn } }`,
  );
  const { data } = await catalog.send(
    `{ dataset(urn: "${orders}") { editableProperties { name description } } }`,
  );
  expect(data).toEqual({ dataset: { editableProperties: { name: null, description: "New." } } });
});

test("a proposal of the editable aspect describes every kind of assets", async () => {
  const catalog = await catalogWith([
    ...world,
    ...sampleAssets.map(([, , urn, , , edited]) => proposal(urn, edited, { description: `Of ${alice}.` })),
  ]);
  const selections = sampleAssets.map(
    ([typename]) => `... on ${typename} { editableProperties { description } }`,
  );
  const { data } = await catalog.send(
    `query ($urns: [String!]!) { entities(urns: $urns) { ${selections.join(" ")} } }`,
    { urns: sampleAssets.map(([, , urn]) => urn) },
  );
  const edited = { editableProperties: { description: `Of ${alice}.` } };
  expect(data).toEqual({ entities: sampleAssets.map(() => edited) });
});
