/**
 * Merges shard plans into one plan, extracts the plan of one shard, and finds the entities that a shard needs from other shards.
 */

export { mergePlans } from "../plan/merge.ts";
export type { Difference, MergeFault } from "../plan/merge-fault.ts";
export { awaitedBy, shardOfPlan } from "../plan/shard.ts";
