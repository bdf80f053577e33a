/** Finds the changes in the definitions shard that affect the policy results of a different shard. */

import type { Change } from "../../model/change.ts";
import { changesOfMembers } from "../../plan/policies/effects.ts";
import { changesOfPeople } from "../../plan/policies/planned.ts";
import { withoutPrune } from "../../plan/base/policy.ts";
import { definitionsShard } from "../../plan/shard.ts";
import { definitionsIn } from "../../plan/base/definitions.ts";
import type { Reader } from "../../datahub/client.ts";
import { compareWithRuns, type ReadPastRuns } from "../past-runs.ts";
import type { ReadOptions } from "../read/read-batches.ts";
import { type Declarations, readDeclared } from "../rules/expand-rules.ts";
import type { CurrentPolicies } from "./evaluate-policies.ts";
import { questionFor } from "./subjects.ts";

interface OtherShardsOptions extends ReadOptions {
  readonly policies: CurrentPolicies | undefined;
  readonly pastRuns?: ReadPastRuns | undefined;
}

/**
 * Returns the changes to users, groups and memberships in the definitions shard, if policy results in this shard depend on them.
 * Reads the live definitions. Throws `CatalogError` if a request fails.
 */
export async function changesOfOtherShards(
  reader: Reader,
  declared: Declarations,
  { policies, pastRuns, ...options }: OtherShardsOptions,
): Promise<readonly Change[]> {
  const { shard } = declared.policy;
  if (!policies || !shard || shard.index === definitionsShard || !dependsOnOthers(policies)) return [];
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

function dependsOnOthers({ declaring, ...policies }: CurrentPolicies): boolean {
  const kinds = new Set(policies.policies.map(({ kind }) => kind));
  return [...kinds].some((kind) => {
    const { needs, elsewhere } = questionFor(kind, policies, declaring);
    return needs.people || elsewhere.length > 0;
  });
}
