import fc from "fast-check";
import { expect } from "vitest";
import { shardOf } from "../../src/plan/shard.ts";
import type { Plan } from "../../src/model/plan.ts";
import { lawsOf } from "./law.ts";
import { mergePlans } from "./saved.ts";
import { planOf, planOfShard, type World, worlds } from "./worlds.ts";

interface Sharded {
  readonly world: World;
  readonly of: number;
  /** With which shard the plans begin. */
  readonly turn: number;
}

const law = lawsOf(
  fc
    .record({ drawn: worlds, prunes: fc.boolean(), of: fc.integer({ min: 1, max: 5 }), turn: fc.nat() })
    .map(({ drawn, prunes, of, turn }) => {
      const sharded = { world: prunes ? { ...drawn, pruneAssignments: true } : drawn, of, turn };
      return { ...sharded, plans: shardsOf(sharded) };
    }),
  40,
);

/** The plans of all shards, in an order that somebody may give them in. */
function shardsOf({ world, of, turn }: Sharded): readonly Plan[] {
  const plans = Array.from({ length: of }, (_, at) => planOfShard(world, { index: at + 1, of }));
  return [...plans.slice(turn % of), ...plans.slice(0, turn % of)];
}

law("the plans of all shards, merged, are the plan of the whole", ({ world, plans }) => {
  expect(mergePlans(plans)).toEqual({ plan: planOf(world) });
});

law("a shard changes what belongs to it and nothing else, and no guard judges it", ({ of, plans }) => {
  for (const { shard, changes, findings } of plans) {
    expect(changes.filter(({ urn }) => shardOf(urn, of) !== shard?.index)).toEqual([]);
    expect(findings.filter(({ guard }) => guard !== "missing")).toEqual([]);
  }
});
