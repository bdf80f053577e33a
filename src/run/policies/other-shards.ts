import type { Change } from "../../model/change.ts";
import type { Shard } from "../../model/plan.ts";
import { changesOfMembers } from "../../plan/judge/effects.ts";
import { changesOfPeople } from "../../plan/judge/planned.ts";
import { withoutPrune } from "../../plan/policy.ts";
import { definitionsShard } from "../../plan/shard.ts";
import { definitionsIn } from "../../plan/sides/definitions.ts";
import type { Reader } from "../../datahub/client.ts";
import { compareWithRuns, type ReadPastRuns } from "../past-runs.ts";
import type { ReadOptions } from "../read/read-batches.ts";
import { type Declarations, readDeclared } from "../rules/expand-rules.ts";
import type { PoliciesAtHand } from "./evaluate-policies.ts";
import { questionFor } from "./subjects.ts";

/** How the changes of other shards are found. */
interface OtherShardsOptions extends ReadOptions {
  readonly policies: PoliciesAtHand | undefined;
  readonly shard: Shard | undefined;
  readonly pastRuns?: ReadPastRuns | undefined;
}

/**
 * The changes of users, groups and memberships that the shard of definitions carries out, where policies of another shard ask
 * for these. Reads the definitions for it. Throws `CatalogError` where the server cannot be asked.
 */
export async function changesOfOtherShards(
  reader: Reader,
  declared: Declarations,
  { policies, shard, pastRuns, onProgress: _, ...options }: OtherShardsOptions,
): Promise<readonly Change[]> {
  if (!policies || !shard || shard.index === definitionsShard || !asksForOthers(policies)) return [];
  const part = new Set(definitionsIn(declared.desired.state).keys());
  const policy = { ...withoutPrune(declared.policy), part, shard: { ...shard, index: definitionsShard } };
  const catalog = await readDeclared(reader, { ...declared, policy }, options);
  const { changes } = await compareWithRuns(declared.desired, catalog, policy, pastRuns);
  return [
    ...new Set([
      ...changesOfPeople(changes),
      ...changes.filter((change) => changesOfMembers([change]).length > 0),
    ]),
  ];
}

function asksForOthers({ declaring, ...policies }: PoliciesAtHand): boolean {
  const kinds = new Set(policies.policies.map(({ kind }) => kind));
  return [...kinds].some((kind) => {
    const { needs, elsewhere } = questionFor(kind, policies, declaring);
    return needs.people || elsewhere.length > 0;
  });
}
