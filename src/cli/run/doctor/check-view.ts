/** Checks whether the token is allowed to view the declared entities. */

import type { Reader } from "../../../datahub/client.ts";
import { CatalogError } from "../../../model/catalog-error.ts";
import { type Check, ok, problem, warning } from "../../../model/diagnosis.ts";
import { isRestricted } from "../../../model/restricted.ts";
import type { State } from "../../../model/state.ts";
import { count } from "../../../report/count.ts";
import { readLive } from "../../../sync/read/live-state.ts";

const id = "view";

/** Checks all declared entities that exist. If the catalog cannot be read, returns a warning. */
export async function checkView(
  reader: Reader,
  declared: State,
  signal: AbortSignal | undefined,
): Promise<readonly Check[]> {
  const wanted: State = new Map(
    [...declared.values()].map(({ urn, kind }) => [urn, { urn, kind, facets: new Map() }]),
  );
  try {
    const { unreadable } = await readLive(reader, wanted, { signal });
    const [first, ...others] = [...unreadable].flatMap(([urn, reason]) =>
      isRestricted(reason) ? [urn] : [],
    );
    if (first === undefined) return [ok(id, "the token is allowed to view what the manifests declare")];
    const more = others.length > 0 ? ` and ${count(others.length, "other")}` : "";
    return [
      problem(
        id,
        `the token is not allowed to view ${others.length + 1} of ${count(declared.size, "declared entity", "declared entities")}: ${first}${more}`,
        "grant the privilege View Entity Page in DataHub (Settings, Permissions), or use the token of someone who has it",
      ),
    ];
  } catch (error) {
    if (!(error instanceof CatalogError)) throw error;
    return [warning(id, error.message, "try again when the server responds")];
  }
}
