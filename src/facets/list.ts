import { domain } from "./domain.ts";
import type { Facet } from "./facet.ts";
import { groups, members } from "./members.ts";
import { incomplete } from "./incomplete.ts";
import { owners } from "./owners.ts";
import { fields } from "./fields.ts";
import { removed } from "./removed.ts";
import { tags } from "./tags.ts";

/** Every facet. A new one is a file in this folder and a name in this list. */
export const facets: readonly Facet[] = [
  domain,
  owners,
  ...tags,
  ...fields,
  members,
  groups,
  incomplete,
  removed,
];
