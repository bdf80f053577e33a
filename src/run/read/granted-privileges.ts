import type { Reader } from "../../datahub/client.ts";
import { askInParts, createBatchSize } from "../../datahub/http/batch-size.ts";
import { kindOf } from "../../kinds/index.ts";
import { chunks } from "../../model/group-by.ts";
import { isJsonObject, type JsonObject } from "../../model/json.ts";
import type { KindName } from "../../model/state.ts";
import type { Urn } from "../../model/urn.ts";

/** The privileges of a user where one entity is concerned; `undefined` where the answer has none. */
interface GrantedPrivileges<Item> {
  readonly item: Item;
  readonly platform: readonly unknown[] | undefined;
  readonly own: readonly unknown[] | undefined;
  /** What the server says against it, where it does. */
  readonly reason: string | undefined;
}

const entitiesOfARequest = 100;

/**
 * The query for the privileges of a user on the platform and on so many entities, `$r0`, `$r1`, …; a user may always ask for
 * the own ones.
 */
export function privilegesDocument(count: number): string {
  const numbers = Array.from({ length: count }, (_, index) => index);
  const variables = numbers.map((index) => `, $r${index}: ResourceSpec!`).join("");
  const fields = numbers.map(
    (index) =>
      `p${index}: getGrantedPrivileges(input: { actorUrn: $actor, resourceSpec: $r${index} }) { privileges }`,
  );
  const platform = "platform: getGrantedPrivileges(input: { actorUrn: $actor }) { privileges }";
  return `query ReadPrivileges($actor: String!${variables}) { ${platform} ${fields.join(" ")} }`;
}

/** Reads the privileges of a user on the entities of some items, in their order. Throws `CatalogError` where the server cannot be asked. */
export async function* grantedPrivileges<Item>(
  reader: Reader,
  actor: Urn,
  items: readonly (readonly [Item, { readonly urn: Urn; readonly kind: KindName }])[],
  signal?: AbortSignal,
): AsyncGenerator<GrantedPrivileges<Item>> {
  const { batchSize = createBatchSize() } = reader;
  for (const batch of chunks(items, entitiesOfARequest)) {
    const parts = await askInParts(batchSize, batch, async (some, isWorthRepeating) => {
      const resources = some.map(([, { urn, kind }], index) => [
        `r${index}`,
        { resourceType: kindOf(kind).searchType, resourceUrn: urn },
      ]);
      const variables: JsonObject = { actor, ...Object.fromEntries(resources) };
      const document = privilegesDocument(some.length);
      const { data, errors } = await reader.query(document, variables, signal, { isWorthRepeating });
      const platform = privilegesIn(data?.["platform"]);
      return some.map(([item], index) => ({
        item,
        platform,
        own: privilegesIn(data?.[`p${index}`]),
        reason: errors[0]?.message,
      }));
    });
    yield* parts.flat();
  }
}

function privilegesIn(answer: unknown): readonly unknown[] | undefined {
  const privileges = isJsonObject(answer) ? answer["privileges"] : undefined;
  return Array.isArray(privileges) ? privileges : undefined;
}
