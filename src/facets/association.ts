/** Builds the facets for tags and glossary terms, which DataHub stores on assets and on dataset columns. */

import type { Privilege } from "../kinds/kind.ts";
import type { JsonObject } from "../model/json.ts";
import type { ListEdit } from "../model/operation.ts";
import type { Path } from "../model/place.ts";
import { setOf } from "../model/state.ts";
import { schemaFieldUrn, type Urn } from "../model/urn.ts";
import { answeredUrn, aspectIn, storedList } from "../model/answer.ts";
import { answered, columnsWith } from "./answered-aspects.ts";
import { attributionSource, mapFacet, mutation, referenceTo, setFacet, textsOfReference } from "./build.ts";
import { columns, editedColumns, keyAt, observedColumns, resourceAt } from "./columns.ts";
import type { FacetContract, ListOption, MapFacet, SetFacet } from "./facet.ts";
import type { SetWrites } from "./write-contract.ts";

/** A mutation that writes associations: its name, its input type, and the input field for the URNs. */
type Mutation = readonly [name: string, input: string, field: string];

/** The properties of an association that differ between assets and columns. */
interface Holder {
  readonly relationship: string;
  readonly privilege: Privilege;
  /** Whether newer servers require only `privilege` to write the aspect. */
  readonly isWithOwnPrivilege?: true;
}

/** A list that associates assets and columns with entities of one type. */
interface Association extends Required<Pick<FacetContract, "name" | "kinds" | "schema" | "wording">> {
  /** The option of the `list` command that searches these associations. */
  readonly option: Pick<ListOption, "name" | "description">;
  /** The type of the associated entities, spelled as in URNs. */
  readonly entityType: string;
  /** Whether GraphQL hides entities that the token is not allowed to view. If so, the stored aspect is read instead. */
  readonly isRedacted?: true;
  /** The aspect that stores the list for an asset. For a column, the list is stored in a field with the same name. */
  readonly aspect: "globalTags" | "glossaryTerms";
  /** The field of the aspect that contains the list. */
  readonly list: string;
  /** The field of an element that contains the URN. */
  readonly element: string;
  /** The noun for an element in messages. */
  readonly noun: string;
  /** The required AuditStamp field that is a sibling of the list, if there is one. */
  readonly stamp?: string;
  /** The GraphQL field (`Type.field`) that returns the values stored on a column's separate entity. */
  readonly columnField: string;
  /** The GraphQL field (`Type.field`) that exists only on servers that store who added an element. */
  readonly attribution: string;
  /** The mutation that adds several URNs. */
  readonly add: Mutation;
  /** The mutation that removes a single URN. */
  readonly remove: Mutation;
  readonly asset: Holder;
  readonly column: Holder;
}

/** Builds two facets for an association: one for assets, and one with the name prefix `columns.` for columns. */
export function associationFacets(association: Association): readonly [SetFacet, MapFacet] {
  const { name, kinds, schema, wording, entityType, aspect, list, asset, column, isRedacted } = association;
  const own = answered[aspect];
  const answeredForColumns = columnsWith(own);
  const read = (holder: JsonObject): readonly Urn[] => urnsIn(association, aspectIn(holder, aspect));
  const common = { schema, wording, ...referenceTo(entityType) };
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
      storedIn: () => aspect,
      ...(isRedacted ? { readWhenDeclared: true, aspects: () => [aspect] } : { answered: () => [own] }),
      observe: read,
      ...writesOf(association, asset, { aspect, at: () => [list] }),
    }),
    mapFacet({
      ...common,
      name: `columns.${name}`,
      kinds: ["Dataset"],
      keys: [columns],
      relationship: column.relationship,
      privilege: column.privilege,
      readWhenDeclared: true,
      storedIn: () => editedColumns,
      answered: () => answeredForColumns,
      ...(isRedacted && { aspects: () => [editedColumns] }),
      observe: (aspects) => observedColumns(aspects, (each) => setOf(read(each))),
      // `schemaMetadata.fields.schemaFieldEntity` would return the entities of all columns, but the server needs 16 times as long
      // for this field as for all other fields combined.
      columnEntity: {
        field: association.columnField,
        answered: own,
        urnOf: schemaFieldUrn,
        observe: read,
      },
      set: writesOf(association, column, {
        aspect: editedColumns,
        at: (path) => ["editableSchemaFieldInfo", { fieldPath: keyAt(path, 0) }, aspect, list],
      }),
    }),
  ];
}

/** Reads the URNs in the list of associations. Throws `CatalogError` if the list is malformed. */
function urnsIn({ list, element, noun }: Association, holder: JsonObject): readonly Urn[] {
  return storedList(holder[list], `the ${list}`).map((entry) =>
    answeredUrn({ urn: entry[element] }, `a ${noun}`),
  );
}

/** The location of the list in an aspect. */
interface ListPlace {
  readonly aspect: string;
  /** The path to the list. */
  readonly at: (path: Path | undefined) => ListEdit["at"];
}

/**
 * Returns the writes for an association. One request adds all elements, but each element is removed by a separate request:
 * DataHub's batch mutation keeps only the last of several columns (issue #9284).
 */
function writesOf(
  association: Association,
  { isWithOwnPrivilege }: Holder,
  { aspect, at }: ListPlace,
): SetWrites<Urn> {
  const { element, attribution, stamp } = association;
  const [add, addInput, addedUrns] = association.add;
  const [remove, removeInput, removedUrn] = association.remove;
  // A removal matches all entries for the element, regardless of their source.
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
      edits: ({ path, alsoStoredAt }, added, removed) => [
        edit(path, added, removed),
        ...(alsoStoredAt === undefined || removed.length === 0 ? [] : [edit([alsoStoredAt], [], removed)]),
      ],
    },
  };
}
