import { colorHex } from "./color-hex.ts";
import { description } from "./description.ts";
import { domain } from "./domain.ts";
import type { Facet } from "./facet.ts";
import { groups, members } from "./members.ts";
import { incomplete } from "./incomplete.ts";
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
  ...tags,
  name,
  description,
  parentDomain,
  colorHex,
  ...profile,
  members,
  groups,
  incomplete,
  removed,
];
