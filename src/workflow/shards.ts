/** Merges shards' plans into one plan, extracts one shard's plan, and finds the entities that a shard awaits from other shards. */

export { type Difference, type MergeFault, mergePlans } from "../plan/merge.ts";
export { awaitedBy, shardOfPlan } from "../plan/shard.ts";
