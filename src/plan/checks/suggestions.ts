/** Suggests existing entities with a similar name or a matching display name as replacements for absent assets and references. */

import { canHaveDisplayName } from "../../facets/display-names.ts";
import { kindOfUrn } from "../../kinds/index.ts";
import { compareText } from "../../model/json.ts";
import { hasTrait, type Problem, type ProblemOf } from "../../model/problem.ts";
import { entityTypeOf, keyOf, plainKeyOf, type Urn } from "../../model/urn.ts";
import { nearestSpelling } from "../../model/text/suggestion.ts";
import { groupBy } from "../../model/group-by.ts";

/** The maximum number of absent entities to look up. If there are more, they are unlikely to be typos. */
const maxSuggestions = 20;

interface Absent {
  readonly assets: readonly Urn[];
  readonly references: readonly Urn[];
  /** The references for which no similar id exists in the manifests. */
  readonly unlike: readonly Urn[];
}

/**
 * The candidates for suggestions: the entities with a similar name or id, keyed by absent entity, and entities keyed by display
 * name.
 */
export interface Candidates {
  readonly similarNames: ReadonlyMap<string, readonly Urn[]>;
  readonly named: EntitiesByName;
}

/** Returns the absent entities to look up in the catalog. */
export function absentIn(problems: readonly Problem[]): Absent {
  const assets = problems.filter((problem) => hasTrait(problem, "absent-asset")).map(urnOf);
  const references = problems
    .filter((problem) => hasTrait(problem, "absent-reference"))
    .filter((problem) => canHaveDisplayName(urnOf(problem)))
    .slice(0, maxSuggestions);
  return {
    assets: assets.filter((urn) => kindOfUrn(urn)?.similarNames).slice(0, maxSuggestions),
    references: references.map(urnOf),
    unlike: references.filter(({ args }) => args.suggestion === undefined).map(urnOf),
  };
}

function urnOf({ args }: ProblemOf<"asset-missing" | "reference-missing">): Urn {
  return args.urn as Urn;
}

/** Adds the best candidate from the catalog to a problem, if there is one. */
export function withSuggestion(problem: Problem, { similarNames, named }: Candidates): Problem {
  if (hasTrait(problem, "absent-reference")) {
    const urn = urnOf(problem);
    const called = namedAs(urn, named);
    const isSuggested = problem.args.suggestion !== undefined || called.named !== undefined;
    const suggestion = isSuggested
      ? undefined
      : nearestSpelling(keyOf(urn), others(urn, similarNames).map(keyOf));
    return {
      ...problem,
      args: { ...problem.args, ...(suggestion !== undefined && { suggestion }), ...called },
    };
  }
  if (!hasTrait(problem, "absent-asset")) return problem;
  const suggestion = nearest(urnOf(problem), others(urnOf(problem), similarNames));
  return suggestion === undefined ? problem : { ...problem, args: { ...problem.args, suggestion } };
}

// Returns entities with similar names. The absent entity is excluded, because the search index may still contain it.
function others(absent: Urn, similarNames: Candidates["similarNames"]): readonly Urn[] {
  return (similarNames.get(absent) ?? []).filter((urn) => urn !== absent).toSorted(compareText);
}

/**
 * Returns the entity with the most similar name, preferring entities on the same platform. If several entities have that name,
 * the one with the most similar URN is returned.
 */
function nearest(absent: Urn, found: readonly Urn[]): Urn | undefined {
  const asset = kindOfUrn(absent)?.asset;
  const samePlatform = found.filter((urn) => asset?.platformOf(urn) === asset?.platformOf(absent));
  return nearestOf(absent, samePlatform) ?? nearestOf(absent, found);
}

function nearestOf(absent: Urn, found: readonly Urn[]): Urn | undefined {
  const similarNames = kindOfUrn(absent)?.similarNames;
  if (!similarNames) return undefined;
  const nameOf = (urn: Urn): string => similarNames.nameOf(urn);
  const name = nearestSpelling(nameOf(absent), found.map(nameOf));
  const those = found.filter((urn) => nameOf(urn) === name);
  return those.find((urn) => urn === nearestSpelling(absent, those)) ?? those[0];
}

/** Entities, keyed by entity type and display name. */
export type EntitiesByName = ReadonlyMap<string, readonly Urn[]>;

/** Groups entities by display name, ignoring case and surrounding whitespace. */
export function entitiesByName(names: Iterable<readonly [Urn, string]>): EntitiesByName {
  const entries = groupBy([...names], ([urn, name]) => key(urn, name));
  return new Map([...entries].map(([name, those]) => [name, those.map(([urn]) => urn)]));
}

/**
 * Returns the ids of entities whose display name was written instead of an id. If there is exactly one such entity, its id is
 * also the suggestion.
 */
export function namedAs(
  urn: Urn,
  entities: EntitiesByName,
): { readonly named?: readonly string[]; readonly suggestion?: string } {
  const named = (entities.get(key(urn, plainKeyOf(urn))) ?? []).map(keyOf).toSorted();
  const [id, ...more] = named;
  if (id === undefined) return {};
  return more.length === 0 ? { named, suggestion: id } : { named };
}

function key(urn: Urn, name: string): string {
  return `${entityTypeOf(urn)} ${name.trim().toLowerCase()}`;
}
