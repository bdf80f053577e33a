/** Reads a user's privileges on the platform and on entities. */

import type { Reader } from "../../datahub/client.ts";
import { requestInBatches } from "../../datahub/http/batch-size.ts";
import { kindOf } from "../../kinds/index.ts";
import { chunks } from "../../model/group-by.ts";
import { isJsonObject, type JsonObject } from "../../model/json.ts";
import type { KindName } from "../../model/state.ts";
import type { Urn } from "../../model/urn.ts";

/** A user's privileges that apply to an entity. They are `undefined` if the response contains none. */
interface GrantedPrivileges<Item> {
  readonly item: Item;
  readonly platform: readonly unknown[] | undefined;
  readonly own: readonly unknown[] | undefined;
  /** The server's first error, if any. */
  readonly reason: string | undefined;
}

const entitiesOfARequest = 100;

/**
 * Builds the query for a user's privileges on the platform and on `count` entities, `$r0`, `$r1`, …. Every user may query their
 * own privileges.
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

/** Yields a user's privileges on the entity of each item, in order. Throws `CatalogError` if a request fails. */
export async function* grantedPrivileges<Item>(
  reader: Reader,
  actor: Urn,
  items: readonly (readonly [Item, { readonly urn: Urn; readonly kind: KindName }])[],
  signal?: AbortSignal,
): AsyncGenerator<GrantedPrivileges<Item>> {
  for (const batch of chunks(items, entitiesOfARequest)) {
    const parts = await requestInBatches(reader, batch, async (some, isWorthRepeating) => {
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
