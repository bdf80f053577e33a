import { kinds } from "../kinds/index.ts";
import type { KindName } from "../model/state.ts";
import { columnTags } from "./column-tags.ts";
import { domain } from "./domain.ts";
import { colorHex } from "./color-hex.ts";
import { description } from "./description.ts";
import type { Facet } from "./facet.ts";
import { members } from "./members.ts";
import { name } from "./name.ts";
import { owners } from "./owners.ts";
import { parentDomain } from "./parent-domain.ts";
import { profile } from "./profile.ts";
import { removed } from "./removed.ts";
import { tags } from "./tags.ts";

/** Every facet. A new one is a file in this folder and a name in this list. */
export const facets: readonly Facet[] = [
  domain,
  owners,
  tags,
  columnTags,
  name,
  description,
  parentDomain,
  colorHex,
  ...profile,
  members,
  removed,
];

const byName: ReadonlyMap<string, Facet> = new Map(facets.map((facet) => [facet.name, facet]));

const byKind: ReadonlyMap<KindName, readonly Facet[]> = new Map(
  kinds.map((kind) => [kind.name, facets.filter((facet) => facet.on.includes(kind.name))]),
);

/** The facets that entities of a kind have. */
export function facetsOf(kind: KindName): readonly Facet[] {
  return byKind.get(kind) ?? [];
}

/** The facet of that name. A change that names another was not made by this version: an error. */
export function facetNamed(text: string): Facet {
  const facet = byName.get(text);
  if (!facet) throw new Error(`no facet is named ${text}`);
  return facet;
}
