import { isJsonObject } from "../model/json.ts";
import type { Existence } from "../model/reference.ts";
import { entityTypeOf, type Urn } from "../model/urn.ts";
import type { Reader } from "./client.ts";
import { rawAspects } from "./entities-document.ts";
import { numbered } from "./live-state.ts";
import { withRawAspects } from "./raw-aspects.ts";
import { readBatches, type Reading, type ReadOptions } from "./read-batches.ts";

/**
 * Whether each of the URNs can be referred to. An answer for a URN proves nothing, so `entityExists` is asked; it
 * says yes for soft-deleted entities, too (EntityExistsResolver.java), so their `status` aspect is read beside it.
 */
export async function readExistence(
  reader: Reader,
  urns: readonly Urn[],
  options: ReadOptions = {},
): Promise<ReadonlyMap<Urn, Existence>> {
  const existence = new Map<Urn, Existence>();
  const question = {
    urns,
    documentFor: (some: readonly Urn[]) => existenceDocument(some.length),
    variablesFor: (some: readonly Urn[]) => ({ urns: some.filter(hasStatus), ...numbered(some) }),
  };
  const { onProgress: _, ...quiet } = options;
  await readBatches(reader, [question], quiet, (urn, reading) => {
    existence.set(urn, existenceOf(urn, reading));
  });
  return existence;
}

/** The query for a number of URNs; its variables are each of them as `u0`, `u1`, …, and in `urns` those with a status. */
export function existenceDocument(number: number): string {
  const indices = Array.from({ length: number }, (_, index) => index);
  const variables = indices.map((index) => `$u${index}: String!`).join(", ");
  const fields = indices.map((index) => `e${index}: entityExists(urn: $u${index})`).join(" ");
  const fragments = ["Tag", "CorpUser", "CorpGroup"].map(
    (type) => `... on ${type} { ${rawAspects(["status"])} }`,
  );
  return `query ReadExistence($urns: [String!]!, ${variables}) { ${fields} entities(urns: $urns) { urn ${fragments.join(" ")} } }`;
}

// Of what can be referred to only these can be soft-deleted: domains and ownership types have no status.
function hasStatus(urn: Urn): boolean {
  return ["tag", "corpuser", "corpGroup"].includes(entityTypeOf(urn));
}

function existenceOf(urn: Urn, { entity, alias, error }: Reading): Existence {
  if (error !== undefined) return { status: "unreadable", error };
  if (alias === false) return { status: "absent" };
  if (alias === true && !hasStatus(urn)) return { status: "present" };
  if (alias !== true || !entity || !Array.isArray(entity["aspects"])) {
    return { status: "unreadable", error: "the server left it out of its answer" };
  }
  const { aspects } = withRawAspects(entity);
  const status = isJsonObject(aspects) ? aspects["status"] : undefined;
  return { status: isJsonObject(status) && status["removed"] === true ? "soft-deleted" : "present" };
}
