import { facetsOf } from "../../facets/index.ts";
import type { Facet } from "../../facets/facet.ts";
import { isOfColumns } from "../../facets/places.ts";
import { shortestOf } from "../../model/identifier.ts";
import { leavesOf } from "../../model/place.ts";
import type { AssetColumn } from "../../model/rule.ts";
import type { KindName, Member, Scalar } from "../../model/state.ts";
import { type ExpressionTypes, type ObjectType, objectTypeOf } from "./expression.ts";
import { ownerKindOf, ownerOf, plainKey, type People, type Subject, textsOf, valuesAt } from "./subject.ts";

const text = "string";
const texts = "list<string>";

const ofPeople = { active: "bool", groups: texts };

const owner = objectTypeOf("Owner", {
  id: text,
  urn: text,
  kind: text,
  type: text,
  ...ofPeople,
});

/** The fields of an owner that depend on who the users and groups are. */
export const fieldsOfPeople: readonly string[] = Object.keys(ofPeople);

/** The types of what expressions about entities of a kind see, and how that is made. */
export interface EntityTypes extends ExpressionTypes {
  /** The facets that some fields show; of columns only where these are used. Without fields all. */
  readonly facetsFor: (fields: ReadonlySet<string> | undefined) => readonly string[];
  /** An entity as expressions see it: what is not set is empty. All facets and people that are used must have been read. */
  readonly objectOf: (subject: Subject, people: People) => object;
}

const columnsField = "columns";

/** What expressions about entities of a kind see. */
export function entityTypesOf(kind: KindName): EntityTypes {
  const facets = facetsOf(kind).filter(({ schema }) => schema !== undefined);
  const plain = facets.filter(({ name }) => !isOfColumns(name));
  const ofColumns = facets.filter(({ name }) => isOfColumns(name));
  const column = objectTypeOf("Column", {
    name: text,
    path: text,
    type: text,
    ...Object.fromEntries(ofColumns.map((facet) => [innerName(facet), typeOf(facet, 1)])),
  });
  const hasColumns = ofColumns.length > 0;
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
  return {
    asset,
    below: hasColumns ? [owner, column] : [owner],
    facetsFor: (fields) =>
      [
        ...plain.filter((facet) => isUsed(fields, fieldOf(facet))),
        ...(isUsed(fields, columnsField) ? ofColumns : []).filter((facet) =>
          isUsed(fields, innerName(facet)),
        ),
      ].map(({ name }) => name),
    objectOf: (subject, people) => objectOf(subject, people, { asset, column, plain, ofColumns }),
  };
}

function isUsed(fields: ReadonlySet<string> | undefined, field: string): boolean {
  return fields === undefined || fields.has(field);
}

/** What expressions call a facet. */
function fieldOf({ name, flag }: Facet): string {
  return flag ?? name;
}

/** The key of a facet below each column. */
function innerName({ name }: Facet): string {
  return name.slice(name.indexOf(".") + 1);
}

/** The type of a facet's value, or of what is below some of its keys. */
function typeOf(facet: Facet, below = 0): string {
  const { shape, isOwnership, flag, schema = {} } = facet;
  if (shape === "map" && facet.keys.length > below) return `map<string, ${texts}>`;
  if (isOwnership === true) return "list<Owner>";
  if (facet.set) return texts;
  if (flag !== undefined) return "bool";
  return schema["type"] === "boolean" ? "bool" : text;
}

interface Shown {
  readonly asset: ObjectType;
  readonly column: ObjectType;
  readonly plain: readonly Facet[];
  readonly ofColumns: readonly Facet[];
}

function objectOf(subject: Subject, people: People, { asset, column, plain, ofColumns }: Shown): object {
  const { urn, kind, name = "", platform = "", env = "", columns = [] } = subject.asset;
  return asset.make({
    urn,
    kind,
    name,
    platform,
    env,
    declared: subject.isDeclared,
    ...Object.fromEntries(plain.map((facet) => [fieldOf(facet), valueOf(facet, subject, people)])),
    ...(asset.fields[columnsField] !== undefined && {
      [columnsField]: columns.map((each) => column.make(columnFields(each, subject, people, ofColumns))),
    }),
  });
}

function columnFields(
  { name, path, nativeType = "" }: AssetColumn,
  subject: Subject,
  people: People,
  facets: readonly Facet[],
): Readonly<Record<string, unknown>> {
  const values = facets.map((facet) => [innerName(facet), valueOf(facet, subject, people, [path])] as const);
  return { name, path, type: nativeType, ...Object.fromEntries(values) };
}

function valueOf(facet: Facet, subject: Subject, people: People, path: readonly string[] = []): unknown {
  const { name, shape, set, isOwnership, flag, schema = {} } = facet;
  if (shape === "map" && facet.keys.length > path.length) return mapOf(name, subject, path);
  const values = valuesAt(subject, name, path) ?? [];
  if (isOwnership === true) return values.flatMap((value) => ownerObject(facet, value, people));
  if (flag !== undefined) return values.length > 0;
  const shown = values.map((value) => textsOf(name, value)[0] ?? "");
  if (set) return shown;
  return schema["type"] === "boolean" ? values[0] === true : (shown[0] ?? "");
}

function mapOf(
  name: string,
  subject: Subject,
  path: readonly string[],
): ReadonlyMap<string, readonly string[]> {
  const value = subject.facets.get(name);
  const keys = leavesOf(value).flatMap(([keysOf]) =>
    path.every((key, index) => keysOf[index] === key) ? [keysOf.slice(path.length)] : [],
  );
  const entries = keys.map(([key = "", ...rest]) => {
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
      id: shortestOf(urn),
      urn,
      kind: ownerKindOf(urn),
      type: facet.ownershipTypeOf?.(value)[0] ?? "",
      active: isActive,
      groups: groups.map(shortestOf),
    }),
  ];
}
