/** Defines the facets `description` and `columns.description`, which contain the descriptions that users edit. */

import { kindOf, kinds } from "../kinds/index.ts";
import type { ScalarChange } from "../model/change.ts";
import { nonEmptyString } from "../model/identifier.ts";
import { isJsonObject, type Json, textOf } from "../model/json.ts";
import type { FieldEdit, Request } from "../model/operation.ts";
import { type Scalar, scalarOf, type ScalarValue } from "../model/state.ts";
import { malformed } from "../model/answer.ts";
import { answered, type AnsweredAspect, columnsWith, descriptions } from "./answered-aspects.ts";
import { editingProposal, mapFacet, mutation } from "./build.ts";
import { fieldOf } from "./capabilities.ts";
import { columns, editedColumns, keyAt, observedColumns, resourceAt } from "./columns.ts";
import type { MapFacet, ScalarFacet } from "./facet.ts";
import { fieldFacet } from "./field.ts";

const prose = {
  isProse: true,
  // A YAML block scalar ends with a newline that is not part of the text.
  parse: (written: Json) => ({ value: textOf(written).trimEnd() || textOf(written), references: [] }),
} as const;

/**
 * A GraphQL field that exists only on servers that accept patches to descriptions. The same DataHub release added the field and
 * support for these patches.
 */
const patchedSince = fieldOf("tag-attribution");

const described = kinds.filter(({ isDescribed }) => isDescribed).map(({ name }) => name);

const assets: ReadonlySet<string> = new Set(described);

/**
 * The kinds that have their own mutation, because `updateDescription` does not support them (UpdateDescriptionResolver.java).
 * Ingestion writes their descriptions to an aspect whose name ends in `Info`.
 */
const withOwnMutation: ReadonlySet<string> = new Set(["Chart", "Dashboard", "DataFlow", "DataJob"]);

/** The typed fields with the descriptions of an asset, keyed by kind. */
const answeredForAssets: ReadonlyMap<string, readonly AnsweredAspect[]> = new Map(
  described.map((kind) => [kind, descriptions(editableAspectOf(kind), ingestedAspectOf(kind))]),
);

const answeredForColumns = columnsWith(answered.description);

const ofDefinitions = fieldFacet({
  name: "description",
  ...prose,
  schema: {
    ...nonEmptyString,
    description: "Explains what the entity is and what it is for. `none` removes the description.",
    examples: ["Ledgers, invoices, treasury."],
  },
});

/**
 * The description of an entity. An asset has two descriptions, and this facet is the one that users edit. If it is empty, the
 * catalog shows the ingested description. A definition has a single description.
 */
export const description: ScalarFacet = {
  ...ofDefinitions,
  kinds: [...ofDefinitions.kinds, ...described],
  privilege: { name: "EDIT_ENTITY_DOCS", title: "Edit Description" },
  listing: { options: [], isCounted: true, columnFacet: "columns.description" },
  aspects: (kind) => (assets.has(kind) ? [] : ofDefinitions.aspects(kind)),
  storedIn: (kind) => (assets.has(kind) ? editableAspectOf(kind) : ofDefinitions.storedIn?.(kind)),
  answered: (kind) => answeredForAssets.get(kind) ?? [],
  observe: (aspects, kind) =>
    assets.has(kind)
      ? { value: shown(textIn(aspects[editableAspectOf(kind)]), textIn(aspects[ingestedAspectOf(kind)])) }
      : ofDefinitions.observe(aspects, kind),
  scalar: {
    requests: (change) => {
      const { urn, kind, after } = change;
      if (!assets.has(kind)) return ofDefinitions.scalar.requests(change);
      if (after !== null) return [update(change, after)];
      // A mutation would reject `null`, or would store an empty string.
      return [editingProposal(urn, editableAspectOf(kind), ofAsset(null))];
    },
    editing: {
      aspect: (kind) => (assets.has(kind) ? editableAspectOf(kind) : undefined),
      edits: ({ after }) => [ofAsset(after)],
    },
  },
};

/** The column descriptions that users edit. */
export const columnDescription: MapFacet = mapFacet({
  name: "columns.description",
  kinds: ["Dataset"],
  ...prose,
  schema: {
    ...nonEmptyString,
    description:
      "The editable column description in DataHub. `none` removes it, so DataHub shows the ingested description again.",
    examples: ["As entered by the customer."],
  },
  refersTo: [],
  keys: [columns],
  privilege: { name: "EDIT_DATASET_COL_DESCRIPTION", title: "Edit Dataset Column Descriptions" },
  readWhenDeclared: true,
  storedIn: () => editedColumns,
  answered: () => answeredForColumns,
  observe: (aspects) =>
    observedColumns(aspects, (edited, ingested) => shown(textIn(edited), textIn(ingested))),
  scalar: {
    requests: (change) => {
      const { urn, after, path } = change;
      if (after !== null) return [update(change, after)];
      // A mutation would reject `null`, or would store an empty string.
      return [editingProposal(urn, editedColumns, ofColumn(keyAt(path, 0), null))];
    },
    editing: {
      aspect: () => editedColumns,
      edits: ({ after, path, alsoStoredAt }) => [
        ofColumn(keyAt(path, 0), after),
        ...(alsoStoredAt === undefined ? [] : [ofColumn(alsoStoredAt, null)]),
      ],
    },
  },
});

function update(change: ScalarChange, text: Scalar): Request {
  const { urn, kind } = change;
  if (!withOwnMutation.has(kind)) {
    const input = { description: text, ...resourceAt(change) };
    return mutation("updateDescription", "DescriptionUpdateInput!", input);
  }
  return {
    type: "mutation",
    field: `update${kind}`,
    args: [
      { name: "urn", type: "String!", value: urn },
      { name: "input", type: `${kind}UpdateInput!`, value: { editableProperties: { description: text } } },
    ],
    selection: "urn",
  };
}

function ofAsset(value: Scalar): FieldEdit {
  return { at: ["description"], value, patch: { since: patchedSince, isGeneric: true } };
}

function ofColumn(fieldPath: string, value: Scalar): FieldEdit {
  return {
    at: ["editableSchemaFieldInfo", { fieldPath }, "description"],
    value,
    patch: { since: patchedSince },
  };
}

/** Returns the aspect that contains the editable description. */
function editableAspectOf(kind: string): string {
  const { entityType } = kindOf(kind);
  return `editable${entityType[0]?.toUpperCase()}${entityType.slice(1)}Properties`;
}

/** Returns the aspect that contains the ingested description. */
function ingestedAspectOf(kind: string): string {
  return `${kindOf(kind).entityType}${withOwnMutation.has(kind) ? "Info" : "Properties"}`;
}

/** Returns a live description, with the text that the catalog shows if the description is empty. */
function shown(value: string | null, fallback: string | null): ScalarValue {
  return { ...scalarOf(value), ...(fallback !== null && { fallback }) };
}

/**
 * Reads the description from a response or an aspect. Returns `null` for an empty description, because the catalog then shows the
 * ingested description.
 */
function textIn(holder: Json | undefined): string | null {
  const text = isJsonObject(holder) ? (holder["description"] ?? "") : "";
  if (typeof text !== "string") throw malformed("a description", "is not a string");
  return text === "" ? null : text;
}
