import pLimit from "p-limit";
import { isJsonObject, type JsonObject } from "../model/json.ts";
import type { Existence } from "../model/reference.ts";
import { entityTypeOf, type Urn } from "../model/urn.ts";
import { chunks } from "./chunks.ts";
import type { Answer, Reader } from "./client.ts";
import type { ReadOptions } from "./live-state.ts";

/**
 * Whether each of the URNs can be referred to. An answer for a URN proves nothing, so `entityExists` is asked; it
 * says yes for soft-deleted entities, too (EntityExistsResolver.java), so their `status` aspect is read beside it.
 */
export async function readExistence(
  reader: Reader,
  urns: readonly Urn[],
  { concurrency = 8, batch = 100, signal }: ReadOptions = {},
): Promise<ReadonlyMap<Urn, Existence>> {
  const existence = new Map<Urn, Existence>();
  const limit = pLimit(concurrency);
  await Promise.all(
    chunks(urns, batch).map((some) =>
      limit(async () => {
        signal?.throwIfAborted();
        const answer = await reader.query(existenceDocument(some.length), variablesOf(some));
        some.forEach((urn, index) => existence.set(urn, existenceOf(urn, `e${index}`, answer)));
      }),
    ),
  ).finally(() => limit.clearQueue());
  return existence;
}

/** The query for a number of URNs; its variables are `urns` and each of them as `u0`, `u1`, …. */
export function existenceDocument(number: number): string {
  const indices = Array.from({ length: number }, (_, index) => index);
  const variables = indices.map((index) => `$u${index}: String!`).join(", ");
  const fields = indices.map((index) => `e${index}: entityExists(urn: $u${index})`).join(" ");
  const status = 'aspects(input: { aspectNames: ["status"] }) { payload }';
  const fragments = ["Tag", "CorpUser", "CorpGroup"].map((type) => `... on ${type} { ${status} }`).join(" ");
  return `query ReadExistence($urns: [String!]!, ${variables}) { ${fields} entities(urns: $urns) { urn ${fragments} } }`;
}

// Of what can be referred to only these can be soft-deleted: domains and ownership types have no status.
function hasStatus(urn: Urn): boolean {
  return ["tag", "corpuser", "corpGroup"].includes(entityTypeOf(urn));
}

function variablesOf(urns: readonly Urn[]): JsonObject {
  return {
    urns: urns.filter(hasStatus),
    ...Object.fromEntries(urns.map((urn, index) => [`u${index}`, urn])),
  };
}

function existenceOf(urn: Urn, alias: string, { data, errors }: Answer): Existence {
  const exists = data?.[alias];
  if (exists === false) return { status: "absent" };
  if (exists === true && !hasStatus(urn)) return { status: "present" };
  const listed = data?.["entities"];
  const entity = Array.isArray(listed)
    ? listed.find((each) => isJsonObject(each) && each["urn"] === urn)
    : undefined;
  if (exists === true && isJsonObject(entity))
    return { status: isRemoved(entity) ? "soft-deleted" : "present" };
  return { status: "unreadable", error: errors[0]?.message ?? "the server left it out of its answer" };
}

function isRemoved(entity: JsonObject): boolean {
  const aspects = Array.isArray(entity["aspects"]) ? entity["aspects"].filter(isJsonObject) : [];
  return aspects.some(({ payload }) => {
    const status: unknown = typeof payload === "string" ? JSON.parse(payload) : undefined;
    return isJsonObject(status) && status["removed"] === true;
  });
}
