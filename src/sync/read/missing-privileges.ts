/**
 * Finds the privileges that a token lacks but needs in order to write the declared values. Checks a sample of the entities of each
 * kind.
 */

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

/** A privilege that a token lacks, and the entities that require it. */
export interface MissingPrivilege {
  /** The privilege's name in policies and in the UI. */
  readonly privilege: string;
  /** The number of checked entities that require the privilege, and the first of these entities. */
  readonly entities: number;
  readonly first: Urn;
}

/** Number of entities to check for each kind. A sample is enough, because policies usually treat all entities of a kind alike. */
const entitiesOfAKind = 20;

/**
 * Returns the privileges that a user lacks but needs in order to write the declared values, keyed by name. The privilege to edit
 * an entity includes all privileges for its values. Throws `CatalogError` if the privileges cannot be read.
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
      throw new CatalogError("answer", `the privileges could not be read: ${reason ?? "no response"}`);
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

/** A required privilege, and a broader privilege that includes it. */
interface Needed {
  readonly needed: Privilege;
  readonly instead?: Privilege;
}

/**
 * Returns the privileges that are required to write an entity's declared values. A definition requires the privilege for its
 * aspects, and an asset requires the privilege for each facet. The privilege to manage users and groups does not include the
 * privilege to edit them. Like assets, groups have their own privilege for mutations.
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
        // A membership that a member declares is written to the group, not to the member.
        if (otherEndOf(name) !== undefined && !(facet.shape === "set" && facet.edges)) return [];
        const isEdited = writes === "conditional" && (set?.editing ?? scalar?.editing) !== undefined;
        // A proposal writes it.
        const isField = kindOf(kind).storage[name] !== undefined;
        if (privilege === undefined || isEdited || isField) return [ofAspects];
        // Group members are stored on users, so the privilege to edit the group is not enough.
        return [{ needed: privilege, ...(set?.editing || !isOfAspects ? { instead: editEntity } : {}) }];
      });
  const all = isOfAspects ? [ofAspects, ...own] : own;
  return [...new Map(all.map((each) => [each.needed.name, each])).values()];
}
