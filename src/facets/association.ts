/** Builds the facets of tags and terms: associations that DataHub stores on assets and on the columns of datasets. */

import type { Privilege } from "../kinds/kind.ts";
import { isJsonObject, type JsonObject } from "../model/json.ts";
import type { ListEdit } from "../model/operation.ts";
import type { Path } from "../model/place.ts";
import { setOf } from "../model/state.ts";
import { schemaFieldUrn, type Urn } from "../model/urn.ts";
import { answeredUrn, storedList } from "./answer.ts";
import { attributionIn, attributionSource } from "./attribution.ts";
import { mapFacet, mutation, referenceTo, setFacet, textsOfReference } from "./build.ts";
import {
  columns,
  columnSelection,
  columnsFromStored,
  editedColumn,
  editedColumns,
  keyAt,
  observedColumns,
  resourceAt,
} from "./columns.ts";
import type { FacetContract, FromStored, ListOption, MapFacet, SetFacet, SetWrites } from "./facet.ts";

/** A mutation that writes associations: its name, the type of its input, and the input field with the URNs. */
type Mutation = readonly [name: string, input: string, field: string];

/** The differences between assets and columns. */
interface Holder {
  readonly relationship: string;
  readonly privilege: Privilege;
  /** Whether this privilege alone lets a token write the aspect on newer servers. */
  readonly isWithOwnPrivilege?: true;
}

/** A list of associations with entities of one type, on assets and on the columns of datasets. */
interface Association extends Pick<FacetContract, "name" | "wording"> {
  /** The kinds that have the list. */
  readonly kinds: FacetContract["kinds"];
  readonly schema: JsonObject;
  /** The option of `list` for it. */
  readonly option: Pick<ListOption, "name" | "description">;
  /** The type of the entities, as URNs spell it. */
  readonly entityType: string;
  /** Whether GraphQL leaves out entities that the token may not view. Then the stored aspect is read. */
  readonly isRedacted?: true;
  /** The GraphQL field with the list. */
  readonly field: string;
  /** The aspect of assets that stores it. Edited columns store it in a field of the same name. */
  readonly aspect: string;
  /** The field of the list in the aspect and in GraphQL. */
  readonly list: string;
  /** The field of a stored element with the URN. */
  readonly element: string;
  /** The field of a selected element with the entity. */
  readonly selected: string;
  /** The required field next to the list with its AuditStamp, if there is one. */
  readonly stamp?: string;
  /** The GraphQL field, as `Type.field`, of servers that store who added an element. */
  readonly attribution: string;
  /** The mutation that adds several URNs. */
  readonly add: Mutation;
  /** The mutation that removes one URN. */
  readonly remove: Mutation;
  readonly asset: Holder;
  readonly column: Holder;
}

/** The facets of an association: `name` on assets and `columns.name` on columns. */
export function associationFacets(association: Association): readonly [SetFacet, MapFacet] {
  const { name, kinds, schema, wording, entityType, aspect, list, asset, column, isRedacted } = association;
  const reading = readingOf(association);
  const columnForm = columnsFromStored(reading.selectedForm);
  const fromStored: FromStored = { aspects: () => [aspect], answer: reading.selectedForm };
  const common = { schema, ...(wording && { wording }), ...referenceTo(entityType) };
  return [
    setFacet({
      ...common,
      name,
      kinds,
      relationship: asset.relationship,
      privilege: asset.privilege,
      listing: {
        isColumn: true,
        isCounted: true,
        columnFacet: `columns.${name}`,
        options: [
          { ...association.option, argument: "<id>", entityTypes: [entityType], textsOf: textsOfReference },
        ],
      },
      storedIn: { aspect: () => aspect, attribution: reading.attribution },
      ...(isRedacted
        ? {
            readWhenDeclared: true,
            aspects: () => [aspect],
            observe: (entity) => reading.observe(reading.selectedForm(aspectsOf(entity))),
          }
        : { selection: reading.selection, fromStored, observe: reading.observe }),
      ...writesOf(association, asset, { aspect, holderIn: (holder) => holder, at: () => [list] }),
    }),
    mapFacet({
      ...common,
      name: `columns.${name}`,
      kinds: ["Dataset"],
      keys: [columns],
      relationship: column.relationship,
      privilege: column.privilege,
      readWhenDeclared: true,
      storedIn: {
        aspect: () => editedColumns,
        attribution: (edited, urn, path) => reading.attribution(ofColumn(edited, aspect, path), urn),
      },
      selection: columnSelection(reading.selection),
      fromStored: columnForm,
      ...(isRedacted && { aspects: () => [editedColumns] }),
      observe: (entity) => {
        const edited = isRedacted && columnForm.answer(aspectsOf(entity), "")["editableSchemaMetadata"];
        const seen = edited ? { ...entity, editableSchemaMetadata: edited } : entity;
        return observedColumns(seen, (selected) => setOf(reading.observe(selected)));
      },
      // `schemaMetadata.fields.schemaFieldEntity` would return it for every column, which takes the server 16 times as long as the
      // rest.
      columnEntity: {
        field: `SchemaFieldEntity.${association.field}`,
        selection: reading.selection,
        fromStored,
        urnOf: schemaFieldUrn,
        observe: reading.observe,
      },
      set: writesOf(association, column, {
        aspect: editedColumns,
        holderIn: (edited, path) => ofColumn(edited, aspect, path),
        at: (path) => ["editableSchemaFieldInfo", { fieldPath: keyAt(path, 0) }, aspect, list],
      }),
    }),
  ];
}

function aspectsOf({ aspects }: JsonObject): JsonObject {
  return isJsonObject(aspects) ? aspects : {};
}

function ofColumn(edited: JsonObject, aspect: string, path: Path | undefined): JsonObject {
  const holder = editedColumn(edited, keyAt(path, 0))[aspect];
  return isJsonObject(holder) ? holder : {};
}

/** How the list and the attribution of its elements are read. */
function readingOf({ field, aspect, list, element, selected }: Association): {
  readonly selection: string;
  readonly observe: (entity: JsonObject) => readonly Urn[];
  /** Builds the answer to the selection from an object that has `aspect`. */
  readonly selectedForm: (stored: JsonObject) => JsonObject;
  readonly attribution: (holder: JsonObject, urn: unknown) => JsonObject | undefined;
} {
  return {
    selection: `${field} { ${list} { ${selected} { urn } } }`,
    observe: (entity) => {
      const holder = entity[field];
      const found = storedList(isJsonObject(holder) ? holder[list] : undefined, `the ${list}`);
      return found.map((each) =>
        answeredUrn(each[selected] as { readonly urn?: unknown } | null, `a ${selected}`),
      );
    },
    selectedForm: ({ [aspect]: holder }) => {
      const stored = storedList(isJsonObject(holder) ? holder[list] : undefined, `the ${list}`);
      return { [field]: { [list]: stored.map((entry) => ({ [selected]: { urn: entry[element] } })) } };
    },
    attribution: (holder, urn) => attributionIn(holder[list], (entry) => entry[element] === urn),
  };
}

/** The place of the list in an aspect. */
interface ListPlace {
  readonly aspect: string;
  /** The object in the aspect that has the list. */
  readonly holderIn: (aspect: JsonObject, path: Path | undefined) => JsonObject;
  /** The path to the list. */
  readonly at: (path: Path | undefined) => ListEdit["at"];
}

/**
 * One request adds all elements, but each removal is a request: DataHub's batch form keeps only the last of several columns (issue
 * #9284).
 */
function writesOf(
  { list, element, selected, attribution, stamp, ...mutations }: Association,
  { isWithOwnPrivilege }: Holder,
  { aspect, holderIn, at }: ListPlace,
): SetWrites<Urn> {
  const [[add, addInput, addedUrns], [remove, removeInput, removedUrn]] = [mutations.add, mutations.remove];
  // A removal matches every entry of an element, whatever source it is from.
  const edit = (path: Path | undefined, added: readonly Urn[], removed: readonly Urn[]): ListEdit => ({
    at: at(path),
    add: added.map((urn) => ({ element: { [element]: urn } })),
    remove: removed.map((urn) => ({ [element]: urn })),
    attribution,
    ...(stamp !== undefined && { stamp }),
    keys: { template: [element], own: [attributionSource, element] },
  });
  return {
    add: (place, urns) => [
      { elements: urns, request: mutation(add, addInput, { [addedUrns]: urns, ...resourceAt(place) }) },
    ],
    remove: (place, urns) =>
      urns.map((urn) => ({
        elements: [urn],
        request: mutation(remove, removeInput, { [removedUrn]: urn, ...resourceAt(place) }),
      })),
    editing: {
      aspect: () => aspect,
      ...(isWithOwnPrivilege && { isWithOwnPrivilege }),
      elements: (value, path, alsoStoredAt) =>
        [path, ...(alsoStoredAt === undefined ? [] : [[alsoStoredAt]])].flatMap((each) =>
          storedList(holderIn(value, each)[list], `the ${list}`).map((entry) =>
            answeredUrn({ urn: entry[element] }, `a ${selected}`),
          ),
        ),
      edits: ({ path, alsoStoredAt }, added, removed) => [
        edit(path, added, removed),
        ...(alsoStoredAt === undefined || removed.length === 0 ? [] : [edit([alsoStoredAt], [], removed)]),
      ],
    },
  };
}
