import type { Reader } from "../../datahub/client.ts";
import { optionalFields, probeTypes, typesOf } from "../read/available-fields.ts";
import { readMembersOf } from "../read/memberships.ts";
import type { ReadOptions } from "../read/read-batches.ts";
import { memberships } from "../../facets/index.ts";
import { systemOwnershipTypes } from "../../facets/ownership-types.ts";
import { kindOfType } from "../../kinds/index.ts";
import { compareText } from "../../model/json.ts";
import type { State } from "../../model/state.ts";
import { entityTypeOf, isUrn, type Urn } from "../../model/urn.ts";
import type { Desired } from "../../plan/compare.ts";
import { type Deciding, readFound } from "./found-assets.ts";
import { definitionsMentioned } from "./mentioned.ts";
import { listDefinitions } from "./list-definitions.ts";
import { type HeldOptions, readHeld, withReferring } from "./read-held.ts";
import type { Held, Snapshot } from "./snapshot.ts";

/** What a snapshot says of itself. */
export type SnapshotHeader = Pick<Snapshot, "tool" | "createdAt" | "target">;

/** The manifests that a snapshot is taken for, and what was declared before. */
export interface SnapshotScope {
  readonly desired: Desired;
  readonly before?: State | undefined;
  /** The rules among them, also those of earlier commits. */
  readonly deciding?: Deciding | undefined;
}

const noRules: Deciding = { rules: [], holds: () => false };

/**
 * Reads everything that a plan of these manifests can ask: the entities that they declare, match by rules or refer to, and
 * the definitions that live values name. Of all other definitions it reads whether they are there. So plans of other manifests
 * are possible that declare new definitions, or refer to any. Writes nothing. Throws `CatalogError` when the server cannot be
 * asked, and the reason of `signal`.
 */
export async function takeSnapshot(
  reader: Reader,
  scope: SnapshotScope,
  { tool, createdAt, target, ...options }: SnapshotHeader & ReadOptions,
): Promise<Snapshot> {
  const known = await probeTypes(reader, typesOf(optionalFields), options.signal);
  const fields = optionalFields.filter((field) => known.has(field));
  const reading: HeldOptions = { ...options, supports: (field) => fields.includes(field) };
  const { deciding = noRules } = scope;
  const forRules = await readFound(reader, { ...deciding, declared: scope.desired.state }, options);
  const named = [...new Set([...namedIn(scope), ...forRules.matched])];
  const members = await readMembersOf(reader, named.filter(isGroup), options);
  const held = new Map<Urn, Held>(
    await withReferring(reader, await readHeld(reader, named, reading), options),
  );
  for (const [group, users] of members) {
    const before = held.get(group);
    if (before && typeof users !== "string")
      held.set(group, { ...before, members: users.toSorted(compareText) });
  }
  let fresh = definitionsMentioned([...held.values()]);
  while (fresh.length > 0) {
    const more = await readHeld(
      reader,
      fresh.filter((urn) => !held.has(urn)),
      reading,
    );
    for (const [urn, each] of more) held.set(urn, each);
    // Parents up to the root; what else these name decides nothing.
    fresh = [...more].flatMap(([urn, each]) => parentsIn(urn, each)).filter((urn) => !held.has(urn));
  }
  for (const [urn, each] of forRules.held) held.set(urn, withFacts(held.get(urn), each));
  const { definitions, unreadable } = await listDefinitions(reader, options);
  for (const [urn, each] of unreadable) if (!held.has(urn)) held.set(urn, each);
  const entities = [...held].toSorted(([a], [b]) => compareText(a, b));
  const header = { formatVersion: "1", tool, createdAt, target, fields } as const;
  const { found } = forRules;
  return {
    ...header,
    ...(found.length > 0 && { found }),
    definitions,
    entities: Object.fromEntries(entities),
  };
}

/** What is held of an entity, with what rules match it by; that alone, where nothing else was asked of it. */
function withFacts(held: Held | undefined, facts: Held): Held {
  if (!held) return facts;
  const error = held.error ?? facts.error;
  const entity = held.entity && { ...facts.entity, ...held.entity };
  return { ...held, entity, ...(error !== undefined && { error }) };
}

function namedIn({ desired, before = new Map(), deciding = noRules }: SnapshotScope): readonly Urn[] {
  const references = Array.from(desired.references, ({ urn }) => urn);
  const values = definitionsMentioned([desired.state, before, deciding.rules]);
  const system = systemOwnershipTypes.filter(isUrn);
  return [...new Set([...desired.state.keys(), ...before.keys(), ...references, ...values, ...system])];
}

function isGroup(urn: Urn): boolean {
  return entityTypeOf(urn) === memberships.kind.entityType;
}

function parentsIn(urn: Urn, held: Held): readonly Urn[] {
  const type = entityTypeOf(urn);
  if (kindOfType(type)?.parentFacet === undefined) return [];
  return definitionsMentioned(held.entity).filter((each) => entityTypeOf(each) === type);
}
