/** Lists the aspects that GraphQL returns in typed fields, and converts these fields to the stored aspects. */

import type { MatchField } from "../kinds/match-key.ts";
import { isJsonList, isJsonObject, type Json, type JsonObject } from "../model/json.ts";
import { answeredUrn, malformed, storedList } from "../model/answer.ts";

/** An aspect that GraphQL returns in typed fields, or a field in such an aspect. */
export interface AnsweredAspect {
  readonly name: string;
  /** The fields to select on the entity, as a GraphQL selection. */
  readonly selection: string;
  /** Converts the response to the form in which DataHub stores the value. Throws `CatalogError` if the response is malformed. */
  readonly stored: (answer: JsonObject) => Json | undefined;
}

/** Joins the selections of several aspects into a single GraphQL selection. */
export function selectionOf(answered: readonly AnsweredAspect[]): string {
  return answered.map(({ selection }) => selection).join(" ");
}

/** Returns all aspects in a response, keyed by name: raw aspects, and aspects in typed fields. */
export function aspectsIn(
  answer: JsonObject,
  answered: readonly AnsweredAspect[],
  raw: JsonObject,
): JsonObject {
  return answered.length === 0 ? raw : Object.assign(storedIn(answer, answered), raw);
}

/** Converts typed fields to aspects. Adds them to `aspects`, which it changes and returns. */
function storedIn(
  answer: JsonObject,
  answered: readonly AnsweredAspect[],
  aspects: Record<string, Json | undefined> = {},
): JsonObject {
  for (const { name, stored } of answered) {
    const value = stored(answer) ?? null;
    const other = aspects[name];
    // Several fields can contribute to the same aspect.
    if (value !== null)
      aspects[name] = isJsonObject(other) && isJsonObject(value) ? { ...other, ...value } : value;
  }
  return aspects;
}

/** The aspects whose typed fields are the same for all kinds, and the `description` of a column. */
export const answered = {
  globalTags: associations("globalTags", ["tags", "tags", "tag"], "tag"),
  glossaryTerms: associations("glossaryTerms", ["glossaryTerms", "terms", "term"], "urn"),
  ownership: {
    name: "ownership",
    selection:
      "ownership { owners { owner { ... on CorpUser { urn } ... on CorpGroup { urn } } type ownershipType { urn } } }",
    stored: ({ ownership: holder }) =>
      withEntries(holder, "owners", "the owners", ({ owner, type, ownershipType }) => ({
        owner: urnIn(owner, "an owner"),
        type,
        typeUrn: ownershipType && urnIn(ownershipType, "an ownership type"),
      })),
  },
  structuredProperties: {
    name: "structuredProperties",
    selection: `structuredProperties { properties { structuredProperty { urn }
      values { ... on StringValue { stringValue } ... on NumberValue { numberValue } } } }`,
    stored: ({ structuredProperties: holder }) =>
      withEntries(holder, "properties", "the structured properties", ({ structuredProperty, values }) => {
        if (!isJsonList(values)) throw malformed("a structured property", "has no values");
        return {
          propertyUrn: urnIn(structuredProperty, "a structured property"),
          values: values.map(valueIn),
        };
      }),
  },
  description: { name: "description", selection: "description", stored: ({ description }) => description },
} satisfies Readonly<Record<string, AnsweredAspect>>;

/** The aspects with the properties that rules can match. */
export const matchFields: Readonly<Record<MatchField, AnsweredAspect>> = {
  dataPlatformInstance: {
    name: "dataPlatformInstance",
    selection: "dataPlatformInstance { urn }",
    stored: ({ dataPlatformInstance: entity }) =>
      entity && { instance: urnIn(entity, "the platform instance") },
  },
  container: {
    name: "container",
    selection: "container { urn }",
    stored: ({ container: entity }) => entity && { container: urnIn(entity, "the container") },
  },
  subTypes: {
    name: "subTypes",
    selection: "subTypes { typeNames }",
    stored: ({ subTypes }) => subTypes,
  },
  platform: {
    name: "dataPlatformInstance",
    selection: "platform { urn }",
    stored: ({ platform: entity }) => (isJsonObject(entity) ? { platform: entity["urn"] } : undefined),
  },
  named: {
    name: "containerProperties",
    selection: "named: properties { name }",
    stored: ({ named }) => named,
  },
};

/** The columns that rules can match: ingested columns and edited columns. Edited columns may be missing from the schema. */
export const matchColumns: Readonly<Record<"ingested" | "edited", AnsweredAspect>> = {
  ingested: {
    name: "schemaMetadata",
    selection: "columns: schemaMetadata { fields { fieldPath nativeDataType } }",
    stored: ({ columns }) => columns,
  },
  edited: {
    name: "editableSchemaMetadata",
    selection: "edited: editableSchemaMetadata { fields: editableSchemaFieldInfo { fieldPath } }",
    stored: ({ edited }) =>
      isJsonObject(edited) ? { editableSchemaFieldInfo: edited["fields"] } : undefined,
  },
};

/**
 * Describes an aspect with a list of associations, such as tags. `field`, `list` and `entity` are GraphQL fields. The stored
 * aspect also has a field `list`. Each entry of this list contains a URN in the field `element`.
 */
function associations(
  name: string,
  [field, list, entity]: readonly [field: string, list: string, entity: string],
  element: string,
): AnsweredAspect {
  return {
    name,
    selection: `${field} { ${list} { ${entity} { urn } } }`,
    stored: ({ [field]: holder }) =>
      withEntries(holder, list, `the ${list}`, (entry) => ({
        [element]: urnIn(entry[entity], `a ${entity}`),
      })),
  };
}

function valueIn(value: Json): JsonObject {
  const { stringValue, numberValue }: JsonObject = isJsonObject(value) ? value : {};
  return numberValue === undefined ? { string: stringValue } : { double: numberValue };
}

/** Describes the two aspects that contain descriptions: the one that users edit, and the one that ingestion writes. */
export function descriptions(edited: string, ingested: string): readonly AnsweredAspect[] {
  return [
    {
      name: edited,
      selection: "edited: editableProperties { description }",
      stored: ({ edited: value }) => value,
    },
    {
      name: ingested,
      selection: "ingested: properties { description }",
      stored: ({ ingested: value }) => value,
    },
  ];
}

const ingestedColumns = ["schemaMetadata", "fields", "the columns"] as const;

/** The ingested columns of a dataset, without values. */
export const columnPaths: AnsweredAspect = columnsIn(ingestedColumns, []);

/** Describes a dataset's columns, both ingested and edited, with one value for each column. */
export function columnsWith(value: AnsweredAspect): readonly AnsweredAspect[] {
  return [
    columnsIn(ingestedColumns, [value]),
    columnsIn(["editableSchemaMetadata", "editableSchemaFieldInfo", "the edited columns"], [value]),
  ];
}

function columnsIn(
  [name, list, what]: readonly [name: string, list: string, what: string],
  values: readonly AnsweredAspect[],
): AnsweredAspect {
  return {
    name,
    selection: `${name} { ${list} { ${["fieldPath", ...values.map(({ selection }) => selection)].join(" ")} } }`,
    stored: ({ [name]: holder }) =>
      withEntries(holder, list, what, (column) =>
        storedIn(column, values, { fieldPath: column["fieldPath"] }),
      ),
  };
}

/** Converts a response with a single list to the stored aspect. `stored` converts each entry. */
function withEntries(
  holder: Json | undefined,
  list: string,
  what: string,
  stored: (entry: JsonObject) => JsonObject,
): Json | undefined {
  return isJsonObject(holder) ? { [list]: storedList(holder[list], what).map(stored) } : holder;
}

function urnIn(entity: Json | undefined, what: string): string {
  return answeredUrn(isJsonObject(entity) ? entity : null, what);
}
