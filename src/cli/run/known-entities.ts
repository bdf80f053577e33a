/** Collects the ids and names of definitions that editors can offer for completion. */

import { createReader } from "../../datahub/client.ts";
import { policyType } from "../../manifests/schema/policy-kinds.ts";
import type { KnownEntities } from "../../manifests/schema/known-schema.ts";
import { groupBy } from "../../model/group-by.ts";
import { idOrUrn } from "../../model/identifier.ts";
import { entityTypeOf, type Urn } from "../../model/urn.ts";
import { namesIn } from "../../plan/notes/names.ts";
import { definitionsIn } from "../../plan/base/definitions.ts";
import { readKnownEntities } from "../../sync/read/known-entities.ts";
import type { Connection } from "../../datahub/http/connection.ts";
import type { Desired } from "../../manifests/base/desired.ts";

/** Returns the definitions and policies that are declared in manifests. */
export function knownInManifests({ state, policies }: Pick<Desired, "state" | "policies">): KnownEntities {
  const definitions = knownOf([...definitionsIn(state).keys()], namesIn(state, new Map()));
  return new Map([...definitions, [policyType, new Map(policies.map(({ id }) => [id, ""]))]]);
}

/** Returns the definitions in a catalog. Throws `CatalogError` if they cannot be listed. */
export async function knownInCatalog(connection: Connection, signal: AbortSignal): Promise<KnownEntities> {
  const names = await readKnownEntities(createReader(connection), { signal });
  return knownOf([...names.keys()], names);
}

/** Merges several lists. If an entity is in more than one list, the last nonempty name is used. */
export function unitedKnown(lists: readonly KnownEntities[]): KnownEntities {
  const all = new Map<string, Map<string, string>>();
  for (const [type, names] of lists.flatMap((list) => [...list])) {
    const known = all.get(type) ?? new Map<string, string>();
    all.set(type, known);
    for (const [id, name] of names) known.set(id, name || (known.get(id) ?? ""));
  }
  return all;
}

function knownOf(urns: readonly Urn[], names: ReadonlyMap<Urn, string | undefined>): KnownEntities {
  const byType = [...groupBy(urns, entityTypeOf)].map(
    ([type, own]) => [type, new Map(own.map((urn) => [idOrUrn(urn), names.get(urn) ?? ""]))] as const,
  );
  return new Map(byType);
}
