import { describe, expect, test } from "vitest";
import {
  alice,
  catalogWith,
  finance,
  missing,
  orders,
  pii,
  proposal,
  serverError,
  shop,
} from "../support.ts";
import { change, ingest } from "../rest.ts";
import { chart, glossary, revenue, sampleAssets, samples } from "../samples.ts";
import { catalogSchema } from "../../../src/local-catalog/graphql/schema.ts";
import type { GraphQLObjectType } from "graphql";

const invoicing = "urn:li:dataProduct:invoicing";
const sales = "urn:li:dataProduct:sales";
const output = { destinationUrn: chart, outputPort: true };
const world = [
  ...shop,
  ...samples,
  ...glossary,
  proposal(invoicing, "dataProductProperties", { name: "Invoicing", assets: [output] }),
  proposal(invoicing, "domains", { domains: [finance] }),
  proposal(sales, "dataProductProperties", { name: "Sales" }),
];

const mutation = (name: string, type: string) =>
  `mutation ($input: ${type}!) { done: ${name}(input: $input) }`;
const set = mutation("batchSetDataProduct", "BatchSetDataProductInput");
const add = mutation("batchAddToDataProducts", "BatchSetDataProductsInput");
const remove = mutation("batchRemoveFromDataProducts", "BatchSetDataProductsInput");
const create =
  "mutation ($input: CreateDataProductInput!) { done: createDataProduct(input: $input) { urn properties { name } } }";
const update =
  "mutation ($urn: String!, $input: UpdateDataProductInput!) { done: updateDataProduct(urn: $urn, input: $input) { urn } }";
const deletion = "mutation ($urn: String!) { done: deleteDataProduct(urn: $urn) }";
const stamp = { actor: "urn:li:corpuser:datahub", time: expect.any(Number) };
const added = (destinationUrn: string) => ({ destinationUrn, created: stamp, lastModified: stamp });

describe("members", () => {
  test("are added, and an asset stays in another product", async () => {
    const catalog = await catalogWith(world);
    const input = { dataProductUrns: [sales], resourceUrns: [chart, orders] };
    expect((await catalog.send(add, { input })).data).toEqual({ done: true });
    await catalog.send(set, { input: { dataProductUrn: invoicing, resourceUrns: [chart, orders] } });
    expect(catalog.stored(sales, "dataProductProperties")).toEqual({
      name: "Sales",
      assets: [added(chart), added(orders)],
    });
    expect(catalog.stored(invoicing, "dataProductProperties")).toEqual({
      name: "Invoicing",
      assets: [output, added(orders)],
    });
  });

  test("are removed from the products that are named, or from all", async () => {
    const catalog = await catalogWith(world);
    await catalog.send(add, {
      input: { dataProductUrns: [sales, invoicing], resourceUrns: [orders, chart] },
    });
    await catalog.send(remove, { input: { dataProductUrns: [sales], resourceUrns: [orders, revenue] } });
    expect(catalog.stored(sales, "dataProductProperties")).toMatchObject({
      assets: [{ destinationUrn: chart }],
    });
    await catalog.send(set, { input: { dataProductUrn: null, resourceUrns: [chart] } });
    expect(catalog.stored(sales, "dataProductProperties")).toMatchObject({ assets: [] });
    expect(catalog.stored(invoicing, "dataProductProperties")).toMatchObject({
      assets: [{ destinationUrn: orders }],
    });
  });

  test("cannot be set of a product without a domain", async () => {
    const catalog = await catalogWith(world);
    const { errors } = await catalog.send(set, { input: { dataProductUrn: sales, resourceUrns: [orders] } });
    expect(errors).toMatchObject([{ extensions: { code: 403, type: "UNAUTHORIZED" } }]);
  });

  test.each([
    [
      set,
      { dataProductUrn: invoicing, resourceUrns: [missing] },
      `Failed to batch set Data Product, ${missing} in resources does not exist`,
    ],
    [
      set,
      { dataProductUrn: "urn:li:dataProduct:gone", resourceUrns: [orders] },
      "Failed to batch set Data Product, Data Product urn urn:li:dataProduct:gone does not exist",
    ],
    [
      add,
      { dataProductUrns: [sales], resourceUrns: [missing] },
      `Failed to update data products, resource ${missing} does not exist`,
    ],
    [
      remove,
      { dataProductUrns: ["urn:li:dataProduct:gone"], resourceUrns: [orders] },
      "Failed to update data products, data product urn:li:dataProduct:gone does not exist",
    ],
  ])("of what does not exist are refused: %s", async (document, input, reason) => {
    const catalog = await catalogWith(world);
    const { errors } = await catalog.send(document, { input });
    expect(errors).toMatchObject([{ message: serverError(reason), extensions: { code: 500 } }]);
  });

  test.each(sampleAssets)("are relationships from a %s to its products", async (type, _, urn) => {
    const catalog = await catalogWith(world);
    await catalog.send(add, { input: { dataProductUrns: [sales], resourceUrns: [urn] } });
    const { data } =
      await catalog.send(`{ entities(urns: ["${urn}"]) { ... on ${type} { relationships(input: {
      types: ["DataProductContains"], direction: INCOMING }) { relationships { entity { urn } } } } } }`);
    expect(JSON.stringify(data)).toContain(JSON.stringify({ entity: { urn: sales } }));
  });

  test("are relationships of the product", async () => {
    const catalog = await catalogWith(world);
    const query = `{ dataProduct(urn: "${invoicing}") { properties { numAssets } relationships(input: {
      types: ["DataProductContains"], direction: OUTGOING }) { relationships { entity { urn } } } } }`;
    expect((await catalog.send(query)).data).toEqual({
      dataProduct: {
        properties: { numAssets: 1 },
        relationships: { relationships: [{ entity: { urn: chart } }] },
      },
    });
  });
});

describe("data products", () => {
  test("are created in a domain", async () => {
    const catalog = await catalogWith(world);
    const input = {
      id: "payments",
      domainUrn: finance,
      properties: { name: "Payments", description: "Paid." },
    };
    const payments = "urn:li:dataProduct:payments";
    expect((await catalog.send(create, { input })).data).toEqual({
      done: { urn: payments, properties: { name: "Payments" } },
    });
    expect(catalog.stored(payments, "dataProductProperties")).toEqual(input.properties);
    expect(catalog.stored(payments, "domains")).toMatchObject({ domains: [finance] });
    const again = await catalog.send(create, { input });
    expect(again.errors?.[0]?.message).toBe("This Data product already exists!");
    const nowhere = await catalog.send(create, { input: { ...input, domainUrn: "urn:li:domain:gone" } });
    expect(nowhere.errors?.[0]?.message).toBe("The Domain provided dos not exist");
  });

  test("are renamed and described, and keep their members", async () => {
    const catalog = await catalogWith(world);
    await catalog.send(update, { urn: invoicing, input: { description: "Invoices." } });
    expect(catalog.stored(invoicing, "dataProductProperties")).toEqual({
      name: "Invoicing",
      description: "Invoices.",
      assets: [output],
    });
    const gone = await catalog.send(update, { urn: "urn:li:dataProduct:gone", input: { name: "x" } });
    expect(gone.errors?.[0]?.message).toBe("The Data Product provided dos not exist");
  });

  test("are deleted when they exist", async () => {
    const catalog = await catalogWith(world);
    expect((await catalog.send(deletion, { urn: invoicing })).data).toEqual({ done: true });
    expect(catalog.dump().filter(({ urn }) => urn === invoicing)).toEqual([]);
    const again = await catalog.send(deletion, { urn: invoicing });
    expect(again.errors?.[0]?.message).toBe("The Data Product provided dos not exist");
  });

  test("have domain, owners, tags, terms, links, deprecation and an external address", async () => {
    const catalog = await catalogWith([
      ...world,
      proposal(sales, "dataProductProperties", { name: "Sales", externalUrl: "https://wiki.acme.com/sales" }),
      proposal(sales, "globalTags", { tags: [{ tag: pii }] }),
      proposal(sales, "deprecation", { deprecated: true, note: "", actor: alice }),
    ]);
    const { data } = await catalog.send(`{ dataProduct(urn: "${sales}") {
      exists domain { domain { urn } } ownership { owners { type } } glossaryTerms { terms { term { urn } } }
      properties { name externalUrl } tags { tags { tag { urn } } } deprecation { deprecated } } }`);
    expect(data).toEqual({
      dataProduct: {
        exists: true,
        domain: null,
        ownership: null,
        glossaryTerms: null,
        properties: { name: "Sales", externalUrl: "https://wiki.acme.com/sales" },
        tags: { tags: [{ tag: { urn: pii } }] },
        deprecation: { deprecated: true },
      },
    });
    const type = catalogSchema().getType("DataProduct") as GraphQLObjectType;
    const unserved = Object.values(type.getFields()).filter(({ resolve }) => !resolve);
    expect(unserved.map(({ name }) => name)).toEqual(["urn", "type"]);
  });

  test("have an asset each where the server allows one, also by proposals", async () => {
    const catalog = await catalogWith(world, { oneProductPerAsset: true });
    const { data } = await catalog.send("{ appConfig { featureFlags { multipleDataProductsPerAsset } } }");
    expect(data).toEqual({ appConfig: { featureFlags: { multipleDataProductsPerAsset: false } } });
    const assets = [{ destinationUrn: chart }];
    await ingest(catalog, change(sales, "dataProductProperties", { name: "Sales", assets }));
    expect(catalog.stored(invoicing, "dataProductProperties")).toEqual({ name: "Invoicing", assets: [] });
    await catalog.send(set, { input: { dataProductUrn: invoicing, resourceUrns: [chart, orders] } });
    expect(catalog.stored(sales, "dataProductProperties")).toEqual({ name: "Sales", assets: [] });
    const input = { dataProductUrns: [sales], resourceUrns: [orders] };
    for (const document of [add, remove])
      expect((await catalog.send(document, { input })).errors).toMatchObject([{ extensions: { code: 403 } }]);
  });

  test("are there again without a name if the index knows them longer than the store", async () => {
    let time = 1_800_000_000_000;
    const catalog = await catalogWith(world, { oneProductPerAsset: true, lag: 5, now: () => time });
    time += 60_000;
    await catalog.send(deletion, { urn: invoicing });
    const assets = [{ destinationUrn: chart }];
    await ingest(catalog, change(sales, "dataProductProperties", { name: "Sales", assets }));
    expect(catalog.stored(invoicing, "dataProductProperties")).toEqual({ assets: [] });
  });

  test("may share an asset, and the server says so", async () => {
    const catalog = await catalogWith([]);
    const { data } = await catalog.send("{ appConfig { featureFlags { multipleDataProductsPerAsset } } }");
    expect(data).toEqual({ appConfig: { featureFlags: { multipleDataProductsPerAsset: true } } });
  });
});
