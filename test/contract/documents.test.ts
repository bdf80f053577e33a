import { readFileSync } from "node:fs";
import { join } from "node:path";
import { buildSchema, getVariableValues, type GraphQLSchema, Kind, parse, validate } from "graphql";
import { expect, test } from "vitest";
import { probeDocument, probeSelection } from "../../src/datahub/read/available-fields.ts";
import { belowDocument, referringDocument } from "../../src/datahub/read/referring.ts";
import { assetsDocument, definitionsDocument } from "../../src/datahub/read/entities-document.ts";
import { columnEntitiesDocument } from "../../src/datahub/read/column-entities.ts";
import { existenceDocument } from "../../src/datahub/read/existence.ts";
import { indexedMembersDocument } from "../../src/datahub/read/changed.ts";
import { membersDocument, membershipsDocument } from "../../src/datahub/read/memberships.ts";
import { columnsDocument, factsDocument, parentsDocument } from "../../src/datahub/read/assets/facts.ts";
import type { Reader } from "../../src/datahub/client/client.ts";
import { discover, discoverDocument } from "../../src/datahub/read/discover.ts";
import { namesDocument } from "../../src/datahub/read/names.ts";
import { searchDocument, searchVariables } from "../../src/datahub/read/search.ts";
import { actorDocument, privilegesDocument } from "../../src/datahub/write/provenance.ts";
import { mutationOf } from "../../src/datahub/write/mutation-document.ts";
import { facets, plannedFacets } from "../../src/facets/index.ts";
import { containing, kindOf, kinds } from "../../src/kinds/index.ts";
import type { FacetChange } from "../../src/model/change.ts";
import type { JsonObject } from "../../src/model/json.ts";
import type { Entity } from "../../src/model/state.ts";
import { datasetNamed, requestsFor, urn } from "../support/states.ts";

const releases = ["v0.13.1", "v1.0.0", "v1.4.0", "v1.7.0"];
const ours = buildSchema(readFileSync(join(import.meta.dirname, "../../schemas/catalog.graphql"), "utf8"));
const schemas = new Map(releases.map((release) => [release, schemaOf(release)]));

function schemaOf(release: string): GraphQLSchema {
  return buildSchema(readFileSync(join(import.meta.dirname, `datahub-${release}.graphql`), "utf8"));
}

const entities: readonly Entity[] = kinds
  .filter(({ lifecycle }) => lifecycle === "observed")
  .map(({ name }) => ({ kind: name, urn: datasetNamed("a"), facets: new Map() }));

const tag = "urn:li:tag:pii";
const owner = (type: string): { owner: string; type: string } => ({
  owner: "urn:li:corpuser:a",
  type: `urn:li:ownershipType:${type}`,
});

/** For each facet, changes that lead to each of its operations in each of their forms. */
const examples: Readonly<Record<string, readonly object[]>> = {
  domain: [
    { shape: "scalar", before: null, after: "urn:li:domain:a" },
    { shape: "scalar", before: "urn:li:domain:a", after: null },
  ],
  owners: ["__system__technical_owner", "__system__dataowner", "architect"].map((type) => ({
    shape: "set",
    add: [owner(type)],
    remove: [owner(type)],
  })),
  tags: [{ shape: "set", add: [tag], remove: [tag] }],
  members: [{ shape: "set", add: ["urn:li:corpuser:a"], remove: ["urn:li:corpuser:b"] }],
  "columns.tags": [{ shape: "set", column: "email", add: [tag], remove: [tag] }],
};

const facetMutations = plannedFacets.flatMap((facet) => {
  const changes =
    examples[facet.name] ?? (facet.shape === "scalar" ? [{ shape: "scalar", before: null, after: "x" }] : []);
  const requests = changes.flatMap((change) =>
    requestsFor({
      action: "update",
      kind: facet.kinds[0] ?? "Dataset",
      urn: urn("urn:li:dataset:(urn:li:dataPlatform:s3,a,PROD)"),
      facet: facet.name,
      fingerprint: "",
      ...change,
    } as FacetChange),
  );
  if (requests.length === 0)
    throw new Error(`no example of a change of ${facet.name} leads to a request: add one to examples`);
  const sent = requests.filter((request) => request.type === "mutation");
  return sent.map((request, index) => ({
    name: `${facet.name} ${index + 1}: ${request.field}`,
    ...mutationOf([request]),
  }));
});

const deletions = kinds.flatMap(({ name, entityType, deletion }) => {
  if (!deletion) return [];
  const value = `urn:li:${entityType}:a`;
  const args = [{ name: "urn", type: "String!", value }];
  return [
    { name: `deleting a ${name}`, ...mutationOf([{ type: "mutation", field: deletion.mutation, args }]) },
  ];
});

const definitions = kinds
  .filter(({ lifecycle }) => lifecycle === "owned")
  .map(({ name, entityType }): Entity => ({
    kind: name,
    urn: urn(`urn:li:${entityType}:a`),
    facets: new Map(),
  }));

const mutations = [...facetMutations, ...deletions];

const searches = kinds.map(({ searchType: type, alike }) => ({
  type,
  anyOf: alike?.filters(datasetNamed("a")) ?? [[{ field: "name", values: ["a"] }]],
}));
const withVariables = [
  ...mutations,
  {
    name: "searching for entities of each kind",
    document: searchDocument(searches.length),
    variables: searchVariables(searches),
  },
];

const everyFacet = new Set(facets.map(({ name }) => name));
const kindNames = new Set(entities.map(({ kind }) => kind));

const reads = [
  {
    name: "reading assets of which nothing is declared",
    document: assetsDocument(kindNames, new Set(), () => false),
  },
  { name: "reading assets with all facets", document: assetsDocument(kindNames, everyFacet, () => false) },
  { name: "reading definitions", document: definitionsDocument(definitions) },
  { name: "discovering members", document: membersDocument },
  { name: "looking at members again", document: indexedMembersDocument },
  { name: "reading memberships", document: membershipsDocument },
  { name: "looking up what is referred to", document: existenceDocument(2) },
  {
    name: "looking up what is referred to, and probing a type",
    document: existenceDocument(2, probeSelection("SchemaFieldEntity")),
  },
  { name: "reading what refers to definitions", document: referringDocument },
  { name: "reading what is below definitions", document: belowDocument },
  { name: "reading display names", document: namesDocument },
  { name: "finding entities", document: discoverDocument },
  { name: "searching for what is absent", document: searchDocument(2) },
  ...kinds
    .filter(({ matching }) => matching)
    .map((kind) => ({ name: `reading what rules match a ${kind.name} by`, document: factsDocument(kind) })),
  ...kinds
    .filter(({ matching }) => matching?.columns)
    .flatMap((kind) => [
      { name: `reading the columns of a ${kind.name}`, document: columnsDocument(kind) },
      { name: `reading the edited columns of a ${kind.name}`, document: columnsDocument(kind, true) },
    ]),
  { name: "reading what is above containers", document: parentsDocument(containing) },
  { name: "asking who writes", document: actorDocument },
  { name: "asking for privileges", document: privilegesDocument(2) },
  { name: "probing a type", document: probeDocument("SchemaFieldEntity") },
];

test.each(releases.flatMap((release) => [...reads, ...mutations].map((sent) => ({ release, ...sent }))))(
  "$name is valid in DataHub $release",
  ({ release, document }) => {
    const schema = schemas.get(release);
    expect(schema && validate(schema, parse(document))).toEqual([]);
  },
);

test.each([...reads, ...mutations])("$name is valid in our own part of the schema", ({ document }) => {
  expect(validate(ours, parse(document))).toEqual([]);
});

test("every kind that is owned can be deleted, and no other", () => {
  expect(kinds.filter(({ deletion }) => deletion).map(({ name }) => name)).toEqual(
    kinds.filter(({ lifecycle }) => lifecycle === "owned").map(({ name }) => name),
  );
});

test.each(releases)("fields of newer servers are asked for only where DataHub %s has them", (release) => {
  const schema = schemas.get(release);
  const has = (typeAndField: string): boolean => {
    const [type = "", field = ""] = typeAndField.split(".");
    const known = schema?.getType(type);
    return known !== undefined && "getFields" in known && field in known.getFields();
  };
  expect(schema && validate(schema, parse(assetsDocument(kindNames, everyFacet, has)))).toEqual([]);
  const ofColumns = facets.flatMap((facet) => (facet.shape === "map" ? (facet.columnEntity ?? []) : []));
  expect(ofColumns).not.toEqual([]);
  for (const each of ofColumns.filter(({ field }) => has(field)))
    expect(schema && validate(schema, parse(columnEntitiesDocument(each)))).toEqual([]);
});

test.each(releases.flatMap((release) => withVariables.map((sent) => ({ release, ...sent }))))(
  "the values of $name fit the input types of DataHub $release",
  ({ release, document, variables }) => {
    const values = coercedIn(release, document, variables);
    expect(values.errors).toBeUndefined();
    expect(Object.keys(values.coerced ?? {})).toEqual(Object.keys(variables));
  },
);

function coercedIn(
  release: string,
  document: string,
  variables: JsonObject,
): ReturnType<typeof getVariableValues> {
  const [definition] = parse(document).definitions;
  const schema = schemas.get(release);
  if (!schema || definition?.kind !== Kind.OPERATION_DEFINITION) throw new Error("no operation");
  return getVariableValues(schema, definition.variableDefinitions ?? [], variables);
}

test.each(releases)(
  "entities are found by DataHub %s, in the order of URNs where it has one",
  async (release) => {
    const taken: unknown[] = [];
    const query: Reader["query"] = async (document, variables) => {
      const { errors = [], coerced } = coercedIn(release, document, variables);
      if (errors[0]) return { data: null, errors: errors.map(({ message }) => ({ message })) };
      taken.push((coerced as { readonly input: JsonObject } | undefined)?.input["sortInput"]);
      return { data: { scrollAcrossEntities: { searchResults: [], total: 0 } }, errors: [] };
    };
    const reader = { query, concurrency: 1, stored: { read: async () => "unknown" } } satisfies Reader;
    for await (const _ of discover(reader, { kind: kindOf("Tag") }));
    const byUrn = { sortCriteria: [{ field: "urn", sortOrder: "ASCENDING" }] };
    expect(taken).toEqual([release === "v0.13.1" ? undefined : byUrn]);
  },
);
