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

/** A mutation that writes associations: its name, the type of its input, and the field of that which has the URNs. */
type Mutation = readonly [name: string, input: string, field: string];

/** What is particular to assets, or to columns. */
interface Holder {
  readonly relationship: string;
  readonly privilege: Privilege;
  /** Whether newer servers let a token write the aspect that has this privilege alone. */
  readonly isWithOwnPrivilege?: true;
}

/** A list of associations with entities of one type, which DataHub keeps of assets and of the columns of datasets. */
interface Association extends Pick<FacetContract, "name" | "wording"> {
  /** The kinds of asset that have one. */
  readonly kinds: FacetContract["kinds"];
  readonly schema: JsonObject;
  /** The option by which `list` finds what has one. */
  readonly option: Pick<ListOption, "name" | "description">;
  /** The type of the entities, as URNs spell it. */
  readonly entityType: string;
  /** Whether GraphQL leaves out the entities that the token may not view: then it is read as it is stored. */
  readonly isRedacted?: true;
  /** The field of GraphQL that has it. */
  readonly field: string;
  /** The aspect of assets that keeps it; what is edited of a column keeps it in a field of the same name. */
  readonly aspect: string;
  /** The list in both of them. */
  readonly list: string;
  /** The field of an element that has the URN, in the list that is stored. */
  readonly element: string;
  /** That of a selected one, which has the entity. */
  readonly selected: string;
  /** The field beside the list that says when and by whom it was written, where there has to be one. */
  readonly stamp?: string;
  /** The field of GraphQL, as `Type.field`, by which a server shows that it keeps who put an element there. */
  readonly attribution: string;
  /** It takes several URNs. */
  readonly add: Mutation;
  /** It takes one. */
  readonly remove: Mutation;
  readonly asset: Holder;
  readonly column: Holder;
}

/** The facet of an association on assets, and that on columns: `name` and `columns.name`. */
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
      // By `schemaMetadata.fields.schemaFieldEntity` it would come of every column, which takes the server 16 times as long as the rest.
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

/** The aspects of an entity by name. */
function aspectsOf({ aspects }: JsonObject): JsonObject {
  return isJsonObject(aspects) ? aspects : {};
}

function ofColumn(edited: JsonObject, aspect: string, path: Path | undefined): JsonObject {
  const holder = editedColumn(edited, keyAt(path, 0))[aspect];
  return isJsonObject(holder) ? holder : {};
}

/** How it is read of what has it, selected with GraphQL, and who put it there from the aspect. */
function readingOf({ field, aspect, list, element, selected }: Association): {
  readonly selection: string;
  readonly observe: (entity: JsonObject) => readonly Urn[];
  /** What the selection answers, of what is stored where `aspect` is. */
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

/** Where an aspect keeps the list. */
interface Kept {
  readonly aspect: string;
  /** What has the list in the aspect. */
  readonly holderIn: (aspect: JsonObject, path: Path | undefined) => JsonObject;
  /** The way to the list. */
  readonly at: (path: Path | undefined) => ListEdit["at"];
}

/** The writes: one request adds all, and each one takes one away, since DataHub's batch form keeps only the last of several columns (issue #9284). */
function writesOf(
  { list, element, selected, attribution, stamp, ...mutations }: Association,
  { isWithOwnPrivilege }: Holder,
  { aspect, holderIn, at }: Kept,
): SetWrites<Urn> {
  const [[add, addInput, addedUrns], [remove, removeInput, removedUrn]] = [mutations.add, mutations.remove];
  // An element goes with every entry of its own, whichever source it is from.
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
