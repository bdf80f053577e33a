import { expect, test } from "vitest";
import { orders, pii, tier, folder } from "../support.ts";
import { faultyCatalog } from "./support.ts";

const error = (path: readonly (string | number)[], code: number, type: string) => ({
  message: expect.stringMatching(/\w/),
  locations: expect.any(Array),
  path,
  extensions: { code, type, classification: "DataFetchingException" },
});

test.each([
  [{}, 500, "SERVER_ERROR"],
  [{ code: 403 }, 403, "UNAUTHORIZED"],
  [{ code: 503 }, 503, "SERVICE_UNAVAILABLE"],
] as const)(
  "graphql_errors %j fail every field of a mutation with HTTP 200 and write nothing",
  async (more, code, type) => {
    const catalog = await faultyCatalog([{ fault: "graphql_errors", rate: 1, ...more }]);
    expect(await catalog.addTags(pii, tier)).toEqual({
      status: 200,
      data: { m0: null, m1: null },
      errors: [error(["m0"], code, type), error(["m1"], code, type)],
    });
    expect(catalog.tags()).toEqual([]);
    expect(await catalog.report()).toMatchObject({ faults: [{ injected: 1 }], writes: { mutations: 0 } });
  },
);

test("graphql_errors fail a read with HTTP 200", async () => {
  const catalog = await faultyCatalog([{ fault: "graphql_errors", rate: 1 }]);
  expect(await catalog.send(`{ entities(urns: ["${orders}"]) { urn } }`)).toEqual({
    status: 200,
    data: { entities: null },
    errors: [error(["entities"], 500, "SERVER_ERROR")],
  });
});

test("failed_alias fails one field of a request, and the others are carried out", async () => {
  const catalog = await faultyCatalog([{ fault: "failed_alias", code: 503, rate: 1 }]);
  const { status, data, errors } = await catalog.addTags(pii, tier);
  const [failed, kept] = data?.["m0"] === null ? ["m0", tier] : ["m1", pii];
  expect([status, data]).toEqual([200, { m0: true, m1: true, [failed]: null }]);
  expect(errors).toEqual([error([failed], 503, "SERVICE_UNAVAILABLE")]);
  expect(catalog.tags()).toEqual([kept]);
  expect(await catalog.report()).toMatchObject({ faults: [{ injected: 1 }], writes: { mutations: 1 } });
});

test("failed_alias with the name of a field fails that one", async () => {
  const only = ["removeTag"];
  const catalog = await faultyCatalog([{ fault: "failed_alias", rate: 1, only }]);
  const tag = `input: { tagUrn: "${pii}", resourceUrn: "${orders}" }`;
  const { data } = await catalog.send(
    `mutation { a: addTag(${tag}) b: removeTag(${tag}) c: unsetDomain(entityUrn: "${orders}") }`,
  );
  expect(data).toEqual({ a: true, b: null, c: true });
  expect(catalog.tags()).toEqual([pii]);
});

test("failed_entity fails one entity of a batch, and the others are answered", async () => {
  const catalog = await faultyCatalog([{ fault: "failed_entity", rate: 1 }]);
  const urns = [orders, folder, pii, tier];
  const { status, data, errors } = await catalog.send(
    "query ($urns: [String!]!) { entities(urns: $urns) { urn } }",
    { urns },
  );
  const { entities } = data as unknown as { readonly entities: readonly ({ urn: string } | null)[] };
  const failed = entities.indexOf(null);
  expect([status, entities]).toEqual([200, urns.map((urn, index) => (index === failed ? null : { urn }))]);
  expect(failed).not.toBe(-1);
  expect(errors).toEqual([error(["entities", failed], 500, "SERVER_ERROR")]);
});

test("failed_entity fails no other read", async () => {
  const catalog = await faultyCatalog([{ fault: "failed_entity", rate: 1 }]);
  expect(await catalog.send(`{ dataset(urn: "${orders}") { urn } entities(urns: []) { urn } }`)).toEqual({
    status: 200,
    data: { dataset: { urn: orders }, entities: [] },
  });
  expect(await catalog.report()).toMatchObject({ faults: [{ injected: 0 }] });
});

test("unstable_scroll misses an entity of a scroll that is not sorted, and none of one that is", async () => {
  const catalog = await faultyCatalog([{ fault: "unstable_scroll", rate: 1 }]);
  const tags = async (more: object): Promise<readonly unknown[]> => {
    const i = { types: ["TAG"], query: "*", ...more };
    const query = `query ($i: ScrollAcrossEntitiesInput!) { scrollAcrossEntities(input: $i) {
      searchResults { entity { urn } } } }`;
    return (await catalog.send(query, { i })).data!["scrollAcrossEntities"]!["searchResults"];
  };
  expect(await tags({})).toHaveLength(1);
  const sortInput = { sortCriteria: [{ field: "urn", sortOrder: "ASCENDING" }] };
  expect(await tags({ sortInput })).toHaveLength(2);
  expect(await catalog.report()).toMatchObject({ faults: [{ injected: 1 }] });
});

test("an invalid document is answered as without faults", async () => {
  const catalog = await faultyCatalog([{ fault: "graphql_errors", rate: 1 }]);
  for (const query of ["{ me", "{ you }"]) {
    const { status, errors } = await catalog.send(query);
    expect([status, errors?.[0]?.extensions["code"]]).toEqual([200, undefined]);
  }
});
