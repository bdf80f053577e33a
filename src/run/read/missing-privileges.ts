import type { Reader } from "../../datahub/client.ts";
import { facetNamed, otherEndOf } from "../../facets/index.ts";
import { isDefinitionKind } from "../../kinds/index.ts";
import type { Privilege } from "../../kinds/kind.ts";
import { CatalogError } from "../../model/catalog-error.ts";
import type { Writes } from "../../model/operation.ts";
import type { Entity, State } from "../../model/state.ts";
import type { Urn } from "../../model/urn.ts";
import { calledPrivilege, privilegeOfAspects } from "../write/privileges.ts";
import { grantedPrivileges } from "./granted-privileges.ts";
import type { ReadOptions } from "./read-batches.ts";

/** A privilege that a token lacks, and what it would need it for. */
export interface MissingPrivilege {
  /** Its name in policies and in the UI. */
  readonly privilege: string;
  /** How many of the entities that were looked at, and the first of them. */
  readonly entities: number;
  readonly first: Urn;
}

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
  const asked = someOf(desired).map((entity) => [entity, entity] as const);
  for await (const { item: entity, platform, own = [], reason } of grantedPrivileges(
    reader,
    actor,
    asked,
    signal,
  )) {
    if (!platform)
      throw new CatalogError("answer", `the privileges could not be read: ${reason ?? "no answer"}`);
    const granted = new Set([...platform, ...own]);
    for (const needed of neededFor(entity, writes)) {
      if (granted.has(needed.name) || granted.has(privilegeOfAspects(entity.urn).name)) continue;
      const privilege = calledPrivilege(needed);
      const { entities = 0, first = entity.urn } = missing.get(privilege) ?? {};
      missing.set(privilege, { privilege, entities: entities + 1, first });
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
