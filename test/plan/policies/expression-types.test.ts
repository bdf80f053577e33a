import { expect, test } from "vitest";
import { columnFacets, plainFacets } from "../../../src/facets/policy-facets.ts";
import { scalarOf, setOf } from "../../../src/model/state.ts";
import { entityTypesOf } from "../../../src/plan/policies/expression-types.ts";
import type { Subject } from "../../../src/plan/policies/subject.ts";
import { byKeys, owners, peopleOf, subjectOf, tags } from "./subjects.ts";

const property = (id: string): string => `urn:li:structuredProperty:${id}`;
const types = entityTypesOf("Dataset");

const described = subjectOf(
  {
    domain: scalarOf("urn:li:domain:finance"),
    owners: owners(["corpuser:ann", "DATA_STEWARD"], ["corpGroup:team", "BUSINESS_OWNER"]),
    tags: tags("pii"),
    glossary_terms: setOf([]),
    description: { ...scalarOf(null), fallback: "Ingested." },
    deprecation: scalarOf("Use another."),
    structured_properties: byKeys([[property("retention")], setOf([90])], [[property("tier")], setOf([])]),
    "columns.tags": byKeys([["email"], setOf(["urn:li:tag:pii"])]),
    "columns.description": byKeys([["email"], scalarOf("Where to write to.")], [["id"], scalarOf(null)]),
    "columns.structured_properties": byKeys(
      [["email", property("retention")], setOf([30])],
      [["id", property("tier")], setOf(["urn:li:tag:gold"])],
    ),
  },
  { paths: ["id", "email"] },
);
const people = peopleOf({ "corpuser:ann": true }, ["finance"]);

/** What an expression sees, as plain objects. */
function seen(subject: Subject, fields?: ReadonlySet<string>, of = types): unknown {
  const made = of.objectOf(subject, people, fields);
  return JSON.parse(
    JSON.stringify(made, (_, value: unknown) => (value instanceof Map ? Object.fromEntries(value) : value)),
  ) as unknown;
}

test("an expression sees ids, what is not set as empty, and each column with what it has", () => {
  expect(seen(described)).toEqual(
    expect.objectContaining({
      columns: [
        expect.objectContaining({
          description: "",
          glossary_terms: [],
          name: "id",
          path: "id",
          structured_properties: {
            tier: ["gold"],
          },
          tags: [],
          type: "VARCHAR(255)",
        }),
        expect.objectContaining({
          description: "Where to write to.",
          glossary_terms: [],
          name: "email",
          path: "email",
          structured_properties: {
            retention: ["30"],
          },
          tags: ["pii"],
          type: "VARCHAR(255)",
        }),
      ],
      data_products: [],
      declared: true,
      deprecated: true,
      description: "Ingested.",
      domain: "finance",
      env: "PROD",
      glossary_terms: [],
      kind: "Dataset",
      links: [],
      name: "orders",
      owners: [
        {
          active: false,
          groups: [],
          id: "team",
          kind: "group",
          type: "BUSINESS_OWNER",
          urn: "urn:li:corpGroup:team",
        },
        {
          active: true,
          groups: ["finance"],
          id: "ann",
          kind: "user",
          type: "DATA_STEWARD",
          urn: "urn:li:corpuser:ann",
        },
      ],
      platform: "snowflake",
      structured_properties: {
        retention: ["90"],
      },
      tags: ["pii"],
      urn: "urn:li:dataset:(urn:li:dataPlatform:snowflake,orders,PROD)",
    }),
  );
});

test("it sees nothing of a table of which nothing is set but its URN", () => {
  const { urn, kind, containers, subtypes } = described.asset;
  const bare: Subject = { asset: { urn, kind, containers, subtypes }, facets: new Map(), isDeclared: false };
  expect(seen(bare)).toEqual(
    expect.objectContaining({
      columns: [],
      data_products: [],
      declared: false,
      deprecated: false,
      description: "",
      domain: "",
      env: "",
      glossary_terms: [],
      kind: "Dataset",
      links: [],
      name: "",
      owners: [],
      platform: "",
      structured_properties: {},
      tags: [],
      urn: "urn:li:dataset:(urn:li:dataPlatform:snowflake,orders,PROD)",
    }),
  );
});

test("a column without a type has an empty one", () => {
  const asset = { ...described.asset, columns: [{ path: "a.b", name: "b" }] };
  expect(seen({ ...described, asset }, new Set(["columns"]))).toMatchObject({
    columns: [{ path: "a.b", name: "b", type: "" }],
  });
});

test("only the fields that it uses are made", () => {
  const always = {
    urn: described.asset.urn,
    kind: "Dataset",
    name: "orders",
    platform: "snowflake",
    env: "PROD",
  };
  const base = { ...always, declared: true };
  expect(seen(described, new Set(["tags"]))).toEqual({ ...base, tags: ["pii"] });
  expect(seen(described, new Set(["columns", "description"]))).toEqual({
    ...base,
    description: "Ingested.",
    columns: [
      { name: "id", path: "id", type: "VARCHAR(255)", description: "" },
      { name: "email", path: "email", type: "VARCHAR(255)", description: "Where to write to." },
    ],
  });
});

test("the facets that fields show are those of columns only where these are used", () => {
  const facetsFor = (...fields: readonly string[]): readonly string[] => types.facetsFor(new Set(fields));
  expect(facetsFor("tags", "deprecated", "nothing")).toEqual(["tags", "deprecation"]);
  expect(facetsFor("tags", "columns")).toEqual(["tags", "columns.tags"]);
  const all = [...plainFacets("Dataset"), ...columnFacets("Dataset").values()];
  expect(types.facetsFor(undefined)).toEqual(all.map(({ name }) => name));
});

test("an entity of a kind without columns has none, and its fields are those that manifests declare", () => {
  const domain = entityTypesOf("Domain");
  expect(domain.below.map(({ name }) => name)).toEqual(["Owner"]);
  expect(domain.asset.fields).toMatchObject({
    declared: "bool",
    description: "string",
    env: "string",
    kind: "string",
    name: "string",
    owners: "list<Owner>",
    parent_domain: "string",
    platform: "string",
    urn: "string",
  });
  expect(domain.asset.fields).not.toHaveProperty("columns");
  expect(types.below.map(({ name, fields }) => [name, fields])).toMatchObject([
    [
      "Owner",
      {
        active: "bool",
        groups: "list<string>",
        id: "string",
        kind: "string",
        type: "string",
        urn: "string",
      },
    ],
    [
      "Column",
      {
        description: "string",
        glossary_terms: "list<string>",
        name: "string",
        path: "string",
        structured_properties: "map<string, list<string>>",
        tags: "list<string>",
        type: "string",
      },
    ],
  ]);
  expect(types.asset.fields).toMatchObject({
    columns: "list<Column>",
    data_products: "list<string>",
    declared: "bool",
    deprecated: "bool",
    description: "string",
    domain: "string",
    env: "string",
    glossary_terms: "list<string>",
    kind: "string",
    links: "list<string>",
    name: "string",
    owners: "list<Owner>",
    platform: "string",
    structured_properties: "map<string, list<string>>",
    tags: "list<string>",
    urn: "string",
  });
});
