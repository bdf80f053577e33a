/** Merges the plans of shards into one plan, and extracts the plan of one shard. */

export { type Difference, type MergeFault, mergePlans } from "../plan/merge.ts";
export { awaitedBy, shardOfPlan } from "../plan/shard.ts";
