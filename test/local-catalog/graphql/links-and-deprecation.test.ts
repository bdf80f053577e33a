import { describe, expect, test } from "vitest";
import { alice, catalogWith, finance, missing, orders, proposal, shop } from "../support.ts";
import { chart, finances, glossary, revenue, sampleAssets, samples } from "../samples.ts";

const world = [...shop, ...samples, ...glossary];
const wiki = "https://wiki.acme.com/orders";
const add = "mutation ($input: AddLinkInput!) { done: addLink(input: $input) }";
const update = "mutation ($input: UpdateLinkInput!) { done: updateLink(input: $input) }";
const remove = "mutation ($input: RemoveLinkInput!) { done: removeLink(input: $input) }";
const deprecate = "mutation ($input: UpdateDeprecationInput!) { done: updateDeprecation(input: $input) }";
const batch =
  "mutation ($input: BatchUpdateDeprecationInput!) { done: batchUpdateDeprecation(input: $input) }";
const runbook = { linkUrl: wiki, label: "Runbook", resourceUrn: orders };
const stamp = { actor: "urn:li:corpuser:datahub", time: expect.any(Number) };

const linked = [...sampleAssets.map(([, , urn]) => urn), finance, revenue, finances];

describe("links", () => {
  test.each(linked)("of %s are added and read", async (urn) => {
    const catalog = await catalogWith(world);
    const { data } = await catalog.send(add, { input: { ...runbook, resourceUrn: urn } });
    expect(data).toEqual({ done: true });
    expect(catalog.stored(urn, "institutionalMemory")).toEqual({
      elements: [{ url: wiki, description: "Runbook", createStamp: stamp }],
    });
  });

  test("of one URL differ by their label", async () => {
    const catalog = await catalogWith(world);
    for (const label of ["Runbook", "Model"]) await catalog.send(add, { input: { ...runbook, label } });
    const again = await catalog.send(add, { input: runbook });
    expect(again.errors).toMatchObject([
      {
        message: `The link '${wiki}' with label 'Runbook' already exists`,
        extensions: { code: 400, type: "BAD_REQUEST" },
      },
    ]);
    await catalog.send(remove, { input: runbook });
    expect(catalog.stored(orders, "institutionalMemory")).toMatchObject({
      elements: [{ description: "Model" }],
    });
  });

  test("are removed with any label where none is given, and need not be there", async () => {
    const catalog = await catalogWith(world);
    for (const label of ["Runbook", "Model"]) await catalog.send(add, { input: { ...runbook, label } });
    for (const done of [true, true]) {
      const { data } = await catalog.send(remove, { input: { linkUrl: wiki, resourceUrn: orders } });
      expect(data).toEqual({ done });
      expect(catalog.stored(orders, "institutionalMemory")).toEqual({ elements: [] });
    }
  });

  test("are updated in their place", async () => {
    const catalog = await catalogWith(world);
    for (const label of ["Runbook", "Model"]) await catalog.send(add, { input: { ...runbook, label } });
    const change = { currentUrl: wiki, currentLabel: "Runbook", resourceUrn: orders };
    const { data } = await catalog.send(update, { input: { ...change, linkUrl: wiki, label: "Guide" } });
    expect(data).toEqual({ done: true });
    expect(catalog.stored(orders, "institutionalMemory")).toEqual({
      elements: [
        { url: wiki, description: "Guide", createStamp: stamp, updateStamp: stamp },
        { url: wiki, description: "Model", createStamp: stamp },
      ],
    });
    const taken = await catalog.send(update, {
      input: { ...change, currentLabel: "Guide", linkUrl: wiki, label: "Model" },
    });
    expect(taken.errors?.[0]?.message).toBe(`The link '${wiki}' with label 'Model' already exists`);
    const gone = await catalog.send(update, { input: { ...change, linkUrl: wiki, label: "x" } });
    expect(gone.errors?.[0]?.message).toBe(
      `Failed to update the link '${wiki}' with label 'Runbook'. The link does not exist`,
    );
  });

  test.each(["javascript:alert(1)", "/wiki/orders", "wiki.acme.com", ""])("%j is no URL", async (linkUrl) => {
    const catalog = await catalogWith(world);
    const { errors } = await catalog.send(add, { input: { ...runbook, linkUrl } });
    expect(errors).toMatchObject([
      {
        message: `Failed to change institutional memory for resource ${orders}. Expected an url.`,
        extensions: { code: 400 },
      },
    ]);
  });

  test("of what does not exist are refused", async () => {
    const catalog = await catalogWith(world);
    for (const document of [add, remove]) {
      const input = { linkUrl: wiki, label: "Runbook", resourceUrn: missing };
      const { errors } = await catalog.send(document, { input });
      expect(errors?.[0]?.message).toBe(
        `Failed to change institutional memory for resource ${missing}. Resource does not exist.`,
      );
    }
  });

  test("are read with their authors", async () => {
    const createStamp = { time: 5, actor: alice };
    const elements = [{ url: wiki, description: "Runbook", createStamp }];
    const catalog = await catalogWith([...world, proposal(orders, "institutionalMemory", { elements })]);
    const { data } = await catalog.send(
      `{ dataset(urn: "${orders}") { institutionalMemory { elements {
        url label description associatedUrn author { urn } created { time actor } updated { time } } } } }`,
    );
    const element = {
      url: wiki,
      label: "Runbook",
      description: "Runbook",
      associatedUrn: orders,
      updated: null,
    };
    expect(data).toEqual({
      dataset: {
        institutionalMemory: { elements: [{ ...element, author: { urn: alice }, created: createStamp }] },
      },
    });
  });
});

describe("deprecation", () => {
  test("erases what is omitted", async () => {
    const catalog = await catalogWith(world);
    const all = {
      deprecated: true,
      note: "Use the chart.",
      decommissionTime: 1_800_000_000_000,
      replacement: chart,
    };
    await catalog.send(deprecate, { input: { urn: orders, ...all } });
    expect(catalog.stored(orders, "deprecation")).toEqual({ ...all, actor: "urn:li:corpuser:datahub" });
    const { data } = await catalog.send(
      `{ dataset(urn: "${orders}") { deprecation {
        deprecated note decommissionTime actor actorEntity { urn } replacement { urn } } } }`,
    );
    const actor = "urn:li:corpuser:datahub";
    expect(data).toEqual({
      dataset: { deprecation: { ...all, actor, actorEntity: { urn: actor }, replacement: { urn: chart } } },
    });
    await catalog.send(deprecate, { input: { urn: orders, deprecated: false } });
    expect(catalog.stored(orders, "deprecation")).toEqual({ deprecated: false, note: "", actor });
  });

  test("of a column is that of its dataset", async () => {
    const catalog = await catalogWith(world);
    const column = { subResourceType: "DATASET_FIELD", subResource: "id" };
    await catalog.send(deprecate, { input: { urn: orders, deprecated: true, ...column } });
    expect(catalog.stored(orders, "deprecation")).toMatchObject({ deprecated: true });
  });

  test("of a column among several is that of the column", async () => {
    const catalog = await catalogWith(world);
    const column = { resourceUrn: orders, subResourceType: "DATASET_FIELD", subResource: "id" };
    await catalog.send(batch, { input: { deprecated: true, resources: [column] } });
    expect(catalog.stored(orders, "deprecation")).toBeUndefined();
    expect(catalog.stored(`urn:li:schemaField:(${orders},id)`, "deprecation")).toMatchObject({
      deprecated: true,
    });
  });

  test("of several entities is written when all of them exist", async () => {
    const catalog = await catalogWith(world);
    const input = { deprecated: true, resources: [{ resourceUrn: orders }, { resourceUrn: missing }] };
    const { errors } = await catalog.send(batch, { input });
    expect(errors?.[0]?.message).toBe(
      `Failed to update resource with urn ${missing}. Entity does not exist.`,
    );
    expect(catalog.stored(orders, "deprecation")).toBeUndefined();
    const resources = [orders, finance, revenue].map((resourceUrn) => ({ resourceUrn }));
    expect(
      (await catalog.send(batch, { input: { deprecated: true, note: "Old.", resources } })).data,
    ).toEqual({
      done: true,
    });
    for (const { resourceUrn } of resources)
      expect(catalog.stored(resourceUrn, "deprecation")).toMatchObject({ deprecated: true, note: "Old." });
  });

  test("of what does not exist or has no such aspect is refused", async () => {
    const catalog = await catalogWith(world);
    const gone = await catalog.send(deprecate, { input: { urn: missing, deprecated: true } });
    expect(gone.errors?.[0]?.message).toBe(
      `Failed to update deprecation for Entity ${missing}. Entity does not exist.`,
    );
    const node = await catalog.send(deprecate, { input: { urn: finances, deprecated: true } });
    expect(node.errors?.[0]?.message).toBe("Unknown aspect deprecation for entity glossaryNode");
  });
});
