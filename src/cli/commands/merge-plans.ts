/** Defines the command `merge-plans`, which merges the plans of all shards into one plan. */

import { Command } from "commander";
import type { Plan } from "../../model/plan.ts";
import { mergePlans } from "../../plan/merge.ts";
import type { Difference, MergeFault } from "../../plan/merge-fault.ts";
import { count } from "../../report/count.ts";
import { InputError } from "../errors.ts";
import type { ExitCode } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { addExamples } from "../options/examples.ts";
import { addResultOptions, common } from "../options/options.ts";
import { type ShownPlan, showPlan } from "../output/show-plan.ts";
import { readSavedPlan } from "../run/saved-file.ts";

/** Defines the command, which does not need a server. */
export function mergePlansCommand(io: Io, done: (code: ExitCode) => void): Command {
  const command = new Command("merge-plans")
    .argument("<file...>", "plans of all shards, saved with plan --shard --out")
    .addOption(common.out())
    .addOption(common.exitCode());
  addExamples(addResultOptions(command), [
    [
      "Plan in two jobs, and merge the plans",
      "plan --shard 1/2 --out 1.json",
      "plan --shard 2/2 --out 2.json",
      "merge-plans 1.json 2.json --out plan.json",
    ],
    ["Apply the merged plan", "apply plan.json"],
  ]);
  return command.action(async (files: readonly string[], options: ShownPlan) => {
    const plans: Plan[] = [];
    for (const file of files) plans.push(await readSavedPlan(file, io));
    const result = mergePlans(plans);
    if ("fault" in result) throw new InputError(mergeText(result, files));
    done(await showPlan(result.plan, options, io));
  });
}

/** Returns a message that explains why the plans cannot be merged. */
function mergeText(fault: MergeFault, files: readonly string[]): string {
  const nameOf = (plan: number): string => files[plan] ?? "";
  if (fault.fault === "no-shard")
    return `${nameOf(fault.plan)} is not the plan of a shard; create one with plan --shard`;
  if (fault.fault === "other-number") {
    const [first, other] = fault.of;
    return `${nameOf(0)} is one of ${count(first, "shard")}, but ${nameOf(fault.plan)} is one of ${other}`;
  }
  if (fault.fault === "twice") {
    const [names, { index, of }] = [fault.plans.map(nameOf), fault.shard];
    return `${names.join(" and ")} are both plans of shard ${index} of ${of}`;
  }
  if (fault.fault === "missing") {
    const { shards, of } = fault;
    const [noun, verb] = shards.length === 1 ? ["plan of shard", "is"] : ["plans of shards", "are"];
    return `the ${noun} ${shards.join(", ")} of ${of} ${verb} missing`;
  }
  return fault.fault === "different"
    ? `${nameOf(fault.plan)} and ${nameOf(0)} are not shards of the same plan: ${differenceText(fault.difference)}`
    : `${nameOf(fault.plan)} deletes nothing, because some entities could not be read, but other shards delete entities; create the plans again, or plan without --shard`;
}

function differenceText({ at, first, other }: Difference): string {
  if (at === "inputs") return "their settings, options or uncommitted manifests differ";
  if (at.startsWith("vanished")) return "the entities that are no longer declared differ";
  return `${at} is ${other} in one and ${first} in the other`;
}
