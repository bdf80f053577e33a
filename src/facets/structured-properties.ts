/** Defines the facets for the structured property values of assets and of dataset columns. */

import { assetKinds, kindOf } from "../kinds/index.ts";
import { groupBy } from "../model/group-by.ts";
import { idOrUrn } from "../model/identifier.ts";
import { isJsonList, type Json, type JsonObject, textOf } from "../model/json.ts";
import type { ListEdit } from "../model/operation.ts";
import { type MapValue, setOf } from "../model/state.ts";
import { isUrn, schemaFieldUrn, type Urn } from "../model/urn.ts";
import { answeredUrn, aspectIn, storedList } from "../model/answer.ts";
import { answered, columnPaths } from "./answered-aspects.ts";
import { mapFacet, mutation, textsOfReference } from "./build.ts";
import { fieldOf } from "./capabilities.ts";
import { columns, keyAt } from "./columns.ts";
import type { MapFacet } from "./facet.ts";
import type { EditedScalar, ScalarWrites, SetPlace, SetWrites } from "./write-contract.ts";
import type { Keys } from "./map-contract.ts";
import { definitionsBy, isValue } from "./property-definitions.ts";
import { type PropertyValue, propertyValue, storedValue, readStoredValue } from "./property-value.ts";

const aspect = "structuredProperties";
const entityType = "structuredProperty";

/** The map keys for structured properties: the URNs of their definitions. */
const properties: Keys = {
  description:
    "Structured property values, keyed by the id or URN of the property. Properties that you do not list are not changed.",
  example: "retention_days",
  entityType,
  plainNameOf: (key) => (isUrn(key) ? idOrUrn(key) : key),
};

const schema: JsonObject = {
  if: { type: "array" },
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
  then: { items: propertyValue },
  else: propertyValue,
  description:
    "The value, or a list if the property allows several values. `none` or `[]` removes all values.",
  examples: [365, ["monthly"]],
};

/** Returns the entity that stores a value: the asset itself, or a separate entity for a column. */
function ownerOf({ urn, path }: SetPlace): Urn {
  return path?.length === 1 ? urn : schemaFieldUrn(urn, keyAt(path, 0));
}

/** A GraphQL field that exists only on servers that store attributions of values. */
const attribution = fieldOf("structured-property-attribution");

/** Merges entries that have the same `propertyUrn` into a single entry with all their `values`. */
const unites = ["propertyUrn", "values"] as const;

/** The selection for the response to a mutation. A larger selection fails if a stored value has no definition. */
const mutated = "__typename";

function scalarEdits(change: EditedScalar): readonly ListEdit[] {
  const { after, path } = change;
  const propertyUrn = keyAt(path, -1);
  return [
    {
      at: ["properties"],
      remove: [{ propertyUrn }],
      add: isValue(after) ? [{ element: { propertyUrn, values: [storedValue(after)] } }] : [],
      attribution,
      unites,
      keys: { template: ["propertyUrn"] },
    },
  ];
}

function isNumeric(text: string): boolean {
  return text.trim() !== "" && Number.isFinite(Number(text));
}

const common = {
  schema,
  refersTo: [],
  privilege: { name: "EDIT_ENTITY_PROPERTIES", title: "Edit Properties" },
  readWhenDeclared: true,
  parse: (written: Json) => {
    const value: PropertyValue = typeof written === "number" ? written : textOf(written);
    return { value, references: [] as const };
  },
  // Quotes distinguish a string of digits from a number. Both can occur, because the type of a property can change.
  format: (value: PropertyValue | boolean | null, called: (urn: string) => string) =>
    typeof value === "string" && !isNumeric(value) ? called(value) : JSON.stringify(value),
  scalar: {
    unsetBy: fieldOf("unset-structured-properties"),
    rewritesOtherKeys: true,
    requests: (change) => {
      const { after, path } = change;
      const structuredPropertyUrn = keyAt(path, -1);
      const assetUrn = ownerOf(change);
      if (!isValue(after)) {
        const removal = { assetUrn, structuredPropertyUrns: [structuredPropertyUrn] };
        return [mutation("removeStructuredProperties", "RemoveStructuredPropertiesInput!", removal, mutated)];
      }
      const values = [typeof after === "number" ? { numberValue: after } : { stringValue: after }];
      const input = { assetUrn, structuredPropertyInputParams: [{ structuredPropertyUrn, values }] };
      return [mutation("upsertStructuredProperties", "UpsertStructuredPropertiesInput!", input, mutated)];
    },
    editing: {
      aspect: () => aspect,
      urnOf: ownerOf,
      // In DataHub releases before August 2026, Float inputs in GraphQL have only 32 bits (datahub pull request #19177). In
      // addition, a mutation would write duplicate entries again, and the server refuses duplicates.
      isNeededFor: ({ after, several }) =>
        several !== undefined || (typeof after === "number" && Math.fround(after) !== after),
      edits: scalarEdits,
    },
  } satisfies ScalarWrites,
  // Sets are written with edits, because `upsertStructuredProperties` replaces all values of a property.
  set: {
    editing: {
      aspect: () => aspect,
      urnOf: ownerOf,
      edits: ({ path }, add, remove) => [
        {
          at: ["properties", { propertyUrn: keyAt(path, -1) }, "values"],
          add: add.map((value) => ({ element: storedValue(value) })),
          remove: remove.map(storedValue),
          emptied: "element",
          attribution,
          unites,
          keys: { template: ["propertyUrn"] },
        },
      ],
    },
  } satisfies SetWrites<PropertyValue>,
} as const;

/**
 * The structured properties of an asset. They are read from the stored aspect, because GraphQL fails if a definition was deleted.
 */
export const structuredProperties: MapFacet = mapFacet<PropertyValue>({
  ...common,
  name: "structured_properties",
  kinds: assetKinds.filter((kind) => kind.hasStructuredProperties).map(({ name }) => name),
  keys: [properties],
  definitions: definitionsBy((kind) => kindOf(kind).entityType),
  listing: {
    columnFacet: "columns.structured_properties",
    options: [
      {
        name: "property",
        argument: "<id[=value]>",
        description: "with this structured property, or with this value for it",
        entityTypes: [entityType],
        takesValue: true,
        textsOf: (value, [property]) =>
          textsOfReference(property).flatMap((text) => [text, `${text}=${isValue(value) ? value : ""}`]),
      },
    ],
  },
  aspects: () => [aspect],
  storedIn: () => aspect,
  observe: (aspects) => ({ value: valuesOf(aspectIn(aspects, aspect)) }),
});

/**
 * The structured properties of columns. DataHub stores them on a separate entity for each column. GraphQL does not return the raw
 * aspects of these entities (SchemaFieldEntity).
 */
export const columnStructuredProperties: MapFacet = mapFacet<PropertyValue>({
  ...common,
  name: "columns.structured_properties",
  kinds: ["Dataset"],
  keys: [columns, properties],
  definitions: definitionsBy(() => "schemaField"),
  answered: () => [columnPaths],
  storedInColumns: {
    typename: "SchemaFieldEntity",
    answered: answered.structuredProperties,
    urnOf: schemaFieldUrn,
    observe: (aspects) => valuesOf(aspectIn(aspects, aspect)),
  },
  observe: (aspects) => {
    const fields = storedList(aspectIn(aspects, "schemaMetadata")["fields"], "the columns");
    const none: MapValue = { shape: "map", entries: new Map() };
    return {
      value: { shape: "map", entries: new Map(fields.map(({ fieldPath }) => [textOf(fieldPath), none])) },
    };
  },
});

/** Reads the values of all properties. Merges entries for the same property. */
function valuesOf({ properties: stored }: JsonObject): MapValue {
  const entries = storedList(stored, "the structured properties").map(({ propertyUrn: urn, values }) => ({
    urn: answeredUrn({ urn }, "a structured property"),
    values: (isJsonList(values) ? values : []).map(readStoredValue),
  }));
  const leaves = [...groupBy(entries, ({ urn }) => urn)].map(
    ([urn, own]) => [urn, setOf(own.flatMap(({ values }) => values))] as const,
  );
  return { shape: "map", entries: new Map(leaves) };
}
