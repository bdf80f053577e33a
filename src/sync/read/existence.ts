/** Determines which entities exist and can be referenced. */

import { isSoftDeleted } from "../../facets/removed.ts";
import { kinds } from "../../kinds/index.ts";
import type { Kind } from "../../kinds/kind.ts";
import { asCatalogError } from "../../model/catalog-error.ts";
import type { Json, JsonObject } from "../../model/json.ts";
import type { Existence } from "../../model/reference.ts";
import { entityTypeOf, type Urn } from "../../model/urn.ts";
import type { Reader } from "../../datahub/client.ts";
import { numbered, rawAspects, rawAspectsIn } from "./entities-document.ts";
import { readBatches, type ReadOptions } from "./read-batches.ts";
import type { Reading } from "./readings.ts";
import { readAspectsOf } from "./extra-aspects.ts";

/**
 * Determines whether each URN can be referenced, based on `entityExists` and the `status` aspect. `entityExists` is true even for
 * soft-deleted entities (EntityExistsResolver.java).
 */
export async function readExistence(
  reader: Reader,
  urns: readonly Urn[],
  options: ReadOptions = {},
): Promise<ReadonlyMap<Urn, Existence>> {
  const existence = new Map<Urn, Existence>();
  const question = {
    urns,
    requestFor: (some: readonly Urn[]) => ({
      document: existenceDocument(some.length),
      variables: existenceVariables(some),
    }),
  };
  const { batch = existenceBatch, signal } = options;
  await readBatches(reader, [question], { batch, signal }, (urn, reading) => {
    existence.set(urn, existenceOf(urn, reading));
  });
  return await withStoredStatus(reader, existence, options);
}

/** Adds the soft deletions that GraphQL does not show. Throws only if the signal is aborted. */
export async function withStoredStatus(
  reader: Reader,
  existence: ReadonlyMap<Urn, Existence>,
  { signal }: ReadOptions,
): Promise<ReadonlyMap<Urn, Existence>> {
  const known = new Map(existence);
  const hidden = [...existence].flatMap(([urn, { status }]) =>
    status === "present" && isOfKinds(onlyStored, urn) ? [urn] : [],
  );
  const wanted = hidden.map((urn) => ({ urn, aspects: ["status"] }));
  for (const [urn, stored] of await readAspectsOf(reader, wanted, signal)) {
    const isKnown = typeof stored === "object";
    known.set(urn, isKnown ? existenceBy(stored["status"]) : { status: "unreadable", error: stored });
  }
  return known;
}

/**
 * Number of URNs in a request. graphql-java accepts at most 500 fields in a document with introspection
 * (GoodFaithIntrospection.java).
 */
export const existenceBatch = 250;

/** Builds the query for the given number of URNs, with an optional extra field. `existenceVariables` returns its variables. */
export function existenceDocument(number: number, extra = ""): string {
  const indices = Array.from({ length: number }, (_, index) => index);
  const variables = indices.map((index) => `$u${index}: String!`).join(", ");
  const fields = indices.map((index) => `e${index}: entityExists(urn: $u${index})`).join(" ");
  const fragments = softDeletable.map(({ typename }) => `... on ${typename} { ${rawAspects(["status"])} }`);
  return `query ReadExistence($urns: [String!]!, ${variables}) { ${extra} ${fields} entities(urns: $urns) { urn ${fragments.join(" ")} } }`;
}

/** Returns the variables `u0`, `u1`, …, one for each URN, and `urns` with all URNs that can be soft-deleted. */
export function existenceVariables(urns: readonly Urn[]): JsonObject {
  return { urns: urns.filter(hasStatus), ...numbered(urns) };
}

// Ownership types, and other entities without a kind, have no status.
const softDeletable = kinds.filter((kind) => kind.softDeletable && !kind.aspectFields);

/** The kinds whose status GraphQL does not show. */
const onlyStored = kinds.filter((kind) => kind.softDeletable && kind.aspectFields);

function hasStatus(urn: Urn): boolean {
  return isOfKinds(softDeletable, urn);
}

function isOfKinds(some: readonly Kind[], urn: Urn): boolean {
  const type = entityTypeOf(urn);
  return some.some(({ entityType }) => entityType === type);
}

/** Determines from a response whether an entity exists. */
export function existenceOf(urn: Urn, { entity, alias, error }: Reading): Existence {
  if (error !== undefined) return { status: "unreadable", error };
  if (alias === false) return { status: "absent" };
  if (alias === true && !hasStatus(urn)) return { status: "present" };
  if (alias !== true || !entity) {
    return { status: "unreadable", error: "the server's response does not contain this entity" };
  }
  const aspects = rawAspectsIn(entity);
  if (typeof aspects === "string") return { status: "unreadable", error: aspects };
  return existenceBy(aspects["status"]);
}

function existenceBy(status: Json | undefined): Existence {
  try {
    return { status: isSoftDeleted(status) ? "soft-deleted" : "present" };
  } catch (fault) {
    return { status: "unreadable", error: asCatalogError(fault).message };
  }
}
