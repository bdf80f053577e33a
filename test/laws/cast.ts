import {
  type EdgeSet,
  edgeSetOf,
  edgeSetOfInverse,
  edgeSets,
  facets,
  facetsOf,
  plannedFacets,
} from "../../src/facets/index.ts";
import type { Facet } from "../../src/facets/facet.ts";
import { assetKinds, definitionKinds, kindOf, kindOfType } from "../../src/kinds/index.ts";
import type { Kind } from "../../src/kinds/kind.ts";
import { type KindName, type Member, type Scalar, scalarOf, setOf } from "../../src/model/state.ts";
import { entityTypeOf, isUrn, keyOf, type Urn } from "../../src/model/urn.ts";
import { datasetNamed, memberships, urn } from "../support/states.ts";
import { elementsOf, pathsOf, scalarsOf } from "../support/values.ts";

/** Something that manifests may declare. */
export interface Identity {
  readonly kind: KindName;
  readonly urn: Urn;
}

function identities({ name: kind, entityType }: Kind, count: number): readonly Identity[] {
  return Array.from({ length: count }, (_, index) => ({
    kind,
    urn: urn(`urn:li:${entityType}:${index + 1}`),
  }));
}

const users = memberships.inverseKinds.flatMap((kind) => identities(kind, 2));
const groups = identities(memberships.kind, 2);

/** A user that no manifest declares, and that is always there. */
export const stranger: Urn = urn("urn:li:corpuser:x");

const always: readonly Identity[] = [
  { kind: "Dataset", urn: datasetNamed("a") },
  ...identities(kindOf("Tag"), 1),
  ...users,
  ...groups,
];

/** Definitions that are in some worlds only: of each kind all or none. */
const some: readonly (readonly Identity[])[] = definitionKinds
  .filter(({ name }) => !always.some(({ kind }) => kind === name))
  .map((kind) => identities(kind, isTree(kind) ? 3 : 2));

/** Assets of which a world has one more, or none: one of each kind. */
const assets: readonly Identity[] = assetKinds.map(({ name: kind, fields }) => {
  const { examples = [] } = fields["urn"] as { readonly examples?: readonly string[] };
  return { kind, urn: kind === "Dataset" ? datasetNamed("b") : urn(examples[0] ?? "") };
});

/** Whether entities of a kind may be below others of it. */
function isTree({ entityType, parentFacet }: Kind): boolean {
  const parent = plannedFacets.find(({ name }) => name === parentFacet);
  return parent?.refersTo.includes(entityType) === true;
}

/** All that manifests declare in any world. */
export const declarable: readonly Identity[] = [...always, ...some.flat(), ...assets];

/** A set of edges in a world: its groups, and the members that manifests may put into them. */
export interface EdgeCast {
  readonly edges: EdgeSet;
  readonly groups: readonly Urn[];
  /** The last one may be declared by groups only. */
  readonly members: readonly Urn[];
}

export const edgeCasts: readonly EdgeCast[] = edgeSets.map((edges) => {
  const of = (kinds: readonly Kind[]): readonly Urn[] =>
    declarable.filter(({ kind }) => kinds.some(({ name }) => name === kind)).map((each) => each.urn);
  const members = of(edges.inverseKinds);
  return {
    edges,
    groups: of([edges.kind]),
    members: edges.facet === memberships.facet ? [...members, stranger] : members,
  };
});

/** A number of bits, read from the lowest one on. */
export type Draw = (width: number) => number;

/** What manifests may declare in one world. */
export function castFrom(draw: Draw): readonly Identity[] {
  const drawn = draw(4);
  const asset = drawn < 12 ? (assets[drawn] ?? assets[0]) : undefined;
  return [...always, ...some.flatMap((all) => (draw(1) === 1 ? all : [])), ...(asset ? [asset] : [])];
}

const ofAny = [1, 2, 3].map(String);

/** The ids by which values name entities of a type: those that may be declared, and others, which are always there. */
function idsOf(entityType: string): readonly string[] {
  const own = declarable.map((each) => each.urn).filter((each) => entityTypeOf(each) === entityType);
  return [...ofAny.filter((id) => own.some((each) => keyOf(each) === id)).slice(0, 2), "x", "y", "z"];
}

function referable(entityType: string): readonly Urn[] {
  return idsOf(entityType).map((id) => urn(`urn:li:${entityType}:${id}`));
}

/** All that values name. */
const named: readonly Urn[] = [
  ...[...new Set(plannedFacets.flatMap(({ name, refersTo }) => (edgeSetOf(name) ? [] : refersTo)))]
    .filter((type) => kindOfType(type) !== undefined)
    .flatMap(referable),
  ...new Set(plannedFacets.flatMap(pathsOf).flat().filter(isUrn)),
];

/** What values name and nobody declares in a world. It is always there. */
export function strangersOf(cast: readonly Identity[]): readonly Identity[] {
  const own = new Set(cast.map((each) => each.urn));
  return named.flatMap((each) => {
    const kind = kindOfType(entityTypeOf(each));
    return own.has(each) || !kind ? [] : [{ kind: kind.name, urn: each }];
  });
}

const owners: readonly Member[] = [
  ["urn:li:corpuser:1", "technical_owner"],
  ["urn:li:corpuser:1", "data_steward"],
  ["urn:li:corpGroup:1", "technical_owner"],
  [stranger, "technical_owner"],
].map(([owner = "", type]) => ({ owner, type: `urn:li:ownershipType:__system__${type}` }));

/** Facets of single texts and numbers that name nothing: in each world some of them have values. */
const plain: readonly Facet[] = plannedFacets.filter(
  ({ shape, schema, refersTo }) => shape === "scalar" && schema !== undefined && refersTo.length === 0,
);

/** In one of so many worlds a plain facet has values. */
const turns = 4;

function isDrawnIn(turn: number, { kind }: Identity, facet: Facet): boolean {
  const index = plain.indexOf(facet);
  return index === -1 || kindOf(kind).displayName === facet.name || index % turns === turn % turns;
}

/** What a facet of an entity may hold in a world, up to four values; nothing of a facet that has none there. */
export function poolOf(turn: number, identity: Identity, facet: Facet): readonly (Member | Scalar)[] {
  if (facet.schema === undefined || edgeSetOfInverse(facet.name)) return [];
  const cast = edgeCasts.find(({ edges }) => edges.facet === facet.name);
  if (cast) return cast.members;
  if (!isDrawnIn(turn, identity, facet)) return [];
  if (isRefused(identity, facet)) return facet.set ? [] : scalarsOf(facet).slice(0, 1);
  if (facet.isOwnership) return owners;
  const [type] = facet.refersTo;
  if (type === undefined)
    return facet.set ? [...scalarsOf(facet), ...elementsOf(facet)] : scalarsOf(facet).slice(0, 4);
  const others = referable(type).filter((each) => !facet.refusesItself || each !== identity.urn);
  if (facet.set) return others.slice(0, 4);
  return [null, ...above(identity, facet, others), urn(`urn:li:${type}:x`)];
}

/** Whether DataHub refuses some changes of a facet: it has one value in all worlds. */
function isRefused({ kind }: Identity, facet: Facet): boolean {
  const own = kindOf(kind);
  if (!own.refusedChanges || facet.shape === "map") return false;
  const values = facet.set
    ? [[], ...elementsOf(facet).map((each) => [each])].map((members) => setOf(members))
    : scalarsOf(facet).map((value) => scalarOf(value));
  return values.some((was) =>
    values.some(
      (is) => own.refusedChanges?.(new Map([[facet.name, was]]), new Map([[facet.name, is]])).length,
    ),
  );
}

// An entity may be below those before it alone: circles are refused before there is a plan.
function above(
  { kind, urn: of }: Identity,
  { name, refersTo }: Facet,
  others: readonly Urn[],
): readonly Urn[] {
  const { parentFacet, entityType } = kindOf(kind);
  const isOwn = name === parentFacet && refersTo.includes(entityType);
  return others.slice(0, isOwn ? Math.min(2, Number(keyOf(of)) - 1) : 2);
}

/** How many numbers are drawn for an entity at most: one, one of each of its facets, and for a map one of each place. */
export function drawsFor({ kind }: Identity): number {
  const ofFacets = facetsOf(kind).map((facet) => (facet.shape === "map" ? 1 + pathsOf(facet).length : 1));
  return ofFacets.reduce((sum, each) => sum + each, 2);
}

/** Every facet that manifests declare, the user's side of memberships too. */
export const managed: readonly string[] = facets.flatMap(({ name, schema }) => (schema ? [name] : []));
