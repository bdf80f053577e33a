import type { AspectRow } from "../../src/local-catalog/server.ts";

/** The kinds of entities that histories are about. */
export type Kind = "Dataset" | "Domain" | "Tag" | "User" | "Group";

export type Mode = "authoritative" | "merge" | "additive";

/** Values by facet, or by `columns.tags` and a column: an empty list declares that there is none. */
export type Values = Readonly<Record<string, readonly string[]>>;

/** One manifest, with URNs for what it refers to. */
export interface Document {
  readonly kind: Kind;
  readonly urn: string;
  readonly values: Values;
  /** Users that are written out among the members of a group, with their titles. */
  readonly inline?: Readonly<Record<string, string>> | undefined;
  readonly manage?: Readonly<Record<string, Mode>> | undefined;
}

/** A rule for datasets: the one with the later id wins where two give a single value. */
export interface Rule {
  readonly id: string;
  readonly matches: readonly string[];
  readonly values: Values;
}

/** What a commit declares, by the names of its files without their endings. */
export interface Content {
  readonly documents: Readonly<Record<string, Document>>;
  readonly rules: readonly Rule[];
}

/** The settings of a history that decide something. */
export interface Settings {
  readonly modes: Readonly<Record<string, Mode>>;
  readonly missing: "error" | "skip";
  readonly prune: { readonly kinds: readonly Kind[]; readonly assignments: boolean };
}

/** An entity of the catalog. */
export interface LiveEntity {
  readonly kind: Kind;
  readonly isRemoved: boolean;
  readonly columns: readonly string[];
}

/** What the catalog holds: its entities, and at each place, such as `urn tags`, the values. */
export interface Live {
  readonly entities: ReadonlyMap<string, LiveEntity>;
  readonly values: ReadonlyMap<string, ReadonlySet<string>>;
}

const scalars = new Set(["domain", "parent_domain", "description", "title", "name", "removed"]);

/** Whether there is room for one value only. */
export function isScalar(facet: string): boolean {
  return scalars.has(facet);
}

/** Where values are: a facet of an entity, and of a column where it is one of columns. */
export function placeOf(urn: string, facet: string): string {
  return `${urn} ${facet}`;
}

/** The entity, the facet and the column of a place. */
export function partsOf(place: string): readonly [urn: string, facet: string, column: string | undefined] {
  const [urn = "", facet = "", column] = place.split(" ");
  return [urn, facet, column];
}

const kindsByType: Readonly<Record<string, Kind>> = {
  dataset: "Dataset",
  domain: "Domain",
  tag: "Tag",
  corpuser: "User",
  corpGroup: "Group",
};

/** The kind of the entity that a URN names, of those that histories are about. */
export function kindOf(urn: string): Kind | undefined {
  return kindsByType[urn.split(":")[2] ?? ""];
}

/** What is stored, read without the sources. */
export function readLive(rows: readonly AspectRow[]): Live {
  const entities = new Map<string, LiveEntity>();
  const values = new Map<string, Set<string>>();
  const add = (place: string, ...found: readonly unknown[]): void => {
    const texts = found.filter((each) => each !== undefined && each !== null).map(String);
    if (texts.length > 0) values.set(place, new Set([...(values.get(place) ?? []), ...texts]));
  };
  for (const { urn, aspect, version, value } of rows) {
    const kind = kindOf(urn);
    if (version !== 0 || kind === undefined || aspect.endsWith("Key") || isOfServer(urn)) continue;
    const stored = value as Stored;
    const before = entities.get(urn) ?? { kind, isRemoved: false, columns: [] };
    const columns =
      aspect === "schemaMetadata" ? { columns: list(stored.fields).map(({ fieldPath }) => fieldPath) } : {};
    const status = aspect === "status" ? { isRemoved: stored.removed === true } : {};
    entities.set(urn, { ...before, ...columns, ...status });
    for (const [facet, text] of Object.entries(fieldsIn(aspect, stored))) add(placeOf(urn, facet), text);
    add(placeOf(urn, "tags"), ...(aspect === "globalTags" ? tagsIn(stored) : []));
    for (const { owner, typeUrn } of list(stored.owners)) add(placeOf(urn, "owners"), `${owner} ${typeUrn}`);
    add(placeOf(urn, "domain"), ...list(stored.domains));
    for (const group of [...list(stored.nativeGroups), ...list(stored.groups)])
      if (aspect.endsWith("Membership")) add(placeOf(group, "members"), urn);
    for (const { fieldPath, globalTags } of list(stored.editableSchemaFieldInfo))
      add(`${placeOf(urn, "columns.tags")} ${fieldPath}`, ...tagsIn(globalTags));
  }
  return { entities, values };
}

function isOfServer(urn: string): boolean {
  return urn === "urn:li:corpuser:datahub";
}

/** The fields of all aspects that are looked at. */
interface Stored {
  readonly removed?: boolean;
  readonly fields?: readonly { readonly fieldPath: string }[];
  readonly owners?: readonly { readonly owner: string; readonly typeUrn: string }[];
  readonly domains?: readonly string[];
  readonly nativeGroups?: readonly string[];
  readonly groups?: readonly string[];
  readonly tags?: readonly { readonly tag: string }[];
  readonly editableSchemaFieldInfo?: readonly { readonly fieldPath: string; readonly globalTags?: Stored }[];
  readonly name?: string;
  readonly description?: string;
  readonly parentDomain?: string;
  readonly title?: string;
}

function fieldsIn(aspect: string, { name, description, parentDomain, title }: Stored): object {
  if (aspect === "domainProperties") return { name, description, parent_domain: parentDomain };
  if (aspect === "tagProperties") return { name, description };
  if (aspect === "corpUserInfo") return { title };
  return aspect === "corpGroupInfo" ? { description } : {};
}

function tagsIn(stored: Stored | undefined): readonly string[] {
  return list(stored?.tags).map(({ tag }) => tag);
}

function list<T>(values: readonly T[] | undefined): readonly T[] {
  return values ?? [];
}
