/** Finds the privileges that a token lacks to write the declared values. */

import type { Reader } from "../../datahub/client.ts";
import { facetNamed, otherEndOf } from "../../facets/index.ts";
import { isDefinitionKind, kindOf } from "../../kinds/index.ts";
import type { Privilege } from "../../kinds/kind.ts";
import { CatalogError } from "../../model/catalog-error.ts";
import type { WriteMode } from "../../model/operation.ts";
import type { Entity, State } from "../../model/state.ts";
import type { Urn } from "../../model/urn.ts";
import { privilegeLabel, editEntity, privilegeOfAspects } from "./privileges.ts";
import { grantedPrivileges } from "./granted-privileges.ts";
import type { ReadOptions } from "./read-batches.ts";

/** A privilege that a token lacks, and where the token needs it. */
export interface MissingPrivilege {
  /** The privilege's name in policies and in the UI. */
  readonly privilege: string;
  /** The number of checked entities that need it, and the first of them. */
  readonly entities: number;
  readonly first: Urn;
}

/** The number of entities to check for each kind, because policies mostly treat all entities alike. */
const entitiesOfAKind = 20;

/**
 * Returns the privileges that a user lacks to write the declared values, by name. The privilege to edit an entity includes all
 * privileges for its values. Throws `CatalogError` if they cannot be read.
 */
export async function missingPrivileges(
  reader: Reader,
  actor: Urn,
  { desired, writes }: { readonly desired: State; readonly writes: WriteMode },
  { signal }: ReadOptions = {},
): Promise<readonly MissingPrivilege[]> {
  const missing = new Map<string, MissingPrivilege>();
  const samples = samplesOf(desired).map((entity) => [entity, entity] as const);
  for await (const { item: entity, platform, own = [], reason } of grantedPrivileges(
    reader,
    actor,
    samples,
    signal,
  )) {
    if (!platform)
      throw new CatalogError("answer", `the privileges could not be read: ${reason ?? "no answer"}`);
    const granted = new Set([...platform, ...own]);
    for (const { needed, instead } of neededFor(entity, writes)) {
      if (granted.has(needed.name) || granted.has(instead?.name)) continue;
      const privilege = privilegeLabel(needed);
      const { entities = 0, first = entity.urn } = missing.get(privilege) ?? {};
      missing.set(privilege, { privilege, entities: entities + 1, first });
    }
  }
  return [...missing.values()];
}

function samplesOf(desired: State): readonly Entity[] {
  const seen = new Map<string, number>();
  return [...desired.values()].filter(({ kind }) => {
    const number = (seen.get(kind) ?? 0) + 1;
    seen.set(kind, number);
    return number <= entitiesOfAKind;
  });
}

/** A privilege, and another privilege that includes it. */
interface Needed {
  readonly needed: Privilege;
  readonly instead?: Privilege;
}

/**
 * Returns the privileges to write an entity's declared values: its aspects for a definition, each facet for an asset. The privilege
 * to manage users and groups does not include editing entities: mutations of a group need its own privilege, as for an asset.
 */
function neededFor({ urn, kind, facets }: Entity, writes: WriteMode): readonly Needed[] {
  const ofAspects: Needed = { needed: privilegeOfAspects(urn) };
  const isOfAspects = isDefinitionKind(kind);
  const coversAll = isOfAspects && ofAspects.needed.name === editEntity.name;
  const own = coversAll
    ? []
    : [...facets.keys()].flatMap((name): readonly Needed[] => {
        const facet = facetNamed(name);
        const { privilege, set, scalar } = facet;
        // A membership that a member declares is written to the group.
        if (otherEndOf(name) !== undefined && !(facet.shape === "set" && facet.edges)) return [];
        const isEdited = writes === "conditional" && (set?.editing ?? scalar?.editing) !== undefined;
        const isField = kindOf(kind).storage[name] !== undefined;
        if (privilege === undefined || isEdited || isField) return [ofAspects];
        // A group's members are stored with users, where the privilege to edit the group is not enough.
        return [{ needed: privilege, ...(set?.editing || !isOfAspects ? { instead: editEntity } : {}) }];
      });
  const all = isOfAspects ? [ofAspects, ...own] : own;
  return [...new Map(all.map((each) => [each.needed.name, each])).values()];
}
