import { isJsonList, isJsonObject, type JsonObject } from "../model/json.ts";
import type { Path } from "../model/place.ts";
import { setOf, type SetValue } from "../model/state.ts";
import { schemaFieldUrn, type Urn } from "../model/urn.ts";
import { answeredList, malformed } from "./answer.ts";
import { mapFacet, referenceTo } from "./build.ts";
import type { Ingested } from "./facet.ts";
import {
  type SelectedTags,
  storedTags,
  tagAttribution,
  tagEdit,
  tagListSchema,
  tagSelection,
  tagTelling,
  tagUrns,
  tagWrites,
} from "./tags.ts";

interface SelectedField {
  readonly fieldPath: string;
  readonly tags?: SelectedTags | null;
}

interface Selected {
  readonly schemaMetadata?: { readonly fields: readonly SelectedField[] } | null;
  readonly editableSchemaMetadata?: {
    readonly editableSchemaFieldInfo: readonly {
      readonly fieldPath: string;
      readonly tags?: SelectedTags | null;
    }[];
  } | null;
}

/**
 * Tags of a dataset's columns. They live in three places on the server; only `editableSchemaMetadata` can be edited
 * by `addTags` and `removeTag`, so only it is compared. Tags in `schemaMetadata` and on the schema-field entity are
 * ingestion's (DataHub pull request #14598). The entries are the columns of the latest schema: the server refuses others.
 */
export const columnTags = mapFacet<Urn, Selected>({
  name: "columns.tags",
  kinds: ["Dataset"],
  ...referenceTo("tag"),
  relationship: "EditableSchemaFieldTaggedWith",
  told: tagTelling,
  schema: tagListSchema,
  privilege: { name: "EDIT_DATASET_COL_TAGS", title: "Edit Dataset Column Tags" },
  readWhenDeclared: true,
  storedIn: {
    aspect: () => "editableSchemaMetadata",
    attribution: (aspect, tag, path) => tagAttribution(tagsOf(aspect, path), tag),
  },
  selection: `schemaMetadata { fields { fieldPath tags ${tagSelection} } }
      editableSchemaMetadata { editableSchemaFieldInfo { fieldPath tags ${tagSelection} } }`,
  // By `schemaMetadata.fields.schemaFieldEntity` it would come of every column, which takes the server 16 times as long as the rest.
  columnEntity: {
    field: "SchemaFieldEntity.tags",
    selection: `tags ${tagSelection}`,
    urnOf: schemaFieldUrn,
    observe: ({ tags }) => tagUrns(tags as SelectedTags | null | undefined),
  },
  observe: ({ schemaMetadata, editableSchemaMetadata }) => {
    const edited = new Map(
      answeredList(editableSchemaMetadata?.editableSchemaFieldInfo, "the edited columns").map((info) => [
        answeredPath(info),
        setOf(tagUrns(info.tags)),
      ]),
    );
    const entries = new Map<string, SetValue>();
    const ingested: Ingested[] = [];
    for (const field of answeredList(schemaMetadata?.fields, "the columns")) {
      const column = answeredPath(field);
      const own = edited.get(column) ?? none;
      entries.set(column, own);
      for (const value of tagUrns(field.tags))
        if (!own.members.includes(value)) ingested.push({ path: [column], value });
    }
    const away = [...edited].filter(([column, own]) => !entries.has(column) && own.members.length > 0);
    return {
      value: { shape: "map", entries },
      ingested,
      ...(away.length > 0 && { away: { shape: "map", entries: new Map(away) } }),
    };
  },
  ...tagWrites,
  editing: {
    aspect: "editableSchemaMetadata",
    elements: (aspect, path) => storedTags(tagsOf(aspect, path)),
    edits: ({ path: [column = ""] = [] }, add, remove) => [
      tagEdit(["editableSchemaFieldInfo", { fieldPath: column }, "globalTags", "tags"], add, remove),
    ],
  },
});

// Nearly all columns have none.
const none = setOf([]);

function answeredPath({ fieldPath }: { readonly fieldPath: unknown }): string {
  if (typeof fieldPath === "string") return fieldPath;
  throw malformed("a column", "has no path");
}

/** What an aspect of type EditableSchemaMetadata holds of type GlobalTags for a column. */
function tagsOf({ editableSchemaFieldInfo: infos }: JsonObject, [column]: Path = []): JsonObject {
  const info = (isJsonList(infos) ? infos : [])
    .filter(isJsonObject)
    .find(({ fieldPath }) => fieldPath === column);
  const globalTags = info?.["globalTags"];
  return isJsonObject(globalTags) ? globalTags : {};
}
