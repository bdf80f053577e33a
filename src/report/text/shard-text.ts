import type { Plan } from "../../model/plan.ts";

/** What a plan says of the shard that it is about. Empty if it is about none. */
export function shardLine({ shard }: Pick<Plan, "shard">): string {
  if (!shard) return "";
  const name = `Shard ${shard.index} of ${shard.of}`;
  return shard.inputs === undefined
    ? `${name}.`
    : `${name}. \`merge-plans\` joins the plans of all shards; guards judge the result.`;
}
