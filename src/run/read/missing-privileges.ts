import type { Reader } from "../../datahub/client.ts";
import { facetNamed, otherEndOf } from "../../facets/index.ts";
import { isDefinitionKind } from "../../kinds/index.ts";
import type { Privilege } from "../../kinds/kind.ts";
import { CatalogError } from "../../model/catalog-error.ts";
import type { Writes } from "../../model/operation.ts";
import type { Entity, State } from "../../model/state.ts";
import type { Urn } from "../../model/urn.ts";
import { calledPrivilege, editEntity, privilegeOfAspects } from "../write/privileges.ts";
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
    for (const { needed, instead } of neededFor(entity, writes)) {
      if (granted.has(needed.name) || granted.has(instead?.name)) continue;
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

/** A privilege, and the one that stands for it. */
interface Needed {
  readonly needed: Privilege;
  readonly instead?: Privilege;
}

/**
 * What it takes to write what is declared of an entity: of a definition its aspects, of an asset each facet. The privilege to
 * manage users and groups is none to edit entities: what mutations write of a group needs its own, as of an asset.
 */
function neededFor({ urn, kind, facets }: Entity, writes: Writes): readonly Needed[] {
  const ofAspects: Needed = { needed: privilegeOfAspects(urn) };
  const isOfAspects = isDefinitionKind(kind);
  const isWhole = isOfAspects && ofAspects.needed.name === editEntity.name;
  const own = isWhole
    ? []
    : [...facets.keys()].flatMap((name): readonly Needed[] => {
        const facet = facetNamed(name);
        const { privilege, set, scalar } = facet;
        // What a member declares is written at the other end.
        if (otherEndOf(name) !== undefined && !(facet.shape === "set" && facet.edges)) return [];
        const isEdited = writes === "conditional" && (set?.editing ?? scalar?.editing) !== undefined;
        if (privilege === undefined || isEdited) return [ofAspects];
        // The members of a group are stored as those of users, where the privilege to edit the group is not enough.
        return [{ needed: privilege, ...(set?.editing || !isOfAspects ? { instead: editEntity } : {}) }];
      });
  const all = isOfAspects ? [ofAspects, ...own] : own;
  return [...new Map(all.map((each) => [each.needed.name, each])).values()];
}
