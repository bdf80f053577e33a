/** Plans of shards: joined into one, and taken from one. */
export { type Difference, type MergeFault, mergePlans } from "../plan/merge.ts";
export { awaitedBy, shardOfPlan } from "../plan/shard.ts";
