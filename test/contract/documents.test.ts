import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  buildSchema,
  getVariableValues,
  type GraphQLSchema,
  isInputObjectType,
  Kind,
  parse,
  validate,
} from "graphql";
import { expect, test } from "vitest";
import type { Reader } from "../../src/datahub/client.ts";
import { columnEntitiesDocument } from "../../src/sync/read/column-entities.ts";
import { featureFlagDocument } from "../../src/sync/read/capabilities.ts";
import { discover } from "../../src/sync/read/discover.ts";
import { shellsDocument } from "../../src/sync/read/restricted.ts";
import { searchDocument, searchVariables } from "../../src/sync/read/search.ts";
import { mutationOf } from "../../src/sync/write/requests.ts";
import { capabilities } from "../../src/facets/capabilities.ts";
import type { Facet } from "../../src/facets/facet.ts";
import { links } from "../../src/facets/links.ts";
import { edgeSets, facets, plannedFacets } from "../../src/facets/index.ts";
import { kindOf, kinds } from "../../src/kinds/index.ts";
import { writesFor } from "../../src/facets/writes.ts";
import type { Json, JsonObject } from "../../src/model/json.ts";
import { type Edit, isListEdit } from "../../src/model/operation.ts";
import { creationOf } from "../../src/plan/base/changes.ts";
import { operationsOf } from "../../src/plan/order/operations.ts";
import { examplesOf, reads } from "../support/sent-documents.ts";
import { datasetNamed, urn } from "../support/states.ts";

const releases = ["v0.13.1", "v1.0.0", "v1.4.0", "v1.7.0"];
const ours = buildSchema(readFileSync(join(import.meta.dirname, "../../schemas/catalog.graphql"), "utf8"));
const schemas = new Map(releases.map((release) => [release, schemaOf(release)]));

function schemaOf(release: string): GraphQLSchema {
  return buildSchema(readFileSync(join(import.meta.dirname, `datahub-${release}.graphql`), "utf8"));
}

const facetMutations = plannedFacets.flatMap((facet) => {
  const sent = examplesOf(facet).filter((request) => request.type === "mutation");
  return sent.map((request, index) => ({
    name: `${facet.name} ${index + 1}: ${request.field}`,
    ...mutationOf([request]),
  }));
});

const deletions = kinds.flatMap(({ name, entityType, deletion }) => {
  if (deletion?.mutation === undefined) return [];
  const change = creationOf({ kind: name, urn: urn(`urn:li:${entityType}:a`) });
  const operations = operationsOf({ changes: [{ ...change, action: "delete" }] });
  const sent = operations.flatMap(({ request }) => (request.type === "mutation" ? [request] : []));
  return [{ name: `deleting a ${name}`, ...mutationOf(sent) }];
});

/** The mutation that came with 1.0: with 0.13 what needs it is refused before. */
const sinceOne = /\bremoveStructuredProperties\(/;

function isIn(release: string, { document }: { readonly document: string }): boolean {
  return release !== "v0.13.1" || !sinceOne.test(document);
}

const mutations = [...facetMutations, ...deletions];

const searches = kinds.map(({ searchType: type, similarNames }) => ({
  type,
  anyOf: similarNames?.filters(datasetNamed("a")) ?? [[{ field: "name", values: ["a"] }]],
}));
const withVariables = [
  ...mutations,
  {
    name: "searching for entities of each kind",
    document: searchDocument(searches.length),
    variables: searchVariables(searches),
  },
];

const sentTo = (release: string): readonly (typeof mutations)[number][] =>
  mutations.filter((sent) => isIn(release, sent));

test.each(
  releases.flatMap((release) => [...reads, ...sentTo(release)].map((sent) => ({ release, ...sent }))),
)("$name is valid in DataHub $release", ({ release, document }) => {
  const schema = schemas.get(release);
  expect(schema && validate(schema, parse(document))).toEqual([]);
});

test.each([...reads, ...mutations])("$name is valid in our own part of the schema", ({ document }) => {
  expect(validate(ours, parse(document))).toEqual([]);
});

test("every kind that is owned can be deleted, and no other", () => {
  expect(kinds.filter(({ deletion }) => deletion).map(({ name }) => name)).toEqual(
    kinds.filter(({ lifecycle }) => lifecycle === "owned").map(({ name }) => name),
  );
});

function hasField(release: string, typeAndField: string): boolean {
  const [type = "", field = ""] = typeAndField.split(".");
  const known = schemas.get(release)?.getType(type);
  return known !== undefined && "getFields" in known && field in known.getFields();
}

/** The mutations that set a value with each of its fields, where that needs a newer server. */
const newer = facets.flatMap((facet) => {
  const { properties = {} } = (facet.schema?.["then"] ?? {}) as { readonly properties?: JsonObject };
  const fields = Object.entries(properties).map(([name, schema]) => {
    const { examples = [] } = schema as { readonly examples?: readonly Json[] };
    return [name, examples[0]] as const;
  });
  const parsed = fields.length === 0 ? undefined : facet.parse(Object.fromEntries(fields));
  const [kind = ""] = facet.kinds;
  const feature = parsed && "value" in parsed ? facet.needs?.(kind, parsed.value) : undefined;
  if (!parsed || !("value" in parsed) || !feature) return [];
  const about = {
    action: "update",
    kind,
    urn: datasetNamed("a"),
    facet: facet.name,
    fingerprint: "",
  } as const;
  const change = { ...about, shape: "scalar", before: null, after: parsed.value } as const;
  const requests = writesFor(change, "graphql").map(({ request }) => request);
  return requests
    .filter((request) => request.type === "mutation")
    .map((request) => ({ field: feature.field, ...mutationOf([request]) }));
});

test.each(releases)(
  "what only newer servers have fits the input types of DataHub %s where it has it",
  (release) => {
    expect(newer).not.toEqual([]);
    for (const { field, document, variables } of newer) {
      const { errors } = coercedIn(release, document, variables);
      expect(errors === undefined).toBe(hasField(release, field));
    }
  },
);

test.each(releases)("what only newer servers tell shells by is valid where DataHub %s has it", (release) => {
  const schema = schemas.get(release);
  const withNewer = kinds.flatMap((kind) => (kind.shell?.newer ? [{ kind, ...kind.shell.newer }] : []));
  expect(withNewer).not.toEqual([]);
  for (const { kind, field, typed } of withNewer) {
    const faults = schema && validate(schema, parse(shellsDocument(kind, typed)));
    if (hasField(release, field)) expect(faults, field).toEqual([]);
  }
});

/** What only newer servers have, by the facets that need it. */
const features = facets.flatMap((facet) => {
  const ofKinds = facet.kinds.map((kind) => facet.needs?.(kind, {}));
  return [...ofKinds, facet.shape === "set" ? facet.alike : undefined].filter((each) => each !== undefined);
});

test.each(releases)(
  "what only newer servers have is known by a field that DataHub %s has or not",
  (release) => {
    expect(features).not.toEqual([]);
    for (const { field, release: first } of features) {
      const isThere = `v${first}`.localeCompare(release, "en", { numeric: true }) <= 0;
      expect(hasField(release, field), field).toBe(isThere);
    }
  },
);

/** The fields of GraphQL by which facets depend on a server. */
const dependedOn = new Set(
  facets.flatMap((facet) => [
    ...(facet.scalar?.unsetBy === undefined ? [] : [facet.scalar.unsetBy]),
    ...(facet.shape === "map" && facet.columnEntity ? [facet.columnEntity.field] : []),
    ...plannedEdits(facet).flatMap((edit) => (isListEdit(edit) ? edit.attribution : edit.patch?.since) ?? []),
  ]),
);

function plannedEdits(facet: Facet): readonly Edit[] {
  if (!plannedFacets.includes(facet)) return [];
  return examplesOf(facet, facet.kinds[0], "conditional").flatMap((request) =>
    request.type === "proposal" ? (request.edits ?? []) : [],
  );
}

test("all that facets depend on is in the table of capabilities, by the fields that these are asked by", () => {
  const asked = capabilities.flatMap(({ asked: question }) => ("field" in question ? [question.field] : []));
  const all = new Set([...dependedOn, ...features.map(({ field }) => field)]);
  expect([...all].filter((field) => !asked.includes(field as (typeof asked)[number]))).toEqual([]);
  expect(all.size).toBeGreaterThan(8);
});

test.each(releases)(
  "the table of capabilities has no release before one that shows them: DataHub %s",
  (release) => {
    for (const { id, asked, release: first } of capabilities) {
      const field =
        asked.by === "flag" ? `FeatureFlagsConfig.${asked.flag}` : "field" in asked ? asked.field : undefined;
      const isThere = `v${first}`.localeCompare(release, "en", { numeric: true }) <= 0;
      if (field !== undefined) expect(hasField(release, field), id).toBe(isThere);
    }
  },
);

test.each(releases)(
  "what tells links of one URL apart is there where DataHub %s removes a link by its label",
  (release) => {
    const removing = schemas.get(release)?.getType("RemoveLinkInput");
    const isByLabel = isInputObjectType(removing) && removing.getFields()["label"] !== undefined;
    const { field = "" } = ("alike" in links && links.alike) || {};
    expect(hasField(release, field)).toBe(isByLabel);
  },
);

test.each(releases)("fields of newer servers are asked for only where DataHub %s has them", (release) => {
  const schema = schemas.get(release);
  const has = (typeAndField: string): boolean => hasField(release, typeAndField);
  const ofColumns = facets.flatMap((facet) => (facet.shape === "map" ? (facet.columnEntity ?? []) : []));
  expect(ofColumns).not.toEqual([]);
  for (const each of ofColumns.filter(({ field }) => has(field)))
    expect(schema && validate(schema, parse(columnEntitiesDocument(each)))).toEqual([]);
  for (const flag of edgeSets.flatMap(({ exclusive }) => exclusive?.unless ?? []))
    if (has(`FeatureFlagsConfig.${flag}`))
      expect(schema && validate(schema, parse(featureFlagDocument(flag)))).toEqual([]);
});

test.each(
  releases.flatMap((release) =>
    withVariables.filter((sent) => isIn(release, sent)).map((sent) => ({ release, ...sent })),
  ),
)("the values of $name fit the input types of DataHub $release", ({ release, document, variables }) => {
  const values = coercedIn(release, document, variables);
  expect(values.errors).toBeUndefined();
  expect(Object.keys(values.coerced ?? {})).toEqual(Object.keys(variables));
});

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
  "entities are found by DataHub %s, also hidden ones, in the order of URNs, where it has that",
  async (release) => {
    const taken: JsonObject[] = [];
    let refused = 0;
    const query: Reader["query"] = async (document, variables) => {
      const { errors = [], coerced } = coercedIn(release, document, variables);
      if (errors[0]) {
        refused += 1;
        return { data: null, errors: errors.map(({ message }) => ({ message })) };
      }
      taken.push((coerced as { readonly input: JsonObject }).input);
      return { data: { scrollAcrossEntities: { searchResults: [], total: 0 } }, errors: [] };
    };
    const reader = { query, concurrency: 1, stored: { read: async () => "unknown" } } satisfies Reader;
    for await (const _ of discover(reader, { kind: kindOf("Tag") }));
    const asked = refused;
    for await (const _ of discover(reader, { kind: kindOf("Dataset") }));
    const byUrn = { sortCriteria: [{ field: "urn", sortOrder: "ASCENDING" }] };
    const isOld = release === "v0.13.1";
    const flags = { includeSoftDeleted: true };
    expect(taken).toMatchObject([
      { types: ["TAG"], searchFlags: flags },
      { types: ["DATASET"], searchFlags: flags },
    ]);
    expect(taken.map(({ sortInput }) => sortInput)).toEqual(isOld ? [undefined, undefined] : [byUrn, byUrn]);
    const hidden = taken.map(
      ({ searchFlags }) => (searchFlags as JsonObject)["includeHiddenLifecycleStages"],
    );
    expect(hidden).toEqual(release === "v1.7.0" ? [true, true] : [undefined, undefined]);
    // What a server does not know it is asked for once.
    expect([asked > 0, refused - asked]).toEqual([release !== "v1.7.0", 0]);
  },
);
