/** Defines the CEL types of entities, columns and owners, and creates the objects that policy expressions can access. */

import type { Facet } from "../../facets/facet.ts";
import { columnFacets, hasKeys, plainFacets } from "../../facets/policy-facets.ts";
import { idOrUrn } from "../../model/identifier.ts";
import { leavesOf, valueAt } from "../../model/place.ts";
import type { AssetColumn } from "../../model/rule.ts";
import type { KindName, Member, Scalar } from "../../model/state.ts";
import { type ExpressionTypes, type ObjectType, objectTypeOf } from "./expression.ts";
import { ownerKindOf, ownerOf, plainKey, type People, type Subject, textsOf, valuesAt } from "./subject.ts";

const text = "string";
const texts = "list<string>";

const ofMemberships = { groups: texts };

const ofPeople = { active: "bool", ...ofMemberships };

const owner = objectTypeOf("Owner", {
  id: text,
  urn: text,
  kind: text,
  type: text,
  ...ofPeople,
});

/** The fields of an owner that depend on the state of users and groups. */
export const fieldsOfPeople: readonly string[] = Object.keys(ofPeople);

/** The fields of an owner that depend on group memberships. */
export const fieldsOfMemberships: readonly string[] = Object.keys(ofMemberships);

/** The names of the fields that an expression uses, in the entity and in nested objects. `undefined` means all fields. */
type Fields = ReadonlySet<string> | undefined;

/** The types for expressions about entities of one kind, and the function that creates their objects. */
export interface EntityTypes extends ExpressionTypes {
  /** Returns the facets that provide the given fields, or all fields. Column facets are included only if `columns` is used. */
  readonly facetsFor: (fields: Fields) => readonly string[];
  /**
   * Returns the object that represents an entity in expressions, with the given fields or with all fields. Unset fields are
   * empty. All facets, users and groups that the object contains must have been read.
   */
  readonly objectOf: (subject: Subject, people: People, fields?: Fields) => object;
}

const columnsField = "columns";

/** Returns the types for expressions about entities of a kind. */
export function entityTypesOf(kind: KindName): EntityTypes {
  const plain = plainFacets(kind);
  const ofColumns = columnFacets(kind);
  const column = objectTypeOf("Column", {
    name: text,
    path: text,
    type: text,
    ...Object.fromEntries([...ofColumns].map(([key, facet]) => [key, typeOf(facet)])),
  });
  const hasColumns = ofColumns.size > 0;
  const asset = objectTypeOf("Asset", {
    urn: text,
    kind: text,
    name: text,
    platform: text,
    env: text,
    declared: "bool",
    ...Object.fromEntries(plain.map((facet) => [fieldOf(facet), typeOf(facet)])),
    ...(hasColumns && { [columnsField]: "list<Column>" }),
  });
  const shownFor = (fields: Fields): Shown => {
    const hasUsed = hasColumns && isUsed(fields, columnsField);
    const below = hasUsed ? [...ofColumns].filter(([key]) => isUsed(fields, key)) : [];
    return {
      asset,
      column,
      plain: plain.filter((facet) => isUsed(fields, fieldOf(facet))),
      ofColumns: new Map(below),
      hasColumns: hasUsed,
    };
  };
  const shown = new Map<Fields, Shown>();
  return {
    asset,
    below: hasColumns ? [owner, column] : [owner],
    facetsFor: (fields) => {
      const { plain: own, ofColumns: inner } = shownFor(fields);
      return [...own, ...inner.values()].map(({ name }) => name);
    },
    objectOf: (subject, people, fields) => {
      const used = shown.get(fields) ?? shownFor(fields);
      shown.set(fields, used);
      return objectOf(subject, people, used);
    },
  };
}

/** Whether an expression may use a field, according to the fields that it uses. */
export function isUsed(fields: Fields, field: string): boolean {
  return fields === undefined || fields.has(field);
}

function fieldOf({ name, flag }: Facet): string {
  return flag ?? name;
}

/** Returns the CEL type of a facet's value. For a column facet, this is the type of the value in one column. */
function typeOf(facet: Facet): string {
  const { isOwnership, flag } = facet;
  if (hasKeys(facet)) return `map<string, ${texts}>`;
  if (isOwnership === true) return "list<Owner>";
  if (facet.set) return texts;
  return flag === undefined ? text : "bool";
}

interface Shown {
  readonly asset: ObjectType;
  readonly column: ObjectType;
  readonly plain: readonly Facet[];
  readonly ofColumns: ReadonlyMap<string, Facet>;
  readonly hasColumns: boolean;
}

function objectOf(subject: Subject, people: People, shown: Shown): object {
  const { asset, column, plain, ofColumns, hasColumns } = shown;
  const { urn, kind, name = "", platform = "", env = "", columns = [] } = subject.asset;
  return asset.make({
    urn,
    kind,
    name,
    platform,
    env,
    declared: subject.isDeclared,
    ...Object.fromEntries(plain.map((facet) => [fieldOf(facet), valueOf(facet, subject, people)])),
    ...(hasColumns && {
      [columnsField]: columns.map((each) => column.make(columnFields(each, subject, people, ofColumns))),
    }),
  });
}

function columnFields(
  { name, path, nativeType = "" }: AssetColumn,
  subject: Subject,
  people: People,
  facets: ReadonlyMap<string, Facet>,
): Readonly<Record<string, unknown>> {
  const values = [...facets].map(([key, facet]) => [key, valueOf(facet, subject, people, [path])] as const);
  return { name, path, type: nativeType, ...Object.fromEntries(values) };
}

function valueOf(facet: Facet, subject: Subject, people: People, path: readonly string[] = []): unknown {
  const { name, set, isOwnership, flag } = facet;
  if (hasKeys(facet)) return mapOf(name, subject, path);
  const values = valuesAt(subject, name, path) ?? [];
  if (isOwnership === true) return values.flatMap((value) => ownerObject(facet, value, people));
  if (flag !== undefined) return values.length > 0;
  const shown = values.map((value) => textsOf(name, value)[0] ?? "");
  return set ? shown : (shown[0] ?? "");
}

function mapOf(
  name: string,
  subject: Subject,
  path: readonly string[],
): ReadonlyMap<string, readonly string[]> {
  const below = leavesOf(valueAt(subject.facets.get(name), path));
  const entries = below.map(([[key = "", ...rest]]) => {
    const values = valuesAt(subject, name, [...path, key, ...rest]) ?? [];
    return [plainKey(name, key), values.map((each) => textsOf(name, each)[0] ?? "")] as const;
  });
  return new Map(entries.filter(([, values]) => values.length > 0));
}

function ownerObject(facet: Facet, value: Member | Scalar, people: People): object[] {
  const urn = ownerOf(facet.name, value);
  if (urn === undefined) return [];
  const { isActive = false, groups = [] } = people.get(urn) ?? {};
  return [
    owner.make({
      id: idOrUrn(urn),
      urn,
      kind: ownerKindOf(urn),
      type: facet.ownershipTypeOf?.(value)[0] ?? "",
      active: isActive,
      groups: groups.map(idOrUrn),
    }),
  ];
}
