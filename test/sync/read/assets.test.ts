import { expect, onTestFinished, test } from "vitest";
import { createReader, type Reader } from "../../../src/datahub/client.ts";
import { connectionTo } from "../../../src/datahub/connection.ts";
import type { AssetQuestion } from "../../../src/sync/read/assets/index-filters.ts";
import { type AssetOptions, readAsset, readAssets } from "../../../src/sync/read/assets.ts";
import { kindOf } from "../../../src/kinds/index.ts";
import type { FaultSettings } from "../../../src/local-catalog/faults/settings.ts";
import type { Asset } from "../../../src/model/rule.ts";
import type { Urn } from "../../../src/model/urn.ts";
import {
  type MadeAspect,
  metadataFile,
  startTestCatalog,
  temporaryDirectory,
  type TestCatalog,
} from "../../support/catalog.ts";
import { schemaWith } from "../../support/schema.ts";
import { ruleFor, withColumns } from "../../support/rules.ts";
import { urn as urnOf } from "../../support/states.ts";
import { startStub } from "../../support/stub-server.ts";

const dataset = (name: string, platform = "snowflake", env = "PROD"): string =>
  `urn:li:dataset:(urn:li:dataPlatform:${platform},${name},${env})`;
const container = (id: string): string => `urn:li:container:${id}`;
const instance = "urn:li:dataPlatformInstance:(urn:li:dataPlatform:snowflake,eu)";

const orders = dataset("eu.shop.orders");
const clicks = dataset("clicks", "kafka", "DEV");
const removed = dataset("old");

const world: readonly MadeAspect[] = [
  [orders, "status", { removed: false }],
  [orders, "subTypes", { typeNames: ["Table", "External"] }],
  [orders, "dataPlatformInstance", { platform: "urn:li:dataPlatform:snowflake", instance }],
  [orders, "container", { container: container("schema") }],
  [orders, "schemaMetadata", schemaWith("id", "[version=2.0].[type=struct].[type=string].customer.email")],
  [clicks, "status", { removed: false }],
  [clicks, "schemaMetadata", schemaWith("user")],
  [removed, "status", { removed: true }],
  [container("schema"), "containerProperties", { name: "SHOP" }],
  [container("schema"), "container", { container: container("database") }],
  [container("schema"), "dataPlatformInstance", { platform: "urn:li:dataPlatform:snowflake" }],
  [container("database"), "containerProperties", { name: "EU" }],
];

async function catalogOf(aspects: readonly MadeAspect[], faults?: FaultSettings): Promise<TestCatalog> {
  const catalog = await startTestCatalog(faults && { faults });
  await catalog.load(metadataFile(temporaryDirectory(), aspects));
  return catalog;
}

function readerOf({ url }: Pick<TestCatalog, "url">): Reader {
  return createReader(connectionTo(url, { retryDelay: 1 }));
}

interface Read {
  readonly assets: readonly Asset[];
  readonly unreadable: ReadonlyMap<string, string>;
}

async function read(
  reader: Reader,
  questions: readonly AssetQuestion[],
  options?: AssetOptions,
): Promise<Read> {
  const assets: Asset[] = [];
  const unreadable = new Map<string, string>();
  for await (const batch of readAssets(reader, questions, options)) {
    assets.push(...batch.assets);
    for (const [urn, error] of batch.unreadable) unreadable.set(urn, error);
  }
  return { assets, unreadable };
}

const urnsOf = ({ assets }: Read): readonly string[] => assets.map(({ urn }) => urn);

const namesIn = ({ requests }: TestCatalog): readonly unknown[] =>
  requests.map(({ body }) => (body as { readonly operationName: string }).operationName);

const filtersIn = ({ requests }: TestCatalog): readonly unknown[] =>
  requests.flatMap(({ body }) => {
    const { variables } = body as {
      readonly variables: { readonly input?: { readonly orFilters?: unknown } };
    };
    return variables.input?.orFilters === undefined ? [] : [variables.input.orFilters];
  });

test.each<readonly [string, Partial<Reader>]>([
  ["answers", {}],
  ["does not know the request", { stored: { read: async () => "unknown" } }],
  ["does not carry it out", { stored: { read: async () => "refused" } }],
  ["answers nothing", { stored: { read: async () => new Map() } }],
])("where OpenAPI %s, assets are the same as by GraphQL", async (_, over) => {
  const reader = readerOf(await catalogOf(world));
  const asStored = { ...reader, reads: "openapi", ...over } as const;
  const rules = [
    withColumns(ruleFor("Dataset", { container: "*" })),
    ruleFor("Container", { platform: "snowflake" }),
  ];

  expect(await read(asStored, rules, { withDormant: true })).toEqual(
    await read(reader, rules, { withDormant: true }),
  );
});

test.each<readonly [string, "unknown" | "refused" | "busy", number]>([
  ["does not know the request", "unknown", 2],
  ["refuses", "refused", 2],
  ["is busy", "busy", 5],
])("a server that %s is asked by OpenAPI so often of five times: %3$s", async (_, answer, times) => {
  const reader = readerOf(await catalogOf(world));
  let asked = 0;
  const refusing: Reader["stored"] = {
    read: async () => {
      asked += 1;
      return answer;
    },
  };
  for (let again = 0; again < 5; again += 1)
    await read({ ...reader, reads: "openapi", stored: refusing }, [ruleFor("Dataset")]);

  expect(asked).toBe(times);
});

test("an asset of which OpenAPI answers something malformed is read by GraphQL", async () => {
  const reader = readerOf(await catalogOf(world));
  const stored: Reader["stored"] = {
    read: async (...asked) => {
      const answer = await reader.stored.read(...asked);
      return typeof answer === "string"
        ? answer
        : new Map([...answer].map(([urn, aspects]) => [urn, { ...aspects, container: "oops" }]));
    },
  };
  const questions = [ruleFor("Dataset", { container: "*" })];

  expect(await read({ ...reader, reads: "openapi", stored }, questions)).toEqual(
    await read(reader, questions),
  );
});

test("by OpenAPI GraphQL is asked only for what is not answered", async () => {
  const catalog = await catalogOf(world);
  const reader = readerOf(catalog);
  const readMost: Reader["stored"]["read"] = async (...asked) => {
    const answer = await reader.stored.read(...asked);
    return typeof answer === "string" ? answer : new Map([...answer].filter(([urn]) => urn !== clicks));
  };

  const found = await read({ ...reader, reads: "openapi", stored: { read: readMost } }, [ruleFor("Dataset")]);

  expect(urnsOf(found)).toEqual([clicks, orders]);
  const asked = catalog.requests.map(({ path, body }) => [
    path,
    (body as { readonly variables?: { readonly urns?: unknown } }).variables?.urns,
  ]);
  expect(asked.slice(1)).toEqual([
    ["/openapi/v3/entity/dataset/batchGet?systemMetadata=false", undefined],
    ["/api/graphql", [clicks]],
  ]);
});

test("an asset has all that rules match by, and no column where no rule asks for one", async () => {
  const catalog = await catalogOf(world);
  const questions = [ruleFor("Dataset", { container: "nowhere*" }), ruleFor("Container", { container: "*" })];
  expect(await read(readerOf(catalog), questions)).toEqual({
    assets: [
      {
        urn: clicks,
        kind: "Dataset",
        platform: "kafka",
        env: "DEV",
        name: "clicks",
        containers: [],
        subtypes: [],
      },
      {
        urn: orders,
        kind: "Dataset",
        platform: "snowflake",
        instance: "eu",
        env: "PROD",
        name: "shop.orders",
        containers: [container("schema"), container("database")],
        subtypes: ["Table", "External"],
      },
      {
        urn: container("database"),
        kind: "Container",
        name: "EU",
        containers: [],
        subtypes: [],
      },
      {
        urn: container("schema"),
        kind: "Container",
        platform: "snowflake",
        name: "SHOP",
        containers: [container("database")],
        subtypes: [],
      },
    ],
    unreadable: new Map(),
  });
});

test("columns are read of the assets for which a question with columns holds, and no others", async () => {
  const catalog = await catalogOf(world);
  const asked = withColumns(ruleFor("Dataset", { platform: "*" }));
  const holds = (_: AssetQuestion, { name }: Asset): boolean => name === "shop.orders";
  const { assets } = await read(readerOf(catalog), [ruleFor("Dataset"), asked], { holds });
  expect(assets.map(({ name, columns }) => [name, columns])).toEqual([
    ["clicks", undefined],
    [
      "shop.orders",
      [
        { path: "id", name: "id", nativeType: "x" },
        {
          path: "[version=2.0].[type=struct].[type=string].customer.email",
          name: "customer.email",
          nativeType: "x",
        },
      ],
    ],
  ]);
  expect(catalog.requests.at(-1)?.body).toMatchObject({
    operationName: "ReadAssetColumns",
    variables: { urns: [orders] },
  });
});

test("where a question asks for the columns of all, they come with the rest, and by themselves where they are kept apart", async () => {
  const catalog = await catalogOf(world);
  const asked = [withColumns(ruleFor("Dataset"))];

  const together = await read(readerOf(catalog), asked);
  expect(namesIn(catalog)).toEqual(["Discover", "ReadAssetFacts"]);
  expect(together.assets.map(({ columns }) => columns?.length)).toEqual([1, 2]);
  expect(await read(readerOf(catalog), asked, { columnsApart: true })).toEqual(together);
  expect(namesIn(catalog).slice(2)).toEqual(["Discover", "ReadAssetFacts", "ReadAssetColumns"]);
});

test("where a rule matched most of a page, columns come with the rest of those that are asked for later", async () => {
  const names = Array.from({ length: 2001 }, (_, index) => `shop.t${10_000 + index}`);
  const catalog = await catalogOf(
    names.map((name) => [dataset(name), "schemaMetadata", schemaWith(name)] as const),
  );

  const { assets } = await read(readerOf(catalog), [withColumns(ruleFor("Dataset", { name: "shop.*" }))]);
  expect(assets.map(({ columns }) => columns?.[0]?.name)).toEqual(names);
  const requests = namesIn(catalog);
  // Two pages are asked for at once.
  expect(requests.filter((name) => name === "ReadAssetColumns")).toHaveLength(8);
  expect(requests.filter((name) => name === "ReadAssetFacts")).toHaveLength(9);
});

test("an asset whose columns alone cannot be read is unreadable only where they are wanted", async () => {
  const catalog = await catalogOf(world);
  const reader = readerOf(catalog);
  const query: Reader["query"] = async (document, variables, interrupted) => {
    const answer = await reader.query(document, variables, interrupted);
    const { urns } = variables;
    const place = Array.isArray(urns) && document.includes("schemaMetadata") ? urns.indexOf(orders) : -1;
    const error = { message: "no schema", path: ["entities", place, "columns"] };
    return place < 0 ? answer : { ...answer, errors: [error] };
  };
  const asked = [withColumns(ruleFor("Dataset"))];
  const holds = (_: AssetQuestion, { urn }: Asset): boolean => urn === clicks;

  const unwanted = await read({ ...reader, query }, asked, { holds });
  expect([urnsOf(unwanted), unwanted.unreadable.size]).toEqual([[clicks, orders], 0]);
  const wanted = await read({ ...reader, query }, asked);
  expect([urnsOf(wanted), [...wanted.unreadable]]).toEqual([[clicks], [[orders, "no schema"]]]);
});

test.each<readonly [string, readonly AssetQuestion[], readonly unknown[]]>([
  [
    "what a rule names whole",
    [
      ruleFor("Dataset", {
        platform: ["snowflake", "urn:li:dataPlatform:kafka"],
        env: "PROD",
        subtype: "Table",
      }),
    ],
    [
      {
        and: [
          { field: "platform", values: ["urn:li:dataPlatform:kafka", "urn:li:dataPlatform:snowflake"] },
          { field: "origin", values: ["PROD"] },
          { field: "typeNames", values: ["Table"] },
        ],
      },
    ],
  ],
  [
    "several rules at once, and equal ones once",
    [
      ruleFor("Dataset", { platform: "kafka", name: "a*" }),
      ruleFor("Dataset", { env: "PROD", urn: "*x*" }),
      ruleFor("Dataset", { platform: "kafka", name: "b*" }),
    ],
    [
      { and: [{ field: "platform", values: ["urn:li:dataPlatform:kafka"] }] },
      { and: [{ field: "origin", values: ["PROD"] }] },
    ],
  ],
])("the server restricts the list by %s", async (_, questions, filters) => {
  const catalog = await catalogOf(world);
  await read(readerOf(catalog), questions);
  expect(filtersIn(catalog)).toEqual([filters]);
});

test.each<readonly [string, readonly AssetQuestion[]]>([
  ["a pattern", [ruleFor("Dataset", { platform: "snow*" })]],
  ["one pattern of a list", [ruleFor("Dataset", { platform: ["kafka", "snow*"] })]],
  ["a name", [ruleFor("Dataset", { name: "shop.orders" })]],
  ["a platform instance", [ruleFor("Dataset", { platform_instance: "eu" })]],
  [
    "a rule without conditions beside another",
    [ruleFor("Dataset"), ruleFor("Dataset", { platform: "kafka" })],
  ],
  [
    "more rules than an index takes",
    Array.from({ length: 201 }, (_, index) => ruleFor("Dataset", { subtype: `type ${index}` })),
  ],
])("nothing is restricted by %s, so nothing is missed", async (_, questions) => {
  const catalog = await catalogOf(world);
  expect(urnsOf(await read(readerOf(catalog), questions))).toEqual([clicks, orders]);
  expect(filtersIn(catalog)).toEqual([]);
});

test("an asset is found by each container above it, though the index knows only the next one", async () => {
  const catalog = await catalogOf([
    ...world,
    // A circle of containers is no way without end.
    [container("database"), "container", { container: container("schema") }],
  ]);
  for (const id of [container("schema"), "database"]) {
    const { assets } = await read(readerOf(catalog), [ruleFor("Dataset", { container: id })]);
    expect(assets.map(({ urn, containers }) => [urn, containers])).toEqual([
      [orders, [container("schema"), container("database")]],
    ]);
  }
  expect(await read(readerOf(catalog), [ruleFor("Dataset", { container: "empty" })])).toEqual({
    assets: [],
    unreadable: new Map(),
  });
});

test.each<readonly [string, Urn]>([
  ["DataFlow", urnOf("urn:li:dataFlow:(airflow,daily,prod)")],
  ["DataJob", urnOf("urn:li:dataJob:(urn:li:dataFlow:(airflow,daily,prod),load)")],
])(
  "a %s is found by the containers above it, which not every release shows by GraphQL",
  async (kind, asset) => {
    const catalog = await catalogOf([
      ...world,
      [asset, "status", { removed: false }],
      [asset, "container", { container: container("schema") }],
    ]);
    for (const id of [container("schema"), "database"]) {
      const { assets, unreadable } = await read(readerOf(catalog), [ruleFor(kind, { container: id })]);
      expect(assets.map(({ urn: of, containers }) => [of, containers])).toEqual([
        [asset, [container("schema"), container("database")]],
      ]);
      expect(unreadable.size).toBe(0);
    }
  },
);

test("each container is read once, however many assets are in it", async () => {
  const tables = Array.from({ length: 30 }, (_, index) => dataset(`shop.t${index}`));
  const catalog = await catalogOf([
    ...world,
    ...tables.map((urn): MadeAspect => [urn, "container", { container: container("schema") }]),
  ]);
  const { assets } = await read(readerOf(catalog), [ruleFor("Dataset", { container: "*" })], { batch: 10 });
  expect(assets.filter(({ containers }) => containers.length === 2)).toHaveLength(31);
  expect(namesIn(catalog).filter((name) => name === "ReadParentContainers")).toHaveLength(2);
});

test("an asset that fails is unreadable and named, and the others are there", async () => {
  const faults: FaultSettings = {
    faults: [{ fault: "failed_entity", rate: 1, only: ["ReadAssetFacts"], code: 403 }],
  };
  const catalog = await catalogOf(
    world.filter(([urn]) => urn !== removed),
    faults,
  );
  const { assets, unreadable } = await read(readerOf(catalog), [ruleFor("Dataset")]);
  expect([...unreadable.values()]).toEqual([expect.stringContaining("Unauthorized")]);
  expect(assets).toHaveLength(1);
  expect([...unreadable.keys(), ...assets.map(({ urn }) => urn)].toSorted()).toEqual([clicks, orders]);
});

test.each([
  ["columns", "ReadAssetColumns", [clicks, orders]],
  ["a container", "ReadParentContainers", [orders]],
])("an asset whose %s cannot be read is unreadable", async (_, operation, urns) => {
  const faults: FaultSettings = {
    faults: [{ fault: "graphql_errors", rate: 1, only: [operation], code: 403 }],
  };
  const catalog = await catalogOf(world, faults);
  const asked = withColumns(ruleFor("Dataset", { container: "*" }));
  const { assets, unreadable } = await read(readerOf(catalog), [asked]);
  expect([...unreadable.keys()]).toEqual(urns);
  expect(assets.map(({ urn }) => urn)).toEqual([clicks, orders].filter((urn) => !urns.includes(urn)));
});

test("one asset is read by its URN, whatever the index knows, and what cannot be read is an error", async () => {
  const kind = kindOf("Dataset");
  const at = (name: string): { kind: typeof kind; urn: Urn; columns: boolean } => ({
    kind,
    urn: urnOf(name),
    columns: true,
  });
  const catalog = await catalogOf(world);
  expect(await readAsset(readerOf(catalog), at(orders))).toMatchObject({
    name: "shop.orders",
    containers: [container("schema"), container("database")],
    columns: [{ name: "id" }, { name: "customer.email" }],
  });
  expect(await readAsset(readerOf(catalog), at(removed))).toBeUndefined();
  expect(await readAsset(readerOf(catalog), at(dataset("nowhere")))).toBeUndefined();
  expect(filtersIn(catalog)).toEqual([]);
  const failing = await catalogOf(world, {
    faults: [{ fault: "graphql_errors", rate: 1, only: ["ReadAssetFacts"], code: 403 }],
  });
  await expect(readAsset(readerOf(failing), at(orders))).rejects.toThrow(
    `could not read ${orders}: Unauthorized`,
  );
});

test("a page that cannot be read is an error, never an end", async () => {
  const faults: FaultSettings = {
    faults: [{ fault: "graphql_errors", rate: 1, only: ["Discover"], code: 403 }],
  };
  const reading = read(readerOf(await catalogOf(world, faults)), [ruleFor("Dataset")]);
  await expect(reading).rejects.toThrow("could not read a page of the list of datasets: Unauthorized");
});

test.each([
  ["subtypes", { subTypes: { typeNames: "Table" } }],
  ["a platform instance", { dataPlatformInstance: { urn: 7 } }],
  ["a container", { container: {} }],
  ["columns", { columns: { fields: [{ fieldPath: null }] } }],
])("an asset with malformed %s is unreadable", async (_, wrong) => {
  const entity = { urn: orders, __typename: "Dataset", exists: true, status: null, ...wrong };
  const server = await startStub(({ query }) =>
    query.includes("Discover")
      ? { data: { scrollAcrossEntities: { total: 1, searchResults: [{ entity: { urn: orders } }] } } }
      : { data: { entities: [entity] } },
  );
  onTestFinished(() => server.close());
  const { assets, unreadable } = await read(readerOf(server), [withColumns(ruleFor("Dataset"))]);
  expect(assets).toEqual([]);
  expect(unreadable.get(urnOf(orders))).toContain("malformed");
});

test("an asset that stands on two pages of the list is there once", async () => {
  let pages = 0;
  const server = await startStub(({ query, variables }) => {
    if (query.includes("Discover")) {
      pages += 1;
      const results = { total: 2, searchResults: [{ entity: { urn: orders } }] };
      return { data: { scrollAcrossEntities: { ...results, nextScrollId: pages === 1 ? "2" : null } } };
    }
    const urns = variables["urns"] as readonly string[];
    return {
      data: { entities: urns.map((urn) => ({ urn, __typename: "Dataset", exists: true, status: null })) },
    };
  });
  onTestFinished(() => server.close());
  expect(urnsOf(await read(readerOf(server), [ruleFor("Dataset")]))).toEqual([orders]);
  expect(pages).toBe(2);
});

test("a signal ends it", async () => {
  const catalog = await catalogOf(world);
  const signal = AbortSignal.abort(new Error("stopped"));
  await expect(read(readerOf(catalog), [ruleFor("Dataset")], { signal })).rejects.toThrow("stopped");
});
