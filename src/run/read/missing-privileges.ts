import type { Reader } from "../../datahub/client.ts";
import { facetNamed, otherEndOf } from "../../facets/index.ts";
import { isDefinitionKind, kindOf } from "../../kinds/index.ts";
import type { Privilege } from "../../kinds/kind.ts";
import { CatalogError } from "../../model/catalog-error.ts";
import { chunks } from "../../model/group-by.ts";
import type { JsonObject } from "../../model/json.ts";
import type { Writes } from "../../model/operation.ts";
import type { Entity, State } from "../../model/state.ts";
import type { Urn } from "../../model/urn.ts";
import { calledPrivilege, privilegeOfAspects } from "../write/privileges.ts";
import { privilegesDocument, privilegesIn } from "../write/provenance.ts";
import type { ReadOptions } from "./read-batches.ts";

/** A privilege that a token lacks, and what it would need it for. */
export interface MissingPrivilege {
  /** Its name in policies and in the UI. */
  readonly privilege: string;
  /** How many of the entities that were looked at, and the first of them. */
  readonly entities: number;
  readonly first: Urn;
}

const entitiesOfARequest = 100;

/** How many entities of a kind are looked at: policies mostly say the same of all. */
const entitiesOfAKind = 20;

/**
 * The privileges that a user lacks to write what is declared of entities, by name. The privilege to edit an entity stands for all of
 * its own. Throws `CatalogError` where they cannot be read.
 */
export async function missingPrivileges(
  reader: Reader,
  actor: Urn,
  { desired, writes }: { readonly desired: State; readonly writes: Writes },
  { signal }: ReadOptions = {},
): Promise<readonly MissingPrivilege[]> {
  const missing = new Map<string, MissingPrivilege>();
  for (const batch of chunks(someOf(desired), entitiesOfARequest)) {
    const resources = batch.map(({ urn, kind }, index) => [
      `r${index}`,
      { resourceType: kindOf(kind).searchType, resourceUrn: urn },
    ]);
    const variables: JsonObject = { actor, ...Object.fromEntries(resources) };
    const { data, errors } = await reader.query(privilegesDocument(batch.length), variables, signal);
    const platform = privilegesIn(data?.["platform"]);
    if (!platform)
      throw new CatalogError(
        "answer",
        `the privileges could not be read: ${errors[0]?.message ?? "no answer"}`,
      );
    for (const [index, entity] of batch.entries()) {
      const granted = new Set([...platform, ...(privilegesIn(data?.[`p${index}`]) ?? [])]);
      for (const needed of neededFor(entity, writes)) {
        if (granted.has(needed.name) || granted.has(privilegeOfAspects(entity.urn).name)) continue;
        const privilege = calledPrivilege(needed);
        const { entities = 0, first = entity.urn } = missing.get(privilege) ?? {};
        missing.set(privilege, { privilege, entities: entities + 1, first });
      }
    }
  }
  return [...missing.values()];
}

function someOf(desired: State): readonly Entity[] {
  const seen = new Map<string, number>();
  return [...desired.values()].filter(({ kind }) => {
    const number = (seen.get(kind) ?? 0) + 1;
    seen.set(kind, number);
    return number <= entitiesOfAKind;
  });
}

/** What it takes to write what is declared of an entity: of a definition its aspects, of an asset each facet. */
function neededFor({ urn, kind, facets }: Entity, writes: Writes): readonly Privilege[] {
  const ofAspects = privilegeOfAspects(urn);
  if (isDefinitionKind(kind) || writes === "conditional") return [ofAspects];
  const own = [...facets.keys()].flatMap((name) => {
    const { privilege } = facetNamed(name);
    return otherEndOf(name) === undefined ? [privilege ?? ofAspects] : [];
  });
  return [...new Map(own.map((each) => [each.name, each])).values()];
}
