/** Selects entities by URN, name, kind, platform or domain. */

import { facets } from "../../facets/index.ts";
import { kindOfUrn } from "../../kinds/index.ts";
import type { Entity, State } from "../../model/state.ts";
import { plainKeyOf, type Urn } from "../../model/urn.ts";
import { type Ignored, nothingIgnored } from "../base/ignore.ts";
import { anyMatcherOf } from "../../model/text/pattern.ts";

/**
 * The criteria for a selection. A selected entity matches at least one value of each given criterion, and no excluded pattern.
 */
export interface Narrowing {
  /** Patterns that match complete URNs. `*` matches any text. A pattern without `urn:` also matches ids and asset names. */
  readonly targets?: readonly string[] | undefined;
  /** Patterns with the same syntax as `targets`. An entity that matches one of them is never selected. */
  readonly excluded?: readonly string[] | undefined;
  /** The names of the selected kinds. */
  readonly kinds?: readonly string[] | undefined;
  /** Data platform ids. They select assets whose URN contains one of these platforms. */
  readonly platforms?: readonly string[] | undefined;
  /** Domain URNs. They select assets in one of these domains. */
  readonly domains?: readonly Urn[] | undefined;
}

/** Returns a function that tests whether a URN, or the name in it, matches one of the patterns. `*` matches any text. */
export function matching(patterns: readonly string[]): (urn: Urn) => boolean {
  const matchesUrn = anyMatcherOf(patterns);
  const matchesName = anyMatcherOf(patterns.filter((pattern) => !pattern.includes("urn:")));
  return (urn) => matchesUrn(urn) || matchesName(nameOf(urn));
}

/** Returns the name in a URN: the asset name, or the id for other entities. */
export function nameOf(urn: Urn): string {
  return kindOfUrn(urn)?.asset?.nameOf(urn) ?? plainKeyOf(urn);
}

/** Returns a function that tests whether an entity is selected, or `undefined` if there are no criteria. */
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
  return kindOfUrn(urn)?.asset?.platformOf(urn);
}

/** Whether an asset is in one of the given domains. */
export function isInOneOf({ facets: values }: Entity, domains: readonly Urn[]): boolean {
  const own = facets.flatMap(({ name, searchField }) => (searchField === undefined ? [] : values.get(name)));
  return own.some((value) => value?.shape === "scalar" && domains.some((urn) => urn === value.value));
}

/** Returns a state without ignored entities. */
export function withoutEntities(state: State, ignored: Ignored): State {
  if (ignored === nothingIgnored) return state;
  return new Map([...state].filter(([urn]) => !ignored.entity(urn)));
}
