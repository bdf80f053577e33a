/** Finds the platforms and domains that a selection's options refer to, and suggests similar names for unknown ones. */

import { facets } from "../../facets/index.ts";
import { kindOfUrn } from "../../kinds/index.ts";
import { knownPlatforms } from "../../kinds/platforms.ts";
import { urnOfId } from "../../model/identifier.ts";
import { leavesOf } from "../../model/place.ts";
import type { Entity, State } from "../../model/state.ts";
import { nearest } from "../../model/text/suggestion.ts";
import { entityTypeOf, isUrn, plainKeyOf, type Urn } from "../../model/urn.ts";
import type { Narrowing } from "../../plan/align/select.ts";
import { namesIn } from "../../plan/notes/names.ts";
import { namedAmong, type Nameable } from "../../plan/listing/names.ts";

/** The requested platforms and domains, as ids, URNs or names. */
export interface RequestedNames {
  readonly platforms?: readonly string[] | undefined;
  readonly domains?: readonly string[] | undefined;
}

/** Finds platforms and domains in manifests by exact id or display name. Ignores case if the result is unambiguous. */
export function namedInManifests(
  { platforms, domains }: RequestedNames,
  states: readonly State[],
): Narrowing {
  if (!platforms && !domains) return {};
  const entities = states.flatMap((state) => [...state.values()]);
  return {
    ...(platforms && { platforms: platformsNamed(platforms, platformsOf(entities)) }),
    ...(domains && { domains: placementsNamed(domains, placementsOf(entities, states)) }),
  };
}

/** Returns the platform or domain in the manifests that the user probably meant. */
export function suggestedName({ platforms = [], domains = [] }: Narrowing, state: State): string | undefined {
  const entities = [...state.values()];
  const declared = platformsOf(entities);
  const names = placementsOf(entities, [state]).flatMap((each) => each.names.filter((name) => !isUrn(name)));
  const suggested = [
    ...platforms.map((text) => suggestionFor(text, declared)),
    ...domains.map((urn) => suggestionFor(plainKeyOf(urn), names)),
  ];
  return suggested.find((each) => each !== undefined);
}

function suggestionFor(text: string, names: readonly string[]): string | undefined {
  return names.includes(text) ? undefined : nearest(text, names);
}

function platformsNamed(texts: readonly string[], declared: readonly string[]): readonly string[] {
  const known = [...new Set([...declared, ...knownPlatforms])];
  return texts.map((text) => {
    if (declared.includes(text)) return text;
    const [only = text, ...others] = known.filter((each) => each.toLowerCase() === text.toLowerCase());
    return others.length === 0 ? only : text;
  });
}

function platformsOf(entities: readonly Entity[]): readonly string[] {
  const found = entities.map(({ urn }) => kindOfUrn(urn)?.asset?.platformOf(urn));
  return [...new Set(found)].filter((each) => each !== undefined);
}

function placementsNamed(texts: readonly string[], declared: readonly Nameable[]): readonly Urn[] {
  return texts.flatMap((text) => {
    const result = urnOfId(placementType, text);
    const urns = "urn" in result ? [result.urn] : [];
    if (urns.some((urn) => declared.some((each) => each.urn === urn))) return urns;
    const { urn } = namedAmong(text, declared);
    return urn === undefined ? urns : [urn];
  });
}

const placement = facets.find(({ isPlacement }) => isPlacement);
const [placementType = ""] = placement?.refersTo ?? [];

/** Returns the domains that manifests declare or assign. */
function placementsOf(entities: readonly Entity[], states: readonly State[]): readonly Nameable[] {
  const own = entities.flatMap(({ urn }) => (entityTypeOf(urn) === placementType ? [urn] : []));
  const used = entities.flatMap(({ facets: values }) =>
    leavesOf(values.get(placement?.name ?? "")).flatMap(([, leaf]) =>
      leaf.shape === "scalar" && isUrn(leaf.value) ? [leaf.value] : [],
    ),
  );
  const names = new Map(states.flatMap((state) => [...namesIn(state, new Map())]));
  return [...new Set([...own, ...used])].map((urn) => {
    const all = [urn, plainKeyOf(urn), names.get(urn)];
    return { urn, names: all.filter((each) => each !== undefined) };
  });
}
