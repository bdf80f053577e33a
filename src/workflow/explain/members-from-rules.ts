/** Finds the assets that rules add as members to groups such as data products, and reports unreadable assets. */

import type { Reader } from "../../datahub/client.ts";
import { edgeSets } from "../../facets/index.ts";
import type { Kind } from "../../kinds/kind.ts";
import { appendTo } from "../../model/append.ts";
import type { Problem } from "../../model/problem.ts";
import type { Asset } from "../../model/rule.ts";
import type { Urn } from "../../model/urn.ts";
import { readProblem } from "../../model/restricted.ts";
import { allRules } from "../../plan/rules/expand-all.ts";
import { doesMatch } from "../../plan/rules/match.ts";
import { readAssets } from "../../sync/read/assets.ts";
import type { AssetBatch } from "../../sync/read/assets/page.ts";
import type { ReadOptions } from "../../sync/read/read-batches.ts";
import type { Scope } from "../scope/scope.ts";

interface Members {
  readonly assets: AssetBatch["assets"];
  readonly unreadable: AssetBatch["unreadable"];
}

/**
 * Returns the assets that rules may add as members to groups of a kind. `unreadable` contains the assets that could not be
 * checked.
 */
export async function membersFromRules(
  { rules }: Scope,
  reader: Reader,
  kind: Kind,
  options: ReadOptions,
): Promise<Members> {
  const inverses = edgeSets.flatMap((edges) => (edges.kind.name === kind.name ? [edges.inverse] : []));
  const memberRules = (rules ? allRules(rules) : []).filter(({ facets }) =>
    inverses.some((name) => facets.has(name)),
  );
  const assets: Asset[] = [];
  const unreadable = new Map<Urn, string>();
  for await (const batch of readAssets(reader, memberRules, options)) {
    appendTo(
      assets,
      batch.assets.filter((asset) => memberRules.some((rule) => doesMatch(rule, asset))),
    );
    for (const [urn, reason] of batch.unreadable) unreadable.set(urn, reason);
  }
  return { assets, unreadable };
}

/** Returns a problem for each asset that could not be read. */
export function unreadMembers({ unreadable }: Members): readonly Problem[] {
  return [...unreadable].map(([urn, error]) => ({ ...readProblem({ urn, error }), severity: "error" }));
}
