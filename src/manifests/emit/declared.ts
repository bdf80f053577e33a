import { leavesOf, type Path, type Place, placeAt, valueFrom } from "../../model/place.ts";
import { simpleColumn } from "../../facets/columns.ts";
import { canHaveDisplayName } from "../../facets/display-names.ts";
import type { Facet } from "../../facets/facet.ts";
import { facetsOf, plannedFacets } from "../../facets/index.ts";
import { kindOf } from "../../kinds/index.ts";
import { appendTo } from "../../model/append.ts";
import { canonicalJson, type Json, type JsonObject } from "../../model/json.ts";
import {
  type Entity,
  type FacetValue,
  type Leaf,
  type Member,
  type Scalar,
  without,
} from "../../model/state.ts";
import type { Ignored } from "../../plan/adopt/ignore.ts";
import { isUrn, type Urn } from "../../model/urn.ts";
import { mapKeys, outerKey } from "../schema/schema.ts";
import { manifestCheck } from "../schema/schema-check.ts";
import { pointerTo } from "../schema/schema-path.ts";

/** The manifest that declares an entity as it is. */
export interface Declared {
  readonly kind: string;
  readonly data: JsonObject;
  /** By facet, what the manifest says of it: the values that a plan compares. */
  readonly facets: ReadonlyMap<string, FacetValue>;
  /** What stands beside a value, by the JSON pointer of the value: the display name of what a URN or id names. */
  readonly comments: ReadonlyMap<string, string>;
  /** The facets that have a value which no manifest can hold. */
  readonly unsaid: readonly string[];
}

/** What of an entity is declared. */
export interface DeclaredOptions {
  /** The display names that are known; `undefined` for what has none. */
  readonly names: ReadonlyMap<Urn, string | undefined>;
  /** What no manifest declares, because the settings leave it alone. */
  readonly ignored: Ignored;
  /** Whether a facet is declared here: it is not, say, where another manifest declares it. */
  readonly isWanted: (place: Place) => boolean;
  /** The elements of a list that other manifests declare. */
  readonly elsewhere: (place: Place) => readonly Member[];
}

/** A value in the form of a manifest, and the ways to the texts in it that name an entity. */
interface Written {
  readonly value: Json;
  readonly named: readonly (readonly [pointer: string, urn: Urn])[];
}

/**
 * The manifest that declares an entity as it was read. Facets without a value are left out, because to declare them empty
 * would claim them; and so are those with a value that no manifest can hold.
 */
export function declared(entity: Entity, { names, ...options }: DeclaredOptions): Declared {
  const kind = kindOf(entity.kind);
  const identity = { kind: kind.name, ...kind.identityOf(entity.urn) };
  const data: Record<string, Json | undefined> = { ...identity };
  const facets = new Map<string, FacetValue>();
  const unsaid: string[] = [];
  const named: (readonly [string, Urn])[] = [];
  for (const facet of declarable(kind.name)) {
    const observed = entity.facets.get(facet.name);
    const value = observed && wanted(facet, entity.urn, observed, options);
    if (!observed || !value || isEmpty(value)) continue;
    const written = writtenValue(facet, value, observed);
    if (!written || !isTaken(kind.name, identity, facet, written.value)) {
      unsaid.push(facet.name);
      continue;
    }
    facets.set(facet.name, value);
    data[outerKey(facet)] = written.value;
    appendTo(named, written.named);
  }
  return { kind: kind.name, data, facets, unsaid, comments: commentsOn(data, named, names) };
}

/** The facets that a manifest of a kind can declare, in the order of its schema: of edges those at the end that plans show. */
function declarable(kind: string): readonly Facet[] {
  return facetsOf(kind).filter((facet) => facet.schema !== undefined && plannedFacets.includes(facet));
}

function wanted(
  { name }: Facet,
  urn: Urn,
  value: FacetValue,
  { ignored, isWanted, elsewhere }: Omit<DeclaredOptions, "names">,
): FacetValue | undefined {
  const kept = (each: Leaf, path: Path): Leaf => {
    if (each.shape === "scalar") return each;
    const members = each.members.filter((member) => !ignored.value(urn, name, member));
    return { ...each, members: without(members, elsewhere(placeAt(name, path))) };
  };
  if (ignored.value(urn, name, value.shape === "scalar" ? value.value : null)) return undefined;
  const leaves = leavesOf(value).map(([path, leaf]) => [path, kept(leaf, path)] as const);
  const own = leaves.filter(([path, leaf]) => !isEmpty(leaf) && isWanted(placeAt(name, path)));
  return own.length > 0 ? valueFrom(own) : undefined;
}

function isEmpty(value: FacetValue): boolean {
  if (value.shape === "scalar") return value.value === null;
  return value.shape === "set" ? value.members.length === 0 : value.entries.size === 0;
}

/** `undefined` where the manifest would be read as something else. */
function writtenValue(facet: Facet, value: FacetValue, observed: FacetValue): Written | undefined {
  if (value.shape === "scalar") {
    const written = facet.written(value.value ?? "");
    return isReadAs(facet, written, value.value)
      ? { value: written, named: namedAt(pointerTo(facet.name), value.value) }
      : undefined;
  }
  if (value.shape === "set") return writtenSet(facet, value.members, pointerTo(facet.name));
  const { parent, child } = mapKeys(facet.name);
  const columns: Record<string, Json | undefined> = {};
  const named: (readonly [string, Urn])[] = [];
  const plain = plainNames(observed.shape === "map" ? [...observed.entries.keys()] : []);
  for (const [path, entry] of value.entries) {
    const column = plain.get(path) ?? path;
    const set = writtenSet(
      facet,
      entry.shape === "set" ? entry.members : [],
      pointerTo(parent, column, child),
    );
    if (!set) return undefined;
    Object.defineProperty(columns, column, { value: { [child]: set.value }, enumerable: true });
    appendTo(named, set.named);
  }
  return { value: columns, named };
}

function writtenSet(facet: Facet, members: readonly Member[], at: string): Written | undefined {
  const list = members.map((member) => facet.written(member));
  if (!members.every((member, index) => isReadAs(facet, list[index] ?? null, member))) return undefined;
  return { value: list, named: members.flatMap((member, index) => namedAt(`${at}/${index}`, member)) };
}

function isReadAs(facet: Facet, written: Json, value: Member | Scalar): boolean {
  const parsed = facet.parse(written);
  return "value" in parsed && canonicalJson(parsed.value) === canonicalJson(value);
}

// Where the plain names of two columns are one, or that of one is the path of another, the whole paths are written.
function plainNames(paths: readonly string[]): ReadonlyMap<string, string> {
  const all = paths.map((path) => simpleColumn(path));
  const count = new Map<string, number>();
  for (const name of [...all, ...paths]) count.set(name, (count.get(name) ?? 0) + 1);
  return new Map(
    paths.flatMap((path, index) => {
      const name = all[index] ?? path;
      return name !== "" && name !== path && count.get(name) === 1 ? [[path, name]] : [];
    }),
  );
}

/** Whether the schema takes a manifest with the value. */
function isTaken(kind: string, identity: JsonObject, facet: Facet, value: Json): boolean {
  return manifestCheck(kind)({ ...identity, [outerKey(facet)]: value }).length === 0;
}

function namedAt(pointer: string, value: Member | Scalar): readonly (readonly [string, Urn])[] {
  const [first] = typeof value === "object" && value !== null ? Object.values(value) : [value];
  return isUrn(first) && canHaveDisplayName(first) ? [[pointer, first]] : [];
}

function commentsOn(
  data: JsonObject,
  named: readonly (readonly [string, Urn])[],
  names: DeclaredOptions["names"],
): ReadonlyMap<string, string> {
  const text = canonicalJson(data);
  return new Map(
    named.flatMap(([pointer, urn]) => {
      const name = names.get(urn);
      return name !== undefined && tellsMore(name, urn) && !text.includes(JSON.stringify(name))
        ? [[pointer, name]]
        : [];
    }),
  );
}

/** Whether a name says what the id does not. */
function tellsMore(name: string, urn: Urn): boolean {
  return name.trim() !== "" && !lettersOf(urn).endsWith(lettersOf(name));
}

function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}

/** The URNs in an entity's values whose display names can stand beside them. */
export function urnsIn({ facets }: Pick<Entity, "facets">): readonly Urn[] {
  return [...facets.values()].flatMap(urnsOf);
}

function urnsOf(value: FacetValue): readonly Urn[] {
  if (value.shape === "map") return [...value.entries.values()].flatMap(urnsOf);
  const values = value.shape === "set" ? value.members : [value.value];
  return values.flatMap((each) => namedAt("", each).map(([, urn]) => urn));
}
