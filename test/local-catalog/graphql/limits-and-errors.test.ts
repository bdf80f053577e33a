import { describe, expect, test } from "vitest";
import type { OperationDefinitionNode } from "graphql";
import { limitError, parseWithinLimits } from "../../../src/local-catalog/graphql/query-limits.ts";
import { catalogWith, orders, shop } from "../support.ts";

const aliases = (count: number, field: string) =>
  Array.from({ length: count }, (_, index) => `a${index}: ${field}`).join(" ");
const nested = (depth: number) => `${"container { ".repeat(depth - 2)}urn${" }".repeat(depth - 2)}`;
const aborted = (message: string) => ({
  status: 200,
  data: null,
  errors: [{ message, extensions: { classification: "ExecutionAborted" } }],
});

describe("complexity counts", () => {
  test.each([
    ["each field once", `{ ${aliases(1000, "me { corpUser { __typename } }")} }`, undefined],
    ["up to 2000", `{ ${aliases(667, "me { corpUser { urn } }")} }`, 2001],
    [
      "a fragment once, however often it is used",
      `{ ${aliases(999, "me { corpUser { ...u } }")} } fragment u on CorpUser { urn type }`,
      undefined,
    ],
    [
      "a fragment with what uses it",
      `{ ${aliases(1000, "me { corpUser { ...u } }")} } fragment u on CorpUser { urn type }`,
      2002,
    ],
    [
      "not what is left out",
      `{ ${aliases(501, "me { corpUser { urn type @skip(if: true) } }")} }`,
      undefined,
    ],
    [
      "not what is not included",
      `{ ${aliases(501, "me { corpUser { urn type @include(if: false) } }")} }`,
      undefined,
    ],
  ])("%s", async (_name, document, complexity) => {
    const catalog = await catalogWith();
    const answer = await catalog.send(document);
    if (complexity === undefined) expect(answer.errors).toBeUndefined();
    else expect(answer).toEqual(aborted(`maximum query complexity exceeded ${complexity} > 2000`));
  });

  test("a list of a thousand entities as one", async () => {
    const catalog = await catalogWith(shop);
    const urns = Array.from({ length: 1000 }, () => orders);
    const { data } = await catalog.send("query ($urns: [String!]!) { entities(urns: $urns) { urn type } }", {
      urns,
    });
    expect(data).toHaveProperty("entities.length", 1000);
  });
});

const costly = "{ searchResults { entity { ...searchResultFields } } } }";
const fragment = "fragment searchResultFields on Entity { urn }";

describe("complexity of an input counts", () => {
  test.each([
    ["twice its count where results are the fragment searchResultFields", 1000, costly, 2004],
    ["nothing for other results", 1000, "{ searchResults { entity { urn } } } }", undefined],
    ["nothing for one result", 1, costly, undefined],
  ])("%s", async (_name, count, selection, complexity) => {
    const catalog = await catalogWith();
    const used = selection === costly ? fragment : "";
    const literal = `{ searchAcrossEntities(input: { query: "*", count: ${count} }) ${selection} ${used}`;
    const variable = `query ($i: SearchAcrossEntitiesInput!) { searchAcrossEntities(input: $i) ${selection} ${used}`;
    for (const answer of [
      await catalog.send(literal),
      await catalog.send(variable, { i: { query: "*", count } }),
    ]) {
      if (complexity === undefined) expect(answer.errors).toBeUndefined();
      else expect(answer).toEqual(aborted(`maximum query complexity exceeded ${complexity} > 2000`));
    }
  });

  test("each entry of a list", () => {
    const document = parseWithinLimits("mutation ($i: [In!]!) { patchEntities(input: $i) { urn } }");
    const [operation] = document.definitions as [OperationDefinitionNode];
    const entries = (length: number) => ({ i: Array.from({ length }, () => ({})) });
    expect(limitError(operation, document, entries(1998))).toBeUndefined();
    expect(limitError(operation, document, entries(1999))?.message).toBe(
      "maximum query complexity exceeded 2001 > 2000",
    );
  });
});

test.each([
  [50, undefined],
  [51, "maximum query depth exceeded 51 > 50"],
])("a depth of %i", async (depth, message) => {
  const catalog = await catalogWith(shop);
  const answer = await catalog.send(`{ dataset(urn: "${orders}") { ${nested(depth)} } }`);
  if (message === undefined) expect(answer.errors).toBeUndefined();
  else expect(answer).toEqual(aborted(message));
});

test("a document of more than 15,000 tokens is rejected", async () => {
  const catalog = await catalogWith();
  const answer = await catalog.send(`{ ${aliases(2200, "me { corpUser { urn } }")} }`);
  expect(answer).toEqual({
    status: 200,
    data: null,
    errors: [
      {
        message:
          "More than 15,000 'grammar' tokens have been presented. To prevent Denial Of Service attacks, parsing has been cancelled.",
        extensions: { classification: "InvalidSyntax" },
      },
    ],
  });
});

test("a document of more than 1,048,576 characters is rejected", async () => {
  const catalog = await catalogWith();
  const ofLength = (length: number): string => "{ __typename } #".padEnd(length, "x");
  expect(await catalog.send(ofLength(1_048_576))).toMatchObject({ data: { __typename: "Query" } });
  const { errors } = await catalog.send(ofLength(1_048_577));
  expect(errors).toEqual([
    {
      message:
        "More than 1,048,576 characters have been presented. To prevent Denial Of Service attacks, parsing has been cancelled.",
      extensions: { classification: "InvalidSyntax" },
    },
  ]);
});

describe("an error before execution has a classification, but no code and no type", () => {
  test.each([
    ["a syntax error", "{ me {", {}, "InvalidSyntax"],
    ["an unknown field", "{ you }", {}, "ValidationError"],
    ["a field that the local catalog does not serve", "{ appConfig { appVersion } }", {}, "ValidationError"],
    ["a missing variable", "query ($u: String!) { entityExists(urn: $u) }", {}, "ValidationError"],
    [
      "a value outside an enum",
      "mutation ($i: AddOwnerInput!) { addOwner(input: $i) }",
      { i: { ownerUrn: "u", ownerEntityType: "ROBOT", resourceUrn: "r" } },
      "ValidationError",
    ],
  ])("%s", async (_name, document, variables, classification) => {
    const catalog = await catalogWith();
    const { status, data, errors } = await catalog.send(document, variables);
    expect(status).toBe(200);
    expect(data).toBeNull();
    expect(errors).toMatchObject([{ locations: [{ line: 1 }] }]);
    expect(errors?.[0]?.extensions).toEqual({ classification });
  });
});

test("an unexpected error in a resolver is a server error with its path", async () => {
  const catalog = await catalogWith([
    {
      entityType: "container",
      entityUrn: "urn:li:container:x",
      changeType: "UPSERT",
      aspectName: "containerProperties",
      aspect: { json: { description: "without a name" } },
    },
  ]);
  const { data, errors } = await catalog.send(
    '{ container(urn: "urn:li:container:x") { urn properties { name } } }',
  );
  expect(data).toEqual({ container: { urn: "urn:li:container:x", properties: null } });
  expect(errors).toMatchObject([
    {
      path: ["container", "properties", "name"],
      locations: [{ line: 1 }],
      extensions: { code: 500, type: "SERVER_ERROR", classification: "DataFetchingException" },
    },
  ]);
});

test("introspection is on", async () => {
  const catalog = await catalogWith();
  const { data } = await catalog.send(
    '{ __schema { queryType { name } } __type(name: "SubResourceType") { enumValues { name } } }',
  );
  expect(data).toEqual({
    __schema: { queryType: { name: "Query" } },
    __type: { enumValues: [{ name: "DATASET_FIELD" }] },
  });
});
