import { expect, onTestFinished, test } from "vitest";
import { createReader, type Reader } from "../../../src/datahub/client.ts";
import { connectionTo } from "../../../src/datahub/connection.ts";
import { type Entity, scalarOf, setOf } from "../../../src/model/state.ts";
import type { Urn } from "../../../src/model/urn.ts";
import {
  readExtraAspects,
  type ExtraAspects,
  withExtraAspects,
} from "../../../src/sync/read/extra-aspects.ts";
import { startStub } from "../../support/stub-server.ts";
import { datasetNamed, entityOf, stateOf, urn } from "../../support/states.ts";

const [days, tier] = ["days", "tier"].map((id) => urn(`urn:li:structuredProperty:${id}`)) as [Urn, Urn];
const version = { propertyDefinition: { value: { version: "20270630120000" } } };

const property = (of: Urn): Entity =>
  entityOf("StructuredProperty", of, { version: scalarOf("1"), cardinality: scalarOf("SINGLE") });

type Asked = readonly [
  entityType: string,
  wanted: readonly (readonly [urn: string, aspects: readonly string[]])[],
];

/** What is read beside GraphQL of these entities, and what was asked for. */
async function beside(
  answer: Awaited<ReturnType<Reader["stored"]["read"]>>,
  entities: readonly Entity[],
  urns: readonly Urn[],
): Promise<{ readonly found: ExtraAspects; readonly asked: readonly Asked[] }> {
  const asked: Asked[] = [];
  const read: Reader["stored"]["read"] = async (entityType, wanted) => {
    asked.push([entityType, wanted.map(({ urn: of, aspects }) => [of, aspects])]);
    return answer;
  };
  const reader = { stored: { read } } as Partial<Reader> as Reader;
  return { found: await readExtraAspects(reader, stateOf(...entities), urns, {}), asked };
}

test("what GraphQL does not show is read of the entities that declare it, and the status of all that it hides", async () => {
  const entities = [
    property(days),
    property(tier),
    entityOf("StructuredProperty", urn("urn:li:structuredProperty:plain"), {
      cardinality: scalarOf("SINGLE"),
    }),
    entityOf("Tag", urn("urn:li:tag:pii"), { description: scalarOf("x") }),
    entityOf("Dataset", datasetNamed("a"), { tags: setOf([]) }),
  ];
  const urns = [...stateOf(...entities).keys(), urn("urn:li:structuredProperty:other")];
  const { found, asked } = await beside(new Map([[days, version]]), entities, urns);
  const aspects = ["propertyDefinition", "status"];
  const plain = urn("urn:li:structuredProperty:plain");
  expect(asked.map(([type, some]) => [type, new Map(some)])).toEqual([
    [
      "structuredProperty",
      new Map([
        [days, aspects],
        [tier, aspects],
        [plain, ["status"]],
      ]),
    ],
  ]);
  expect([...found]).toEqual([
    [days, { propertyDefinition: { version: "20270630120000" } }],
    [tier, {}],
    [plain, {}],
  ]);
});

test("an answered entity has what was read beside it as well", async () => {
  const { found } = await beside(new Map([[days, version]]), [property(days)], [days]);
  const own = { propertyDefinition: { version: "20270630120000" } };
  const answered = { status: {}, propertyDefinition: {} };
  expect(withExtraAspects(answered, days, found)).toEqual({ status: {}, ...own });
  expect(withExtraAspects({}, days, found)).toEqual(own);
  expect(withExtraAspects({}, tier, found)).toEqual({});
});

test.each(["refused", "unknown"] as const)(
  "an entity is not known of which what is stored is %s",
  async (answer) => {
    const { found } = await beside(answer, [property(days)], [days]);
    expect(() => withExtraAspects({}, days, found)).toThrow("the server does not return its stored aspects");
  },
);

test("a server without OpenAPI is asked for each entity by Rest.li, as releases before 0.14 can be", async () => {
  const asked: string[] = [];
  const server = await startStub((_request, response, { url }) => {
    asked.push(decodeURIComponent(url));
    if (url.includes("days") && url.startsWith("/entitiesV2/"))
      return { urn: days, aspects: { status: { name: "status", value: { removed: true } } } };
    response.writeHead(404).end("{}");
    return undefined;
  });
  onTestFinished(() => server.close());
  const reader = createReader(connectionTo(server.url));
  const found = await readExtraAspects(reader, stateOf(property(days), property(tier)), [days, tier], {});
  expect([...found]).toEqual([
    [days, { status: { removed: true } }],
    [tier, {}],
  ]);
  expect(asked).toEqual([
    "/openapi/v3/entity/structuredProperty/batchGet?systemMetadata=true",
    `/entitiesV2/${days}?aspects=List(propertyDefinition,status)`,
    `/entitiesV2/${tier}?aspects=List(propertyDefinition,status)`,
  ]);
});
