/** The aspects that GraphQL answers in typed fields: each with its selection, and the way back from the answer to the aspect. */

import type { MatchField } from "../kinds/match-key.ts";
import { isJsonList, isJsonObject, type Json, type JsonObject } from "../model/json.ts";
import { answeredUrn, malformed, storedList } from "../model/answer.ts";

/** An aspect, or a field of one, that GraphQL answers in typed fields. */
export interface AnsweredAspect {
  readonly name: string;
  /** The GraphQL selection on the entity. */
  readonly selection: string;
  /** Its value as DataHub stores it, from the answer to the selection. Throws `CatalogError` if the answer is malformed. */
  readonly stored: (answer: JsonObject) => Json | undefined;
}

/** The selection of all these. */
export function selectionOf(answered: readonly AnsweredAspect[]): string {
  return answered.map(({ selection }) => selection).join(" ");
}

/** The aspects in an answer by name: raw ones as they are, and those in typed fields. `aspects` has the raw ones by name. */
export function aspectsIn(answer: JsonObject, answered: readonly AnsweredAspect[]): JsonObject {
  const { aspects } = answer;
  const raw = isJsonObject(aspects) ? aspects : {};
  return answered.length === 0 ? raw : { ...storedIn(answer, answered), ...raw };
}

function storedIn(answer: JsonObject, answered: readonly AnsweredAspect[]): JsonObject {
  const aspects: Record<string, Json> = {};
  for (const { name, stored } of answered) {
    const value = stored(answer) ?? null;
    const other = aspects[name];
    // Several fields can answer one aspect.
    if (value !== null)
      aspects[name] = isJsonObject(other) && isJsonObject(value) ? { ...other, ...value } : value;
  }
  return aspects;
}

/** The aspects whose typed fields are the same for all kinds, and `description` of a column. */
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

/** The aspects that rules match by. */
export const matchFields: Readonly<Record<MatchField, AnsweredAspect>> = {
  dataPlatformInstance: {
    name: "dataPlatformInstance",
    selection: "dataPlatformInstance { urn }",
    stored: ({ dataPlatformInstance: entity }) =>
      entity && { instance: urnIn(entity, "its platform instance") },
  },
  container: {
    name: "container",
    selection: "container { urn }",
    stored: ({ container: entity }) => entity && { container: urnIn(entity, "its container") },
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

/** The columns that rules match, and those that people edited, which may no longer be in the schema. */
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

/** Associations: the field, its list and its entity in GraphQL. The aspect has the same list, and the URN in `element`. */
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

/** The description that people edit, and the one that ingestion writes, by the names of their aspects. */
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

/** The columns of a dataset as ingestion wrote them, without values. */
export const columnPaths: AnsweredAspect = ingestedColumns();

/** The columns of a dataset as ingestion wrote them and as people edited them, each with a value. */
export function columnsWith(value: AnsweredAspect): readonly AnsweredAspect[] {
  return [
    ingestedColumns(value),
    columnsIn(["editableSchemaMetadata", "editableSchemaFieldInfo", "the edited columns"], [value]),
  ];
}

function ingestedColumns(...values: readonly AnsweredAspect[]): AnsweredAspect {
  return columnsIn(["schemaMetadata", "fields", "the columns"], values);
}

function columnsIn(
  [name, list, what]: readonly [name: string, list: string, what: string],
  values: readonly AnsweredAspect[],
): AnsweredAspect {
  return {
    name,
    selection: `${name} { ${list} { ${["fieldPath", ...values.map(({ selection }) => selection)].join(" ")} } }`,
    stored: ({ [name]: holder }) =>
      withEntries(holder, list, what, (column) => ({
        fieldPath: column["fieldPath"],
        ...storedIn(column, values),
      })),
  };
}

/** An aspect with one list, from the answered one. `stored` builds an entry. */
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
