import { facets } from "../../facets/index.ts";
import { kindOfType } from "../../kinds/index.ts";
import type { Entity, State } from "../../model/state.ts";
import { entityTypeOf, plainKeyOf, type Urn } from "../../model/urn.ts";
import { type Ignored, nothingIgnored } from "../adopt/ignore.ts";
import { anyMatcherOf } from "../../model/text/pattern.ts";

/** What narrows a selection: all that is given must match, of several values one; of what is excluded none. */
export interface Narrowing {
  /** Patterns of complete URNs, in which `*` matches any text; one without `urn:` is also a pattern of ids and of names of assets. */
  readonly targets?: readonly string[] | undefined;
  /** Patterns as of `targets`: what matches one of them is not selected, whatever else selects it. */
  readonly excluded?: readonly string[] | undefined;
  /** Names of kinds. */
  readonly kinds?: readonly string[] | undefined;
  /** Ids of data platforms: only assets whose URN names one. */
  readonly platforms?: readonly string[] | undefined;
  /** Only assets that are in one of them. */
  readonly domains?: readonly Urn[] | undefined;
}

/** Says of a URN whether it, or what it names, matches one of the patterns completely; `*` is any text. */
export function matching(patterns: readonly string[]): (urn: Urn) => boolean {
  const matchesUrn = anyMatcherOf(patterns);
  const matchesName = anyMatcherOf(patterns.filter((pattern) => !pattern.includes("urn:")));
  return (urn) => matchesUrn(urn) || matchesName(nameOf(urn));
}

/** What a URN calls its entity: its id, or the name of an asset. */
export function nameOf(urn: Urn): string {
  return kindOfType(entityTypeOf(urn))?.asset?.nameOf(urn) ?? plainKeyOf(urn);
}

/** Tells whether an entity is selected; `undefined` where nothing narrows the selection. */
export function narrowedBy({
  targets,
  excluded,
  kinds,
  platforms,
  domains,
}: Narrowing): ((entity: Entity) => boolean) | undefined {
  const isTarget = targets && matching(targets);
  const isExcluded = excluded && matching(excluded);
  const conditions: readonly (((entity: Entity) => boolean) | undefined)[] = [
    isTarget && (({ urn }) => isTarget(urn)),
    isExcluded && (({ urn }) => !isExcluded(urn)),
    kinds && (({ kind }) => kinds.includes(kind)),
    platforms && (({ urn }) => platforms.some((platform) => platform === platformOf(urn))),
    domains && ((entity) => isInOneOf(entity, domains)),
  ];
  const given = conditions.filter((each) => each !== undefined);
  return given.length > 0 ? (entity) => given.every((holds) => holds(entity)) : undefined;
}

function platformOf(urn: Urn): string | undefined {
  return kindOfType(entityTypeOf(urn))?.asset?.platformOf(urn);
}

/** Whether the domain of an asset is one of some. */
export function isInOneOf({ facets: values }: Pick<Entity, "facets">, domains: readonly Urn[]): boolean {
  const own = facets.flatMap(({ name, searchField }) => (searchField === undefined ? [] : values.get(name)));
  return own.some((value) => value?.shape === "scalar" && domains.some((urn) => urn === value.value));
}

/** All but the entities that are left alone. */
export function withoutEntities(state: State, ignored: Ignored): State {
  if (ignored === nothingIgnored) return state;
  return new Map([...state].filter(([urn]) => !ignored.entity(urn)));
}
